#include "nunatak/read/open_data_file.h"

#include <arrow/array.h>
#include <arrow/buffer.h>
#include <arrow/compute/api_vector.h>
#include <arrow/datum.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/util/bit_util.h>

#include <algorithm>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/compute.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/open_parquet.h"
#include "nunatak/read/project/project_column.h"
#include "nunatak/read/project/resolve.h"
#include "nunatak/read/row_filter.h"
#include "nunatak/read/select_fields.h"

namespace nunatak {

namespace {

/// The row groups whose first byte lies in the task's range; all, when the task is the whole file.
std::vector<int> RowGroupsIn(const FileScanTask& task, const ParquetFile& file) {
  const bool whole =
      task.start == 0 && (task.length <= 0 || task.length >= task.data_file->file_size_in_bytes);
  std::vector<int> groups;
  for (size_t i = 0; i < file.row_groups().size(); ++i) {
    const ParquetFile::RowGroup& group = file.row_groups()[i];
    const bool inside = group.start >= task.start && group.start - task.start < task.length;
    if (group.rows > 0 && (whole || inside)) groups.push_back(static_cast<int>(i));
  }
  return groups;
}

/// The columns that a filter needs in addition to those of the projection, and where all of the
/// filter's are.
struct FilterColumns {
  std::vector<Field> extra;
  std::vector<FieldPath> paths;
};

FilterColumns FindFilterColumns(const ReadRequest& request, const BoundFilter& filter) {
  FilterColumns result;
  for (const BoundFilter::Column& column : filter.columns) {
    FieldPath path;
    if (!FindPath(request.schema, column.field_id, request.projection.fields(), &path)) {
      if (request.schema.PathTo(column.field_id).empty()) {
        ThrowUsage("the filter's column " + column.name + " is not in the schema");
      }
      const Field field = PruneToField(request.schema, column.field_id);
      FindPath(request.schema, column.field_id, std::span(&field, 1), &path);
      path.column = request.projection.fields().size() + result.extra.size();
      result.extra.push_back(field);
    }
    result.paths.push_back(std::move(path));
  }
  return result;
}

/// The rows of a batch that are not dropped; null when there is none.
std::shared_ptr<arrow::RecordBatch> Keep(std::shared_ptr<arrow::RecordBatch> batch,
                                         std::span<const uint8_t> dropped) {
  const auto count = std::count(dropped.begin(), dropped.end(), uint8_t{0});
  if (count == 0) return nullptr;
  if (count == batch->num_rows()) return batch;
  if (batch->num_columns() == 0) {
    return arrow::RecordBatch::Make(batch->schema(), count, arrow::ArrayVector{});
  }
  InitializeCompute();
  const std::shared_ptr<arrow::Buffer> bits =
      ValueOrThrow(arrow::AllocateEmptyBitmap(batch->num_rows()));
  for (size_t i = 0; i < dropped.size(); ++i) {
    if (!dropped[i]) arrow::bit_util::SetBit(bits->mutable_data(), static_cast<int64_t>(i));
  }
  const auto mask = std::make_shared<arrow::BooleanArray>(batch->num_rows(), bits);
  return ValueOrThrow(arrow::compute::Filter(batch, mask)).record_batch();
}

}  // namespace

class OpenDataFile::Impl {
 public:
  Impl(OpenedParquet opened, const ReadRequest& request, const FileScanTask& task,
       std::shared_ptr<const iceberg::PositionSet> deleted)
      : location_(task.data_file->file_path),
        parquet_(std::move(opened.file)),
        tail_offset_(opened.tail_offset),
        tail_(std::move(opened.tail)),
        schema_(ArrowSchemaOf(request.projection)),
        deleted_(std::move(deleted)),
        window_bytes_(request.options.window_bytes),
        groups_(RowGroupsIn(task, parquet_)) {
    ResolveColumns(request, task);
    if (task.residual != nullptr && task.residual->is_false()) groups_.clear();
    StartWindow();
  }

  bool done() const { return next_group_ == groups_.size() && !in_window_; }
  const std::vector<ByteRange>& needed() const { return needed_; }

  void Fill(std::vector<Buffer> buffers) {
    for (size_t i = 0; i < needed_.size(); ++i) {
      parquet_.Fill(needed_[i].offset, std::move(buffers.at(i)));
    }
    needed_.clear();
  }

  std::shared_ptr<arrow::RecordBatch> Next() {
    return WithContext(location_, [&]() -> std::shared_ptr<arrow::RecordBatch> {
      while (in_window_) {
        const std::shared_ptr<arrow::RecordBatch> decoded = NextDecoded();
        if (decoded == nullptr) break;
        if (auto batch = Surviving(*decoded)) return batch;
      }
      return nullptr;
    });
  }

 private:
  void ResolveColumns(const ReadRequest& request, const FileScanTask& task) {
    ColumnResolver resolver(request, task, parquet_.fields());
    plans_ = resolver.Resolve(request.projection.fields());
    if (task.residual != nullptr && !task.residual->is_true()) {
      FilterColumns columns = FindFilterColumns(request, *task.residual);
      for (ColumnPlan& plan : resolver.Resolve(columns.extra)) plans_.push_back(std::move(plan));
      filter_ = std::make_unique<RowFilter>(task.residual, std::move(columns.paths));
    }
    parquet_.FinishSelection();
    FinishPlans(parquet_.fields(), plans_);
  }

  /// Chooses the groups of the next window and what of them is not here yet.
  void StartWindow() {
    window_end_ = next_group_;
    needed_.clear();
    int64_t bytes = 0;
    while (window_end_ < groups_.size()) {
      const std::vector<ByteRange> ranges = parquet_.RangesOf(groups_[window_end_]);
      for (const ByteRange& range : ranges) bytes += range.length;
      if (window_end_ > next_group_ && bytes > window_bytes_) break;
      for (const ByteRange& range : ranges) AddNeeded(range);
      ++window_end_;
    }
    in_window_ = window_end_ > next_group_;
    in_group_ = false;
  }

  void AddNeeded(const ByteRange& range) {
    if (range.offset >= tail_offset_) {
      const auto start = static_cast<size_t>(range.offset - tail_offset_);
      const auto length = static_cast<size_t>(range.length);
      if (start <= tail_.size() && length <= tail_.size() - start) {
        parquet_.Fill(range.offset, Buffer{tail_.bytes.subspan(start, length), tail_.owner});
        return;
      }
    }
    needed_.push_back(range);
  }

  /// Null at the end of the window, which is then given up for the next.
  std::shared_ptr<arrow::RecordBatch> NextDecoded() {
    for (;;) {
      if (in_group_) {
        if (auto batch = parquet_.NextBatch()) return batch;
        in_group_ = false;
        ++next_group_;
      }
      if (next_group_ == window_end_) {
        parquet_.Release();
        StartWindow();
        return nullptr;
      }
      const int group = groups_[next_group_];
      parquet_.StartRowGroup(group);
      next_row_ = parquet_.row_groups()[static_cast<size_t>(group)].first_row;
      in_group_ = true;
    }
  }

  std::shared_ptr<arrow::RecordBatch> Surviving(const arrow::RecordBatch& decoded) {
    std::vector<uint8_t> dropped(static_cast<size_t>(decoded.num_rows()), 0);
    if (deleted_ != nullptr) deleted_->MarkRange(next_row_, dropped);
    next_row_ += decoded.num_rows();
    if (std::find(dropped.begin(), dropped.end(), 0) == dropped.end()) return nullptr;
    arrow::ArrayVector columns;
    for (const ColumnPlan& plan : plans_) columns.push_back(ProjectColumn(plan, decoded));
    if (filter_ != nullptr) filter_->Apply(columns, dropped);
    columns.resize(static_cast<size_t>(schema_->num_fields()));
    return Keep(arrow::RecordBatch::Make(schema_, decoded.num_rows(), std::move(columns)), dropped);
  }

  std::string location_;
  ParquetFile parquet_;
  int64_t tail_offset_;
  Buffer tail_;
  std::shared_ptr<arrow::Schema> schema_;
  std::shared_ptr<const iceberg::PositionSet> deleted_;
  int64_t window_bytes_;
  /// The row groups of the task; the window is [next_group_, window_end_) of them.
  std::vector<int> groups_;
  size_t next_group_ = 0;
  size_t window_end_ = 0;
  bool in_window_ = false;
  bool in_group_ = false;
  std::vector<ByteRange> needed_;
  /// The projection's columns, then those of the filter alone.
  std::vector<ColumnPlan> plans_;
  /// Null when every row passes.
  std::unique_ptr<RowFilter> filter_;
  /// The position in the file of the next decoded row.
  int64_t next_row_ = 0;
};

OpenDataFile::OpenDataFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
OpenDataFile::~OpenDataFile() = default;
OpenDataFile::OpenDataFile(OpenDataFile&&) noexcept = default;
OpenDataFile& OpenDataFile::operator=(OpenDataFile&&) noexcept = default;

bool OpenDataFile::done() const { return impl_->done(); }
std::vector<ByteRange> OpenDataFile::Needed() const { return impl_->needed(); }
void OpenDataFile::Fill(std::vector<Buffer> buffers) { impl_->Fill(std::move(buffers)); }

std::shared_ptr<arrow::RecordBatch> OpenDataFile::Next() { return impl_->Next(); }

OpenDataFile OpenTask(FileIO& io, const Context& context, const ReadRequest& request,
                      const FileScanTask& task,
                      std::shared_ptr<const iceberg::PositionSet> deleted) {
  const DataFile& file = *task.data_file;
  OpenedParquet opened = OpenParquet(io, context, file.file_path, file.file_size_in_bytes,
                                     {.batch_size = request.options.batch_size,
                                      .batch_bytes = request.options.batch_bytes,
                                      .verify_crc = request.options.verify_crc});
  return WithContext(file.file_path, [&] {
    return OpenDataFile(
        std::make_unique<OpenDataFile::Impl>(std::move(opened), request, task, std::move(deleted)));
  });
}

}  // namespace nunatak
