#include "nunatak/read/decode/parquet_file.h"

#include <arrow/record_batch.h>
#include <arrow/util/key_value_metadata.h>
#include <fmt/format.h>
#include <parquet/arrow/reader.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/decode/parquet_chunk.h"
#include "nunatak/read/decode/parquet_schema.h"
#include "nunatak/read/decode/parquet_stats.h"
#include "nunatak/read/decode/sparse_file.h"

namespace nunatak {

namespace {

/// The footer's length (4 bytes, little-endian) and the magic after it.
constexpr int64_t kFooterEnd = 8;
/// Ranges are joined up to this size; a larger column chunk is still one range.
constexpr int64_t kMaxJoinedRange = int64_t{32} << 20;

[[noreturn]] void ThrowEncrypted() {
  ThrowUnsupported("encrypted Parquet file", "encryption is not supported");
}

std::shared_ptr<parquet::FileMetaData> ParseFooter(int64_t file_size, ByteSpan tail,
                                                   const parquet::ReaderProperties& properties) {
  const int64_t size = ParquetFooterSize(file_size, tail);
  if (size > static_cast<int64_t>(tail.size())) {
    ThrowInvalid(fmt::format("{} of {} footer bytes given", tail.size(), size));
  }
  const ByteSpan thrift =
      tail.last(static_cast<size_t>(size)).first(static_cast<size_t>(size - kFooterEnd));
  std::shared_ptr<parquet::FileMetaData> metadata =
      parquet::FileMetaData::Make(thrift.data(), static_cast<int64_t>(thrift.size()), properties);
  if (metadata->is_encryption_algorithm_set()) ThrowEncrypted();
  if (metadata->key_value_metadata() != nullptr) {
    // Arrow's reader lets the Arrow schema that a writer embedded decide on types (large strings,
    // dictionaries …), and gives no way to ask otherwise. The columns must depend on the Parquet
    // schema alone, so the entry is removed from the metadata, which nobody else shares.
    auto& entries = const_cast<arrow::KeyValueMetadata&>(*metadata->key_value_metadata());
    while (entries.Contains("ARROW:schema")) CheckOk(entries.Delete("ARROW:schema"));
  }
  return metadata;
}

std::vector<FileSection> RowGroupsOf(const parquet::FileMetaData& metadata) {
  std::vector<FileSection> groups;
  int64_t first_row = 0;
  for (int i = 0; i < metadata.num_row_groups(); ++i) {
    const std::unique_ptr<parquet::RowGroupMetaData> group = metadata.RowGroup(i);
    const int64_t rows = group->num_rows();
    if (rows < 0 || rows > std::numeric_limits<int64_t>::max() - first_row) {
      ThrowInvalid(fmt::format("row group {} has {} rows", i, rows));
    }
    const int64_t start = group->num_columns() > 0 ? ChunkStart(*group->ColumnChunk(0)) : 0;
    groups.push_back({rows, first_row, start});
    first_row += rows;
  }
  return groups;
}

}  // namespace

int64_t ParquetFooterSize(int64_t file_size, ByteSpan tail) {
  const std::string_view end = AsText(tail.last(std::min<size_t>(tail.size(), kFooterEnd)));
  if (end.ends_with("PARE")) ThrowEncrypted();
  if (end.size() < kFooterEnd || !end.ends_with("PAR1")) {
    ThrowInvalid("not a Parquet file: it does not end in PAR1",
                 "it may be cut short or of another format");
  }
  const int64_t length = LoadLittleEndian<uint32_t>(tail.last(kFooterEnd).data());
  // The leading magic is four bytes too.
  if (length == 0 || length > file_size - kFooterEnd - 4) {
    ThrowInvalid(fmt::format("footer of {} bytes at byte offset {}, in a file of {} bytes", length,
                             file_size - kFooterEnd, file_size));
  }
  return length + kFooterEnd;
}

class ParquetFile::Impl {
 public:
  Impl(int64_t file_size, const Buffer& footer, const DecodeOptions& options)
      : source_(std::make_shared<SparseFile>(file_size)), options_(options) {
    parquet::ReaderProperties properties = parquet::default_reader_properties();
    properties.set_page_checksum_verification(options.verify_crc);
    metadata_ = ParseFooter(file_size, footer.bytes, properties);
    row_groups_ = RowGroupsOf(*metadata_);
    parquet::ArrowReaderProperties arrow_properties(/*use_threads=*/false);
    arrow_properties.set_pre_buffer(false);
    // Nanoseconds reach only from 1677 to 2262.
    arrow_properties.set_coerce_int96_timestamp_unit(arrow::TimeUnit::MICRO);
    reader_ = ValueOrThrow(parquet::arrow::FileReader::Make(
        arrow::default_memory_pool(),
        parquet::ParquetFileReader::Open(source_, properties, metadata_), arrow_properties));
    fields_ = FileFieldsOf(reader_->manifest());
  }

  LeafStats StatsOf(size_t group, int leaf) const {
    return LeafStatsOf(*metadata_->RowGroup(static_cast<int>(group))->ColumnChunk(leaf),
                       *metadata_->schema()->Column(leaf));
  }

  void FinishSelection() { leaves_ = nunatak::FinishSelection(fields_); }

  std::vector<ByteRange> RangesOf(size_t group) const {
    std::vector<ByteRange> ranges;
    if (leaves_.empty() || row_groups_[group].rows == 0) return ranges;
    const auto read_ranges = ValueOrThrow(reader_->parquet_reader()->GetReadRanges(
        {static_cast<int>(group)}, leaves_, /*hole_size_limit=*/0, kMaxJoinedRange));
    for (const arrow::io::ReadRange& range : read_ranges) {
      ranges.push_back({range.offset, range.length});
    }
    return ranges;
  }

  void StartSection(size_t group) {
    group_ = group;
    rows_left_ = row_groups_[group].rows;
    batch_rows_ = BatchRows(PrepareChunks(group));
    batches_.reset();
    if (leaves_.empty() || rows_left_ == 0) return;
    reader_->set_batch_size(batch_rows_);
    batches_ = ValueOrThrow(reader_->GetRecordBatchReader({static_cast<int>(group)}, leaves_));
  }

  std::shared_ptr<arrow::RecordBatch> NextBatch() {
    if (rows_left_ == 0) return nullptr;
    const std::shared_ptr<arrow::RecordBatch> batch =
        batches_ == nullptr ? WithoutColumns() : NextSelected();
    const int64_t rows = batch == nullptr ? 0 : batch->num_rows();
    if (rows == 0 || rows > rows_left_) ThrowWrongRows();
    rows_left_ -= rows;
    return batch;
  }

  /// The first selected column of the row group that cannot be decoded by itself.
  std::optional<std::string> FindDamagedColumn() {
    for (const int leaf : leaves_) {
      try {
        GuardArrow([&] { DecodeAlone(leaf); });
      } catch (const Error&) {
        return NameOf(leaf);
      }
    }
    return std::nullopt;
  }

  std::vector<FileField> fields_;
  std::vector<FileSection> row_groups_;
  std::shared_ptr<SparseFile> source_;

 private:
  void DecodeAlone(int leaf) {
    const auto batches =
        ValueOrThrow(reader_->GetRecordBatchReader({static_cast<int>(group_)}, {leaf}));
    int64_t rows = 0;
    std::shared_ptr<arrow::RecordBatch> batch;
    do {
      CheckOk(batches->ReadNext(&batch));
      if (batch != nullptr) rows += batch->num_rows();
    } while (batch != nullptr);
    if (rows != row_groups_[group_].rows) ThrowWrongRows();
  }

  std::shared_ptr<arrow::RecordBatch> WithoutColumns() const {
    return arrow::RecordBatch::Make(arrow::schema(arrow::FieldVector{}),
                                    std::min(rows_left_, batch_rows_), arrow::ArrayVector{});
  }

  /// Null at the end of the row group.
  std::shared_ptr<arrow::RecordBatch> NextSelected() {
    std::shared_ptr<arrow::RecordBatch> batch;
    do {
      CheckOk(batches_->ReadNext(&batch));
    } while (batch != nullptr && batch->num_rows() == 0);
    return batch;
  }

  [[noreturn]] void ThrowWrongRows() const {
    ThrowInvalid(fmt::format("the columns of row group {} do not have the {} rows of its footer",
                             group_, row_groups_[group_].rows));
  }

  std::string NameOf(int leaf) const {
    return fmt::format("column {}", metadata_->schema()->Column(leaf)->path()->ToDotString());
  }

  /// About how many bytes the group's selected columns take decoded.
  double PrepareChunks(size_t group) {
    if (row_groups_[group].rows == 0) return 0;
    const std::unique_ptr<parquet::RowGroupMetaData> metadata =
        metadata_->RowGroup(static_cast<int>(group));
    double bytes = 0;
    for (const int leaf : leaves_) {
      bytes += WithContext(NameOf(leaf), [&] {
        return static_cast<double>(PrepareChunk(*metadata->ColumnChunk(leaf),
                                                *metadata_->schema()->Column(leaf), source_.get()));
      });
    }
    return bytes;
  }

  /// So many rows of the group that they take about `batch_bytes`.
  int64_t BatchRows(double group_bytes) const {
    const double row_bytes = group_bytes / static_cast<double>(std::max<int64_t>(rows_left_, 1));
    const double fitting = static_cast<double>(options_.batch_bytes) / std::max(row_bytes, 1.0);
    return static_cast<int64_t>(
        std::clamp(fitting, 1.0, std::max(static_cast<double>(options_.batch_size), 1.0)));
  }

  DecodeOptions options_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
  std::unique_ptr<parquet::arrow::FileReader> reader_;
  std::vector<int> leaves_;
  size_t group_ = 0;
  int64_t rows_left_ = 0;
  int64_t batch_rows_ = 1;
  /// Null while no leaf is selected.
  std::unique_ptr<arrow::RecordBatchReader> batches_;
};

ParquetFile::ParquetFile(int64_t file_size, const Buffer& footer, const DecodeOptions& options)
    : impl_(GuardArrow([&] { return std::make_unique<Impl>(file_size, footer, options); })) {}

ParquetFile::~ParquetFile() = default;

std::vector<FileField>& ParquetFile::fields() { return impl_->fields_; }
std::span<const FileSection> ParquetFile::sections() const { return impl_->row_groups_; }

LeafStats ParquetFile::StatsOf(size_t group, int leaf) const {
  return GuardArrow([&] { return impl_->StatsOf(group, leaf); });
}
void ParquetFile::FinishSelection() { impl_->FinishSelection(); }

std::vector<ByteRange> ParquetFile::RangesOf(size_t group) const {
  return GuardArrow([&] { return impl_->RangesOf(group); });
}

void ParquetFile::Fill(int64_t offset, Buffer bytes) {
  impl_->source_->Add(offset, std::move(bytes));
}

void ParquetFile::Release() { impl_->source_->Clear(); }

void ParquetFile::StartSection(size_t group) {
  GuardArrow([&] { impl_->StartSection(group); });
}

std::shared_ptr<arrow::RecordBatch> ParquetFile::NextBatch() {
  try {
    return GuardArrow([&] { return impl_->NextBatch(); });
  } catch (Error& error) {
    // Arrow's errors do not say which column they are about.
    const std::optional<std::string> column = impl_->FindDamagedColumn();
    if (column) error.AddContext(*column);
    throw;
  }
}

}  // namespace nunatak
