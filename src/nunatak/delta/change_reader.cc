#include "nunatak/delta/change_reader.h"

#include <arrow/array.h>
#include <arrow/array/builder_binary.h>
#include <arrow/array/util.h>
#include <arrow/record_batch.h>
#include <arrow/scalar.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/delta/change_plan.h"
#include "nunatak/delta/version_times.h"
#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/file_change_rows.h"
#include "nunatak/read/keep_rows.h"
#include "nunatak/read/read_columns.h"
#include "nunatak/read/row_filter.h"
#include "nunatak/read/row_limit.h"
#include "nunatak/read/table_reader.h"
#include "nunatak/table/change_columns.h"
#include "nunatak/table/metadata_columns.h"

namespace nunatak::delta {

namespace {

/// Beside the reserved ids of other formats' columns.
constexpr int32_t kVersionColumnId = kCommitSnapshotColumnId;
constexpr int32_t kTimestampColumnId = 2147483447;

Field MakeField(int32_t id, const char* name, const Type& type) {
  return {.id = id, .name = name, .required = true, .type = type};
}

bool IsVersionColumn(int32_t id) {
  return id == kChangeTypeColumnId || id == kVersionColumnId || id == kTimestampColumnId;
}

std::shared_ptr<arrow::Array> TypesOf(const std::vector<RowMark>& marks) {
  arrow::StringBuilder builder;
  for (const RowMark& mark : marks) CheckOk(builder.Append(ToString(mark.type)));
  return ValueOrThrow(builder.Finish());
}

/// Rows as they were read, and the change of each.
struct Rows {
  std::shared_ptr<arrow::RecordBatch> batch;
  std::shared_ptr<arrow::Array> types;
};

class RowSource {
 public:
  virtual ~RowSource() = default;
  /// Nullopt at the end.
  virtual std::optional<Rows> Next() = 0;
};

/// Files whose last column says what happened to each row.
class WrittenRows final : public RowSource {
 public:
  WrittenRows(const SideRequest& request, std::vector<FileScanTask> tasks)
      : reader_(request.io, request.context, WithType(request.read), std::move(tasks)) {}

  std::optional<Rows> Next() override {
    const std::shared_ptr<arrow::RecordBatch> batch = reader_.Next();
    if (batch == nullptr) return std::nullopt;
    const int last = batch->num_columns() - 1;
    return Rows{ValueOrThrow(batch->RemoveColumn(last)), batch->column(last)};
  }

 private:
  static ReadRequest WithType(ReadRequest request) {
    const Field type = MakeField(kChangeTypeColumnId, "_change_type", TypeId::kString);
    std::vector<Field> fields(request.projection.fields().begin(),
                              request.projection.fields().end());
    fields.push_back(type);
    request.projection = Schema(0, std::move(fields));
    request.name_mapping->fields.push_back(
        {.field_id = type.id, .names = {type.name}, .fields = {}});
    return request;
  }

  TableReader reader_;
};

/// The rows of files that were added, removed or got other deletes.
class DerivedRows final : public RowSource {
 public:
  DerivedRows(const SideRequest& request, std::vector<iceberg::FileChange> files) {
    const ChangedFiles changed = PartChanges(request, std::move(files));
    std::vector<std::unique_ptr<ChangedRowsStream>> sides;
    sides.push_back(ReadDeletedRows(request, changed));
    sides.push_back(ReadInsertedRows(request, changed));
    rows_ = OneAfterOther(std::move(sides));
  }

  std::optional<Rows> Next() override {
    std::optional<ChangedRows> rows = rows_->Next();
    if (!rows) return std::nullopt;
    return Rows{std::move(rows->batch), TypesOf(rows->marks)};
  }

 private:
  std::unique_ptr<ChangedRowsStream> rows_;
};

}  // namespace

Schema WithVersionColumns(const Schema& schema) {
  std::vector<Field> fields(schema.fields().begin(), schema.fields().end());
  for (const Field& field :
       {MakeField(kChangeTypeColumnId, "_change_type", TypeId::kString),
        MakeField(kVersionColumnId, "_commit_version", TypeId::kLong),
        MakeField(kTimestampColumnId, "_commit_timestamp", TypeId::kTimestampTz)}) {
    if (schema.FindField(field.name, /*case_sensitive=*/true) != nullptr) {
      ThrowUnsupported(fmt::format("the table has a column {}, as changes have", field.name));
    }
    fields.push_back(field);
  }
  return Schema(schema.schema_id(), std::move(fields));
}

class ChangeReader::Impl {
 public:
  Impl(Table table, Context context, std::shared_ptr<const Snapshot> last, ChangeRequest request)
      : table_(std::move(table)),
        context_(std::move(context)),
        last_(std::move(last)),
        times_(table_, *last_),
        schema_(ArrowSchemaOf(request.projection)),
        limit_(request.options.limit),
        columns_(request.projection.fields().begin(), request.projection.fields().end()),
        next_(request.from_exclusive ? *request.from_exclusive + 1 : FirstVersion()) {
    RequireCommits();
    ReadColumns read(request.projection.fields());
    std::vector<FieldPath> paths;
    const Schema changes = WithVersionColumns(last_->schema());
    for (const BoundFilter::Column& column : request.filter.columns) {
      paths.push_back(read.Require(changes, column.field_id));
    }
    columns_.insert(columns_.end(), read.added().begin(), read.added().end());
    if (!request.filter.is_true()) {
      filter_.emplace(std::make_shared<const BoundFilter>(std::move(request.filter)),
                      std::move(paths));
    }
    side_.io = table_.io;
    side_.context = context_;
    side_.read = ReadRequestOf(*last_, last_->schema());
    side_.read.options = request.options;
    side_.read.options.limit = -1;
    side_.read.projection = Schema(0, FileColumns());
  }

  const std::shared_ptr<arrow::Schema>& schema() const { return schema_; }

  std::shared_ptr<arrow::RecordBatch> Next() {
    while (!limit_.reached()) {
      context_.CheckStop();
      if (source_ == nullptr && !OpenNext()) return nullptr;
      const std::optional<Rows> rows = source_->Next();
      if (!rows) {
        source_.reset();
        continue;
      }
      if (auto batch = Finish(*rows)) return limit_.Cut(std::move(batch));
    }
    return nullptr;
  }

 private:
  /// The first version whose commit is there; those before it can only be seen together.
  int64_t FirstVersion() const {
    const auto& commits = table_.log->commits();
    return commits.empty() ? last_->version : commits.begin()->first;
  }

  void RequireCommits() const {
    for (int64_t version = next_; version <= last_->version; ++version) {
      if (table_.log->FindCommit(version) != nullptr) continue;
      const int64_t first = FirstVersion();
      throw Error(ErrorCode::kNotFound,
                  fmt::format("what version {} changed is not known any more: its commit was "
                              "cleaned up",
                              version),
                  fmt::format("the oldest commit is that of version {}", first));
    }
  }

  std::vector<Field> FileColumns() const {
    std::vector<Field> fields;
    for (const Field& field : columns_) {
      if (!IsVersionColumn(field.id)) fields.push_back(field);
    }
    return fields;
  }

  bool OpenNext() {
    if (next_ > last_->version) return false;
    version_ = next_++;
    timestamp_us_ = times_.Of(version_) * 1000;
    VersionChanges changes = PlanChanges(table_, *last_, version_);
    if (changes.written.empty()) {
      source_ = std::make_unique<DerivedRows>(side_, std::move(changes.files));
    } else {
      source_ = std::make_unique<WrittenRows>(side_, std::move(changes.written));
    }
    return true;
  }

  std::shared_ptr<arrow::Array> Repeated(const std::shared_ptr<arrow::DataType>& type,
                                         int64_t value, int64_t rows) const {
    return ValueOrThrow(
        arrow::MakeArrayFromScalar(*ValueOrThrow(arrow::MakeScalar(type, value)), rows));
  }

  std::shared_ptr<arrow::RecordBatch> Finish(const Rows& rows) const {
    const int64_t count = rows.batch->num_rows();
    arrow::ArrayVector columns;
    int from_file = 0;
    for (const Field& field : columns_) {
      if (field.id == kChangeTypeColumnId) {
        columns.push_back(rows.types);
      } else if (field.id == kVersionColumnId) {
        columns.push_back(Repeated(arrow::int64(), version_, count));
      } else if (field.id == kTimestampColumnId) {
        columns.push_back(Repeated(ArrowTypeOf(field.type), timestamp_us_, count));
      } else {
        columns.push_back(rows.batch->column(from_file++));
      }
    }
    std::vector<uint8_t> dropped(static_cast<size_t>(count), 0);
    if (filter_) filter_->Apply(columns, dropped);
    columns.resize(static_cast<size_t>(schema_->num_fields()));
    return KeepRows(arrow::RecordBatch::Make(schema_, count, std::move(columns)), dropped);
  }

  Table table_;
  Context context_;
  std::shared_ptr<const Snapshot> last_;
  VersionTimes times_;
  std::shared_ptr<arrow::Schema> schema_;
  RowLimit limit_;
  /// Those of the projection, then those that only the filter looks at.
  std::vector<Field> columns_;
  std::optional<RowFilter> filter_;
  SideRequest side_;
  int64_t next_;
  int64_t version_ = 0;
  int64_t timestamp_us_ = 0;
  std::unique_ptr<RowSource> source_;
};

ChangeReader::ChangeReader(const Table& table, Context context,
                           std::shared_ptr<const Snapshot> last, ChangeRequest request)
    : impl_(
          std::make_unique<Impl>(table, std::move(context), std::move(last), std::move(request))) {}
ChangeReader::~ChangeReader() = default;
ChangeReader::ChangeReader(ChangeReader&&) noexcept = default;
ChangeReader& ChangeReader::operator=(ChangeReader&&) noexcept = default;

const std::shared_ptr<arrow::Schema>& ChangeReader::schema() const { return impl_->schema(); }
std::shared_ptr<arrow::RecordBatch> ChangeReader::Next() { return impl_->Next(); }

}  // namespace nunatak::delta
