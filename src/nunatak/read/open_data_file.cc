#include "nunatak/read/open_data_file.h"

#include <arrow/array.h>
#include <arrow/buffer.h>
#include <arrow/compute/api_vector.h>
#include <arrow/datum.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/util/bit_util.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/compute.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/decode/file_decoder.h"
#include "nunatak/read/open_decoder.h"
#include "nunatak/read/project/project_column.h"
#include "nunatak/read/project/resolve.h"
#include "nunatak/read/row_filter.h"
#include "nunatak/read/section_filter.h"
#include "nunatak/read/select_fields.h"

namespace nunatak {

namespace {

/// The part of the file that the task covers: nothing, when no row can pass its residual.
std::optional<ByteRange> RangeOf(const FileScanTask& task) {
  if (task.residual != nullptr && task.residual->is_false()) return ByteRange{};
  const bool whole =
      task.start == 0 && (task.length <= 0 || task.length >= task.data_file->file_size_in_bytes);
  if (whole) return std::nullopt;
  return ByteRange{task.start, task.length};
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
  Impl(std::unique_ptr<FileDecoder> decoder, const ReadRequest& request, const FileScanTask& task,
       std::shared_ptr<const iceberg::PositionSet> deleted)
      : location_(task.data_file->file_path),
        decoder_(std::move(decoder)),
        schema_(ArrowSchemaOf(request.projection)),
        deleted_(std::move(deleted)) {
    ResolveColumns(request, task);
    FilePart part{.range = RangeOf(task), .needs_positions = deleted_ != nullptr};
    if (filter_ != nullptr && request.options.prune) {
      part.may_match =
          MakeSectionFilter(task.residual, filter_->paths(), plans_, decoder_->fields());
    }
    decoder_->Start(part);
    FinishPlans(decoder_->fields(), plans_);
  }

  bool done() const { return decoder_->done(); }
  const std::vector<ByteRange>& needed() const { return decoder_->needed(); }
  void Fill(std::vector<Buffer> buffers) { decoder_->Fill(std::move(buffers)); }

  std::shared_ptr<arrow::RecordBatch> Next() {
    return WithContext(location_, [&]() -> std::shared_ptr<arrow::RecordBatch> {
      for (;;) {
        const DecodedRows rows = decoder_->Next();
        if (rows.batch == nullptr) return nullptr;
        if (auto batch = Surviving(rows)) return batch;
      }
    });
  }

 private:
  void ResolveColumns(const ReadRequest& request, const FileScanTask& task) {
    ColumnResolver resolver(request, task, decoder_->fields());
    plans_ = resolver.Resolve(request.projection.fields());
    if (task.residual != nullptr && !task.residual->is_true()) {
      FilterColumns columns = FindFilterColumns(request, *task.residual);
      for (ColumnPlan& plan : resolver.Resolve(columns.extra)) plans_.push_back(std::move(plan));
      filter_ = std::make_unique<RowFilter>(task.residual, std::move(columns.paths));
    }
  }

  std::shared_ptr<arrow::RecordBatch> Surviving(const DecodedRows& rows) {
    const arrow::RecordBatch& decoded = *rows.batch;
    std::vector<uint8_t> dropped(static_cast<size_t>(decoded.num_rows()), 0);
    if (deleted_ != nullptr) deleted_->MarkRange(rows.first_row, dropped);
    if (std::find(dropped.begin(), dropped.end(), 0) == dropped.end()) return nullptr;
    arrow::ArrayVector columns;
    for (const ColumnPlan& plan : plans_) columns.push_back(ProjectColumn(plan, decoded));
    if (filter_ != nullptr) filter_->Apply(columns, dropped);
    columns.resize(static_cast<size_t>(schema_->num_fields()));
    return Keep(arrow::RecordBatch::Make(schema_, decoded.num_rows(), std::move(columns)), dropped);
  }

  std::string location_;
  std::unique_ptr<FileDecoder> decoder_;
  std::shared_ptr<arrow::Schema> schema_;
  std::shared_ptr<const iceberg::PositionSet> deleted_;
  /// The projection's columns, then those of the filter alone.
  std::vector<ColumnPlan> plans_;
  /// Null when every row passes.
  std::unique_ptr<RowFilter> filter_;
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
  const ScanOptions& options = request.options;
  std::unique_ptr<FileDecoder> decoder = OpenDecoder(io, context, *task.data_file,
                                                     {.batch_size = options.batch_size,
                                                      .batch_bytes = options.batch_bytes,
                                                      .window_bytes = options.window_bytes,
                                                      .verify_crc = options.verify_crc});
  return WithContext(task.data_file->file_path, [&] {
    return OpenDataFile(std::make_unique<OpenDataFile::Impl>(std::move(decoder), request, task,
                                                             std::move(deleted)));
  });
}

}  // namespace nunatak
