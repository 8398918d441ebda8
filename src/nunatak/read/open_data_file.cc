#include "nunatak/read/open_data_file.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/decode/file_decoder.h"
#include "nunatak/read/decode/pages/pack_bits.h"
#include "nunatak/read/decode/select_rows.h"
#include "nunatak/read/fetch_ranges.h"
#include "nunatak/read/key_filter.h"
#include "nunatak/read/open_decoder.h"
#include "nunatak/read/project/project_column.h"
#include "nunatak/read/project/resolve.h"
#include "nunatak/read/read_columns.h"
#include "nunatak/read/row_filter.h"
#include "nunatak/read/section_filter.h"

namespace nunatak {

namespace {

/// Fewer values are decoded sooner than another thread is woken.
constexpr int64_t kCellsAtOnce = 32768;

/// The part of the file that the task covers: nothing, when no row can pass its residual.
std::optional<ByteRange> RangeOf(const FileScanTask& task) {
  if (task.residual != nullptr && task.residual->is_false()) return ByteRange{};
  const bool whole =
      task.start == 0 && (task.length <= 0 || task.length >= task.data_file->file_size_in_bytes);
  if (whole) return std::nullopt;
  return ByteRange{task.start, task.length};
}

/// Where the columns of a filter lie; adds what `columns` lacks of them.
std::vector<FieldPath> RequireFilterColumns(const BoundFilter& filter, const Schema& schema,
                                            ReadColumns* columns) {
  std::vector<FieldPath> paths;
  for (const BoundFilter::Column& column : filter.columns) {
    if (schema.FindField(column.field_id) == nullptr) {
      ThrowUsage("the filter's column " + column.name + " is not in the schema");
    }
    paths.push_back(columns->Require(schema, column.field_id));
  }
  return paths;
}

}  // namespace

using FetchPart = std::function<std::vector<Buffer>(std::span<const ByteRange>)>;

class OpenDataFile::Impl {
 public:
  Impl(std::unique_ptr<FileDecoder> decoder, const Context& context, const ReadRequest& request,
       const FileScanTask& task, TaskDeletes deletes, FetchPart fetch)
      : location_(task.data_file->file_path),
        context_(context),
        decoder_(std::move(decoder)),
        schema_(ArrowSchemaOf(request.projection)),
        deleted_(std::move(deletes.positions)),
        with_deleted_(request.with_deleted) {
    ResolveColumns(request, task, std::move(deletes.keys));
    FilePart part{.range = RangeOf(task), .needs_positions = NeedsPositions()};
    if (filter_ != nullptr && request.options.prune) {
      part.filter = MakeSectionFilter(task.residual, filter_->paths(), plans_, decoder_->fields());
      part.fetch = std::move(fetch);
      part.on_pages = request.on_pages;
    }
    part.on_section = request.on_section;
    decoder_->Start(part);
    FinishPlans(decoder_->fields(), plans_);
  }

  bool done() const { return decoder_->done(); }
  const std::vector<ByteRange>& needed() const { return decoder_->needed(); }
  void Fill(std::vector<Buffer> buffers) { decoder_->Fill(std::move(buffers)); }

  std::shared_ptr<arrow::RecordBatch> Next() {
    return WithContext(location_, [&]() -> std::shared_ptr<arrow::RecordBatch> {
      for (;;) {
        const RowSpan rows = decoder_->Next();
        if (rows.count == 0) return nullptr;
        if (auto batch = Surviving(rows)) return batch;
      }
    });
  }

 private:
  void ResolveColumns(const ReadRequest& request, const FileScanTask& task,
                      std::vector<KeyDeletes> deletes) {
    ReadColumns columns(request.projection.fields());
    for (KeyDeletes& keys : deletes) key_filters_.emplace_back(std::move(keys), &columns);
    if (task.residual != nullptr && !task.residual->is_true()) {
      filter_ = std::make_unique<RowFilter>(
          task.residual, RequireFilterColumns(*task.residual, request.schema, &columns));
    }
    ColumnResolver resolver(request, task, decoder_->fields());
    plans_ = resolver.Resolve(request.projection.fields());
    for (ColumnPlan& plan : resolver.Resolve(columns.added())) plans_.push_back(std::move(plan));
    with_deleted_ =
        with_deleted_ || std::any_of(plans_.begin(), plans_.end(),
                                     [](const auto& plan) { return plan.marks_deleted; });
    for (const KeyFilter& keys : key_filters_) AddTested(keys.paths());
    if (filter_ != nullptr) AddTested(filter_->paths());
  }

  void AddTested(std::span<const FieldPath> paths) {
    for (const FieldPath& path : paths) {
      if (!plans_[path.column].marks_deleted) tested_.insert(path.column);
    }
  }

  bool NeedsPositions() const {
    return deleted_ != nullptr || std::any_of(plans_.begin(), plans_.end(), [](const auto& plan) {
             return plan.null_fill && plan.null_fill->add_position;
           });
  }

  /// The columns that say which rows survive are decoded first, the others for these rows alone.
  std::shared_ptr<arrow::RecordBatch> Surviving(const RowSpan& span) {
    std::vector<uint8_t> deleted(static_cast<size_t>(span.count), 0);
    if (deleted_ != nullptr) deleted_->MarkRange(span.first_row, deleted);
    const RowSelection candidates =
        with_deleted_ ? RowSelection::All(span.count) : RowSelection::Without(deleted);
    if (candidates.count() == 0) return nullptr;
    DecodedFields tested;
    arrow::ArrayVector columns(plans_.size());
    Decode(std::vector(tested_.begin(), tested_.end()), candidates, &tested);
    for (const size_t i : tested_) {
      columns[i] = Project(plans_[i], tested, candidates, span.first_row);
    }
    if (!with_deleted_) deleted.assign(static_cast<size_t>(candidates.count()), 0);
    const std::vector<uint8_t> dropped = Test(columns, std::move(deleted));
    const RowSelection kept = RowSelection::Without(dropped);
    if (kept.count() == 0) return nullptr;
    for (auto& [field, decoded] : tested) decoded = SelectRows(decoded, kept);
    const RowSelection survivors = candidates.Narrowed(dropped);
    columns.resize(static_cast<size_t>(schema_->num_fields()));
    std::vector<size_t> others;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (columns[i] == nullptr) others.push_back(i);
    }
    Decode(others, survivors, &tested);
    for (size_t i = 0; i < columns.size(); ++i) {
      columns[i] = columns[i] == nullptr ? Project(plans_[i], tested, survivors, span.first_row)
                                         : SelectRows(columns[i], kept);
    }
    return arrow::RecordBatch::Make(schema_, survivors.count(), std::move(columns));
  }

  /// By their places among the decoded fields. Several columns may be of one.
  using DecodedFields = std::map<int, std::shared_ptr<arrow::Array>>;

  /// Decodes what some of the columns need and is not there, on all workers that are idle when it
  /// is worth it.
  void Decode(std::span<const size_t> columns, const RowSelection& rows, DecodedFields* fields) {
    std::vector<DecodedFields::iterator> missing;
    for (const size_t i : columns) {
      if (!plans_[i].from_file) continue;
      const auto [field, is_new] = fields->try_emplace(plans_[i].decoded_index);
      if (is_new) missing.push_back(field);
    }
    const auto read = [&](int64_t i) {
      auto& [field, decoded] = *missing[static_cast<size_t>(i)];
      decoded = decoder_->Read(field, rows);
    };
    const auto count = static_cast<int64_t>(missing.size());
    const bool at_once = count * rows.total() >= kCellsAtOnce && decoder_->reads_fields_at_once();
    ParallelFor(at_once ? context_ : Context{}, count, read);
  }

  std::shared_ptr<arrow::Array> Project(const ColumnPlan& plan, const DecodedFields& fields,
                                        const RowSelection& rows, int64_t first_row) const {
    return ProjectColumn(plan, plan.from_file ? fields.at(plan.decoded_index) : nullptr, rows,
                         first_row);
  }

  /// Which rows are dropped; `deleted` are marked from before. Fills in the columns that mark what
  /// is deleted.
  std::vector<uint8_t> Test(arrow::ArrayVector& columns, std::vector<uint8_t> deleted) const {
    for (const KeyFilter& keys : key_filters_) keys.Mark(columns, deleted);
    if (with_deleted_) {
      const auto marks = std::make_shared<arrow::BooleanArray>(static_cast<int64_t>(deleted.size()),
                                                               PackBits(deleted));
      for (size_t i = 0; i < plans_.size(); ++i) {
        if (plans_[i].marks_deleted) columns[i] = marks;
      }
      std::fill(deleted.begin(), deleted.end(), 0);
    }
    if (filter_ != nullptr) filter_->Apply(columns, deleted);
    return deleted;
  }

  std::string location_;
  Context context_;
  std::unique_ptr<FileDecoder> decoder_;
  std::shared_ptr<arrow::Schema> schema_;
  std::shared_ptr<const iceberg::PositionSet> deleted_;
  /// Whether rows that are deleted come out.
  bool with_deleted_;
  /// The projection's columns, then those that only the deletes and the filter look at.
  std::vector<ColumnPlan> plans_;
  std::vector<KeyFilter> key_filters_;
  /// Null when every row passes.
  std::unique_ptr<RowFilter> filter_;
  /// The places of the columns that they look at.
  std::set<size_t> tested_;
};

OpenDataFile::OpenDataFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
OpenDataFile::~OpenDataFile() = default;
OpenDataFile::OpenDataFile(OpenDataFile&&) noexcept = default;
OpenDataFile& OpenDataFile::operator=(OpenDataFile&&) noexcept = default;

bool OpenDataFile::done() const { return impl_->done(); }
std::vector<ByteRange> OpenDataFile::Needed() const { return impl_->needed(); }
void OpenDataFile::Fill(std::vector<Buffer> buffers) { impl_->Fill(std::move(buffers)); }

std::shared_ptr<arrow::RecordBatch> OpenDataFile::Next() { return impl_->Next(); }

OpenDataFile OpenDataFile::Open(FileIO& io, const Context& context, const ReadRequest& request,
                                const FileScanTask& task, TaskDeletes deletes, FileTails* tails) {
  const ScanOptions& options = request.options;
  std::unique_ptr<FileDecoder> decoder = OpenDecoder(io, context, *task.data_file,
                                                     {.batch_size = options.batch_size,
                                                      .batch_bytes = options.batch_bytes,
                                                      .window_bytes = options.window_bytes,
                                                      .verify_crc = options.verify_crc,
                                                      .only_arrow = options.only_arrow},
                                                     tails);
  return WithContext(task.data_file->file_path, [&] {
    const auto fetch = [&](std::span<const ByteRange> ranges) {
      return FetchRanges(io, context, task.data_file->file_path, ranges);
    };
    return OpenDataFile(std::make_unique<Impl>(std::move(decoder), context, request, task,
                                               std::move(deletes), fetch));
  });
}

OpenDataFile OpenTask(FileIO& io, const Context& context, const ReadRequest& request,
                      const FileScanTask& task, TaskDeletes deletes, FileTails* tails) {
  // Who reads a file whole reads its end once.
  if (!RangeOf(task)) tails = nullptr;
  return OpenDataFile::Open(io, context, request, task, std::move(deletes), tails);
}

OpenDataFile OpenTask(FileIO& io, const Context& context, const ReadRequest& request,
                      const FileScanTask& task, TaskDeletes deletes, Buffer tail) {
  const int64_t size = task.data_file->file_size_in_bytes;
  const auto length = static_cast<int64_t>(tail.size());
  // Where a footer begins is said in less than this.
  constexpr int64_t kLeast = 1024;
  FileTails tails;
  if (length <= size && length >= std::min(size, kLeast))
    tails.Keep(task.data_file->file_path, size, {size - length, std::move(tail)});
  return OpenDataFile::Open(io, context, request, task, std::move(deletes), &tails);
}

}  // namespace nunatak
