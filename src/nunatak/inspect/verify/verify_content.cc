#include "nunatak/inspect/verify/verify_content.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>

#include <set>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/past_schemas.h"
#include "nunatak/inspect/verify/verify_columns.h"
#include "nunatak/inspect/verify/verify_layout.h"
#include "nunatak/inspect/verify/verify_position_deletes.h"
#include "nunatak/inspect/verify/verify_rows.h"
#include "nunatak/read/data_file_stream.h"
#include "nunatak/read/open_data_file.h"
#include "nunatak/read/position_delete_file.h"

namespace nunatak {

namespace {

/// Collects top-level fields, each once by id. Of two with the same name, the later one has its id
/// in its name here.
class FieldCollector {
 public:
  void Add(Field field) {
    if (!ids_.insert(field.id).second) return;
    if (!names_.insert(field.name).second) field.name += fmt::format("#{}", field.id);
    fields_.push_back(std::move(field));
  }
  /// The top-level field that has a field of the newest schema with it.
  void AddWith(const iceberg::TableMetadata& metadata, int32_t id) {
    const std::optional<Schema> schema = iceberg::PastSchemaWith(metadata, id);
    if (!schema) return;
    Field field = *schema->FindField(schema->PathTo(id).front());
    field.required = false;
    Add(std::move(field));
  }
  std::vector<Field> Take() { return std::move(fields_); }

 private:
  std::set<int32_t> ids_;
  std::set<std::string> names_;
  std::vector<Field> fields_;
};

/// What to read of a data or equality delete file: all columns of the current schema, or those that
/// are compared by, and those that it has metrics of.
Schema SchemaToRead(const iceberg::TableMetadata& metadata, const DataFile& file) {
  FieldCollector fields;
  if (file.is_data()) {
    for (const Field& field : metadata.current_schema().fields()) fields.Add(field);
  }
  if (file.equality_ids) {
    for (const int32_t id : *file.equality_ids) fields.AddWith(metadata, id);
  }
  for (const ColumnMetrics& metrics : file.metrics) {
    fields.AddWith(metadata, metrics.field_id);
  }
  return Schema(0, fields.Take());
}

ReadRequest RequestFor(const ContentScope& scope, const DataFile& file) {
  const ScanOptions options = {.verify_crc = true};
  if (file.is_position_delete()) return PositionDeleteRequest(options);
  const Schema schema = SchemaToRead(scope.facts.metadata(), file);
  return {.schema = schema,
          .projection = schema,
          .name_mapping = scope.name_mapping,
          .options = options};
}

/// Everything that is held against the rows of one file.
class RowChecks {
 public:
  RowChecks(const ContentScope& scope, const DataFile& file, const Schema& schema,
            const PartitionSpec& spec)
      : file_(file) {
    for (const ColumnMetrics& metrics : file.metrics) AddTally(scope.facts, metrics, schema);
    if (file.is_position_delete()) {
      positions_.emplace(scope.rows_of);
      return;
    }
    const SortOrder* order =
        file.sort_order_id ? scope.facts.metadata().FindSortOrder(*file.sort_order_id) : nullptr;
    if (order) sorting_.emplace(*order, schema);
    if (file.is_data()) partition_.emplace(spec, file, schema);
  }

  void Add(const arrow::RecordBatch& batch) {
    const arrow::ArrayVector& columns = batch.columns();
    for (ColumnTally& tally : tallies_) tally.Add(columns, batch.num_rows(), rows_);
    if (sorting_) sorting_->Add(columns, batch.num_rows(), rows_);
    if (partition_) partition_->Add(columns, batch.num_rows(), rows_);
    if (positions_) positions_->Add(batch, rows_);
    rows_ += batch.num_rows();
  }

  void Report(FileReport* report) const {
    if (rows_ != file_.record_count) {
      report->Add(
          Check::kRecordCount, "record_count", Compared(file_.record_count, rows_),
          fmt::format("the table records {} rows, the file has {}", file_.record_count, rows_));
    }
    for (const ColumnTally& tally : tallies_) tally.Report(report);
    if (sorting_) sorting_->Report(report);
    if (partition_) partition_->Report(report);
    if (positions_) positions_->Report(report);
  }

  int64_t rows() const { return rows_; }

 private:
  void AddTally(const TableFacts& facts, const ColumnMetrics& metrics, const Schema& schema) {
    const FieldFacts* field = facts.FindField(metrics.field_id);
    FieldPath path;
    if (!field || field->repeated || field->type.is_nested()) return;
    if (!FindPath(schema, metrics.field_id, schema.fields(), &path)) return;
    tallies_.emplace_back(metrics, *field, std::move(path));
  }

  const DataFile& file_;
  std::vector<ColumnTally> tallies_;
  std::optional<SortChecker> sorting_;
  std::optional<PartitionChecker> partition_;
  std::optional<PositionDeleteChecker> positions_;
  int64_t rows_ = 0;
};

int64_t CheckRows(const ContentScope& scope, const DataFile& file, FileReport* report) {
  const SpecFacts* spec = scope.facts.FindSpec(file.partition_spec_id);
  if (!spec) return 0;
  const ReadRequest request = RequestFor(scope, file);
  FileScanTask task;
  task.data_file = std::make_shared<const DataFile>(file);
  task.spec = std::make_shared<const PartitionSpec>(spec->spec);
  RowChecks checks(scope, file, request.schema, spec->spec);
  DataFileStream rows(*scope.table.io, scope.context, file.file_path,
                      OpenTask(*scope.table.io, scope.context, request, task, {}));
  while (const std::shared_ptr<arrow::RecordBatch> batch = rows.Next()) checks.Add(*batch);
  checks.Report(report);
  return checks.rows();
}

}  // namespace

int64_t CheckContent(const ContentScope& scope, const DataFile& file, FileReport* report) {
  try {
    if (file.is_deletion_vector()) {
      CheckDeletionVector(scope, file, report);
      return 0;
    }
    CheckLayout(scope, file, report);
    return CheckRows(scope, file, report);
  } catch (const Error& error) {
    // That a file is missing was found before it was opened.
    if (!scope.table.io->Exists(file.file_path)) return 0;
    if (error.code() == ErrorCode::kUnsupported) {
      report->Add(Check::kNotChecked, "", {}, error.message());
    } else if (error.code() == ErrorCode::kInvalid) {
      report->Add(Check::kUnreadable, "", {}, error.message());
    } else {
      throw;
    }
    return 0;
  }
}

}  // namespace nunatak
