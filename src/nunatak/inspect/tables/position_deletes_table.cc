#include "nunatak/inspect/tables/position_deletes_table.h"

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/record_batch.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/partition_types.h"
#include "nunatak/iceberg/past_schemas.h"
#include "nunatak/inspect/prune_value.h"
#include "nunatak/inspect/tables/manifest_parts.h"
#include "nunatak/inspect/tables/row_values.h"
#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/cell.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/position_delete_file.h"
#include "nunatak/read/project/append_value.h"
#include "nunatak/table/delete_columns.h"
#include "nunatak/table/metadata_columns.h"

namespace nunatak {

namespace {

/// Field ids of the Java implementation, where the specification has none.
constexpr int32_t kContentOffsetId = 2147483641;
constexpr int32_t kContentSizeId = 2147483640;

/// Fields without variants, at any depth of structs.
std::vector<Field> WithoutVariants(std::span<const Field> fields) {
  std::vector<Field> kept;
  for (const Field& field : fields) {
    if (field.type.id() == TypeId::kVariant) continue;
    kept.push_back(field);
    if (field.type.is_struct()) {
      kept.back().type = Type::Struct(WithoutVariants(field.type.fields()));
    }
  }
  return kept;
}

/// The partition type with the least field ids that no column of the table has or had.
Type WithFreeIds(const Type& partition_type, const iceberg::TableMetadata& metadata) {
  std::vector<Field> fields(partition_type.fields().begin(), partition_type.fields().end());
  int32_t id = 0;
  for (Field& field : fields) {
    do {
      ++id;
    } while (iceberg::PastSchemaWith(metadata, id));
    field.id = id;
  }
  return Type::Struct(std::move(fields));
}

/// A delete file of a snapshot, with the spec that its partition is of.
struct PositionDeletes {
  DataFile file;
  PartitionSpec spec;
};

std::vector<PositionDeletes> PositionDeletesOf(const iceberg::Table& table,
                                               const iceberg::Snapshot* snapshot) {
  std::vector<PositionDeletes> files;
  const ManifestParts manifests = SnapshotManifests(table, snapshot, ManifestChoice::kDeletes);
  for (size_t part = 0; part < manifests.size(); ++part) {
    iceberg::Manifest manifest = manifests.Read(part);
    for (iceberg::ManifestEntry& entry : manifest.entries) {
      if (!entry.is_live() || !entry.data_file.is_position_delete()) continue;
      files.push_back({std::move(entry.data_file), manifest.partition_spec});
    }
  }
  return files;
}

/// The position delete files of a snapshot, as what their rows are made from. Immutable, and
/// thread-safe.
class PositionDeleteTable {
 public:
  PositionDeleteTable(const iceberg::Table& table, const MetadataScope& scope);

  size_t size() const { return files_.size(); }
  const DataFile& file(size_t part) const { return files_[part].file; }
  FileIO& io() const { return *table_.io; }
  Schema schema() const;
  /// What every row of a delete file has in a column other than `pos` and `row`.
  Value FileValue(size_t part, const Field& column) const;

 private:
  iceberg::Table table_;
  MergedPartitions partitions_;
  Type partition_type_;
  Type row_type_;
  std::vector<PositionDeletes> files_;
};

PositionDeleteTable::PositionDeleteTable(const iceberg::Table& table, const MetadataScope& scope)
    : table_(table),
      partitions_(iceberg::MergedPartitionsOf(*table.metadata)),
      partition_type_(WithFreeIds(partitions_.type(), *table.metadata)),
      row_type_(Type::Struct(WithoutVariants(table.metadata->current_schema().fields()))),
      files_(PositionDeletesOf(table, scope.snapshot)) {}

Schema PositionDeleteTable::schema() const {
  std::vector<Field> fields = {RequiredField(kDeletePathColumnId, "file_path", TypeId::kString),
                               RequiredField(kDeletePositionColumnId, "pos", TypeId::kLong),
                               OptionalField(kDeletedRowColumnId, "row", row_type_)};
  if (!partition_type_.fields().empty()) {
    fields.push_back(RequiredField(kPartitionColumnId, "partition", partition_type_));
  }
  fields.push_back(RequiredField(kSpecIdColumnId, "spec_id", TypeId::kInt));
  fields.push_back(RequiredField(kFileColumnId, "delete_file_path", TypeId::kString));
  if (table_.metadata->format_version >= 3) {
    fields.push_back(OptionalField(kContentOffsetId, "content_offset", TypeId::kLong));
    fields.push_back(OptionalField(kContentSizeId, "content_size_in_bytes", TypeId::kLong));
  }
  return Schema(0, std::move(fields));
}

Value PositionDeleteTable::FileValue(size_t part, const Field& column) const {
  const DataFile& file = files_[part].file;
  switch (column.id) {
    case kDeletePathColumnId:
      return BytesOrNull(file.referenced_data_file);
    case kPartitionColumnId:
      return PruneValue(partition_type_, column.type,
                        partitions_.Project(files_[part].spec, file.partition.span()));
    case kSpecIdColumnId:
      return Value::Integer(file.partition_spec_id);
    case kFileColumnId:
      return Value::Bytes(file.file_path);
    case kContentOffsetId:
      return IntegerOrNull(file.content_offset);
    case kContentSizeId:
      return IntegerOrNull(file.content_size_in_bytes);
    default:
      return Value::Null();
  }
}

/// Some rows of one delete file: columns that were read, and what all of its rows share.
class DeletedRows final : public MetadataRows {
 public:
  /// `read` has the columns `fields`.
  DeletedRows(std::shared_ptr<const PositionDeleteTable> table, size_t part,
              std::vector<Field> fields, std::shared_ptr<arrow::RecordBatch> read)
      : table_(std::move(table)), part_(part), fields_(std::move(fields)), read_(std::move(read)) {}

  size_t size() const override { return static_cast<size_t>(read_->num_rows()); }
  arrow::ArrayVector Columns(std::span<const Field> columns,
                             std::span<const uint32_t> wanted) const override {
    arrow::ArrayVector arrays;
    for (const Field& column : columns) arrays.push_back(Column(column, wanted));
    return arrays;
  }

 private:
  std::shared_ptr<arrow::Array> Column(const Field& column, std::span<const uint32_t> wanted) const;

  std::shared_ptr<const PositionDeleteTable> table_;
  size_t part_;
  std::vector<Field> fields_;
  std::shared_ptr<arrow::RecordBatch> read_;
};

std::shared_ptr<arrow::Array> DeletedRows::Column(const Field& column,
                                                  std::span<const uint32_t> wanted) const {
  const auto builder = ValueOrThrow(arrow::MakeBuilder(ArrowTypeOf(column.type)));
  const auto at = std::find_if(fields_.begin(), fields_.end(),
                               [&](const Field& field) { return field.id == column.id; });
  if (at == fields_.end()) {
    const Value value = table_->FileValue(part_, column);
    for (size_t i = 0; i < wanted.size(); ++i) AppendValue(column.type, value, *builder);
    return ValueOrThrow(builder->Finish());
  }
  const arrow::Array& values = *read_->column(static_cast<int>(at - fields_.begin()));
  if (at->type == column.type) {
    const arrow::ArraySpan span(*values.data());
    for (const uint32_t row : wanted) CheckOk(builder->AppendArraySlice(span, row, 1));
  } else {
    for (const uint32_t row : wanted) {
      AppendValue(column.type,
                  PruneValue(at->type, column.type, CellToValue(at->type, values, row)), *builder);
    }
  }
  return ValueOrThrow(builder->Finish());
}

/// How many rows of a deletion vector come at once.
constexpr size_t kRunRows = 8192;

MetadataRowStream StreamVector(const std::shared_ptr<const PositionDeleteTable>& table,
                               size_t part) {
  const DataFile& file = table->file(part);
  if (!file.referenced_data_file) {
    ThrowInvalid(file.file_path + ": a deletion vector without referenced_data_file");
  }
  const Field pos = RequiredField(kDeletePositionColumnId, "pos", TypeId::kLong);
  auto positions = std::make_shared<const iceberg::PositionSet>(
      ReadDeletionVector(table->io(), Context{}, file));
  return [table, part, pos, schema = arrow::schema({ArrowFieldOf(pos)}),
          positions = std::move(positions),
          next = int64_t{0}]() mutable -> std::shared_ptr<const MetadataRows> {
    const std::vector<int64_t> run = positions->From(next, kRunRows);
    if (run.empty()) return nullptr;
    next = run.back() + 1;
    arrow::Int64Builder builder;
    CheckOk(builder.AppendValues(run));
    auto batch = arrow::RecordBatch::Make(schema, static_cast<int64_t>(run.size()),
                                          {ValueOrThrow(builder.Finish())});
    return std::make_shared<DeletedRows>(table, part, std::vector{pos}, std::move(batch));
  };
}

/// What is read of `row` so that all of the columns can be made of it.
std::optional<Type> RowTypeOf(const PositionDeleteTable& table, std::span<const Field> columns) {
  std::optional<Type> type;
  for (const Field& column : columns) {
    if (column.id != kDeletedRowColumnId) continue;
    // The selection and the filter may each look at another part of it.
    if (type && *type != column.type) return table.schema().FindField(kDeletedRowColumnId)->type;
    type = column.type;
  }
  return type;
}

/// A delete file that is being read, with what its stream refers to.
struct OpenDeletes {
  Context context;
  ReadRequest request;
  DataFileStream stream;

  OpenDeletes(FileIO& io, const DataFile& file, std::optional<Type> row)
      : request(PositionDeleteRequest({}, row)),
        stream(OpenPositionDeletes(io, context, request, file)) {}
};

MetadataRowStream StreamFile(const std::shared_ptr<const PositionDeleteTable>& table, size_t part,
                             std::span<const Field> columns) {
  auto open =
      std::make_shared<OpenDeletes>(table->io(), table->file(part), RowTypeOf(*table, columns));
  return [table, part, open = std::move(open)]() -> std::shared_ptr<const MetadataRows> {
    std::shared_ptr<arrow::RecordBatch> batch = open->stream.Next();
    if (!batch) return nullptr;
    const std::span<const Field> fields = open->request.projection.fields();
    return std::make_shared<DeletedRows>(
        table, part, std::vector<Field>(fields.begin(), fields.end()), std::move(batch));
  };
}

}  // namespace

MetadataTable PositionDeletesTable(const iceberg::Table& table, const MetadataScope& scope) {
  const auto deletes = std::make_shared<const PositionDeleteTable>(table, scope);
  return {.schema = deletes->schema(),
          .parts = deletes->size(),
          .open = [deletes](size_t part, std::span<const Field> columns) {
            return deletes->file(part).is_deletion_vector() ? StreamVector(deletes, part)
                                                            : StreamFile(deletes, part, columns);
          }};
}

}  // namespace nunatak
