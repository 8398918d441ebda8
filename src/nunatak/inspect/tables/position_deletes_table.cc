#include "nunatak/inspect/tables/position_deletes_table.h"

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/record_batch.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/partition_types.h"
#include "nunatak/iceberg/past_schemas.h"
#include "nunatak/inspect/prune_value.h"
#include "nunatak/inspect/tables/manifest_parts.h"
#include "nunatak/inspect/tables/row_values.h"
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
    iceberg::Manifest manifest = manifests.Read(part, /*column_metrics=*/false);
    for (iceberg::ManifestEntry& entry : manifest.entries) {
      if (!entry.is_live() || !entry.data_file.is_position_delete()) continue;
      files.push_back({std::move(entry.data_file), manifest.partition_spec});
    }
  }
  return files;
}

/// Makes the rows of one delete file at a time. Immutable, and thread-safe.
class PositionDeleteRows {
 public:
  PositionDeleteRows(const iceberg::Table& table, const MetadataScope& scope);

  size_t size() const { return files_.size(); }
  Schema schema() const;
  void Add(size_t part, RowBuilder& rows) const;

 private:
  void AddVector(const PositionDeletes& deletes, RowBuilder& rows) const;
  void AddFile(const PositionDeletes& deletes, RowBuilder& rows) const;
  /// Everything but `pos` and `row`.
  Value::List FileValues(const PositionDeletes& deletes, std::span<const Field> columns) const;

  iceberg::Table table_;
  MergedPartitions partitions_;
  Type partition_type_;
  Type row_type_;
  std::vector<PositionDeletes> files_;
};

PositionDeleteRows::PositionDeleteRows(const iceberg::Table& table, const MetadataScope& scope)
    : table_(table),
      partitions_(iceberg::MergedPartitionsOf(*table.metadata)),
      partition_type_(WithFreeIds(partitions_.type(), *table.metadata)),
      row_type_(Type::Struct(WithoutVariants(table.metadata->current_schema().fields()))),
      files_(PositionDeletesOf(table, scope.snapshot)) {}

Schema PositionDeleteRows::schema() const {
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

Value::List PositionDeleteRows::FileValues(const PositionDeletes& deletes,
                                           std::span<const Field> columns) const {
  const DataFile& file = deletes.file;
  Value::List values;
  for (const Field& column : columns) {
    switch (column.id) {
      case kDeletePathColumnId:
        values.push_back(BytesOrNull(file.referenced_data_file));
        break;
      case kPartitionColumnId:
        values.push_back(PruneValue(partition_type_, column.type,
                                    partitions_.Project(deletes.spec, file.partition.span())));
        break;
      case kSpecIdColumnId:
        values.push_back(Value::Integer(file.partition_spec_id));
        break;
      case kFileColumnId:
        values.push_back(Value::Bytes(file.file_path));
        break;
      case kContentOffsetId:
        values.push_back(IntegerOrNull(file.content_offset));
        break;
      case kContentSizeId:
        values.push_back(IntegerOrNull(file.content_size_in_bytes));
        break;
      default:
        values.emplace_back();
    }
  }
  return values;
}

void PositionDeleteRows::Add(size_t part, RowBuilder& rows) const {
  const PositionDeletes& deletes = files_[part];
  if (deletes.file.is_deletion_vector()) {
    AddVector(deletes, rows);
  } else {
    AddFile(deletes, rows);
  }
}

void PositionDeleteRows::AddVector(const PositionDeletes& deletes, RowBuilder& rows) const {
  if (!deletes.file.referenced_data_file) {
    ThrowInvalid(deletes.file.file_path + ": a deletion vector without referenced_data_file");
  }
  const Context context;
  const Value::List values = FileValues(deletes, rows.columns());
  const iceberg::PositionSet positions = ReadDeletionVector(*table_.io, context, deletes.file);
  positions.ForEach([&](int64_t position) {
    for (size_t i = 0; i < values.size(); ++i) {
      const Field& column = rows.columns()[i];
      AppendValue(column.type,
                  column.id == kDeletePositionColumnId ? Value::Integer(position) : values[i],
                  rows.column(i));
    }
    rows.EndRow();
  });
}

void PositionDeleteRows::AddFile(const PositionDeletes& deletes, RowBuilder& rows) const {
  std::optional<Type> row_type;
  for (const Field& column : rows.columns()) {
    if (column.id == kDeletedRowColumnId) row_type = column.type;
  }
  const Context context;
  const ReadRequest request = PositionDeleteRequest({}, row_type);
  const Value::List values = FileValues(deletes, rows.columns());
  DataFileStream stream = OpenPositionDeletes(*table_.io, context, request, deletes.file);
  while (const std::shared_ptr<arrow::RecordBatch> batch = stream.Next()) {
    for (int64_t row = 0; row < batch->num_rows(); ++row) {
      for (size_t i = 0; i < values.size(); ++i) {
        const Field& column = rows.columns()[i];
        const auto at =
            std::find_if(request.projection.fields().begin(), request.projection.fields().end(),
                         [&](const Field& field) { return field.id == column.id; });
        if (at == request.projection.fields().end()) {
          AppendValue(column.type, values[i], rows.column(i));
          continue;
        }
        const auto index = static_cast<int>(at - request.projection.fields().begin());
        CheckOk(rows.column(i).AppendArraySlice(*batch->column(index)->data(), row, 1));
      }
      rows.EndRow();
    }
  }
}

}  // namespace

MetadataTable PositionDeletesTable(const iceberg::Table& table, const MetadataScope& scope) {
  const auto deletes = std::make_shared<const PositionDeleteRows>(table, scope);
  return {.schema = deletes->schema(),
          .parts = deletes->size(),
          .produce = [deletes](size_t part, RowBuilder& rows) { deletes->Add(part, rows); }};
}

}  // namespace nunatak
