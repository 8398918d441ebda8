#include "nunatak/read/decode/parquet_file.h"

#include <arrow/array.h>
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
#include "nunatak/io/join_ranges.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/decode/arrow_field_decoder.h"
#include "nunatak/read/decode/page_field_decoder.h"
#include "nunatak/read/decode/page_pruner.h"
#include "nunatak/read/decode/parquet_chunk.h"
#include "nunatak/read/decode/parquet_schema.h"
#include "nunatak/read/decode/parquet_stats.h"
#include "nunatak/read/decode/select_rows.h"
#include "nunatak/read/decode/sparse_file.h"

namespace nunatak {

namespace {

/// The footer's length (4 bytes, little-endian) and the magic after it.
constexpr int64_t kFooterEnd = 8;
/// Ranges are joined up to this size; a larger column chunk is still one range. Bytes between them
/// that nobody needs are cheaper than another request, up to this many.
constexpr int64_t kMaxJoinedRange = int64_t{32} << 20;
constexpr int64_t kMaxGap = int64_t{8} << 10;

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
    pruner_.emplace(*metadata_, file_size);
    chunks_.resize(static_cast<size_t>(metadata_->num_columns()));
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

  std::vector<ByteRange> PageIndexRanges(size_t group,
                                         const std::vector<int>& filter_leaves) const {
    return pruner_->IndexRanges(group, filter_leaves, PagedLeaves(group));
  }

  MatchingRows FindMatchingRows(size_t group, const SectionFilter& filter,
                                const std::vector<Buffer>& index) {
    return pruner_->FindMatchingRows(group, filter, PagedLeaves(group), index);
  }

  void FinishSelection() { leaves_ = nunatak::FinishSelection(fields_); }

  std::vector<ByteRange> RangesOf(size_t group, std::span<const RowRange> rows) const {
    if (leaves_.empty() || row_groups_[group].rows == 0) return {};
    std::vector<ByteRange> ranges;
    std::vector<int> whole;
    for (const int leaf : leaves_) {
      const PagePlaces* places = pruner_->PlacesOf(group, leaf);
      if (places == nullptr) {
        whole.push_back(leaf);
        continue;
      }
      const auto chunk = metadata_->RowGroup(static_cast<int>(group))->ColumnChunk(leaf);
      for (const ByteRange& range : ChunkRanges(*chunk, *places, rows)) ranges.push_back(range);
    }
    const auto of_chunks = ValueOrThrow(reader_->parquet_reader()->GetReadRanges(
        {static_cast<int>(group)}, whole, /*hole_size_limit=*/0, kMaxJoinedRange));
    for (const arrow::io::ReadRange& range : of_chunks) {
      ranges.push_back({range.offset, range.length});
    }
    return JoinRanges(std::move(ranges), kMaxGap, kMaxJoinedRange);
  }

  void StartSection(size_t group, std::vector<RowRange> rows) {
    wanted_ = std::move(rows);
    next_range_ = 0;
    rows_ = {};
    decoders_.clear();
    positions_.clear();
    if (row_groups_[group].rows == 0) return;
    ReadChunks(group);
    batch_rows_ = BatchRows(row_groups_[group].rows);
    reader_->set_batch_size(batch_rows_);
    AddDecoders(fields_, reader_->manifest().schema_fields, static_cast<int>(group), 0);
    positions_.resize(decoders_.size());
  }

  void Release() {
    decoders_.clear();
    chunks_.assign(chunks_.size(), {});
    source_->Clear();
  }

  RowRange NextRows() {
    int64_t begin = rows_.end;
    while (next_range_ < wanted_.size() && begin >= wanted_[next_range_].end) ++next_range_;
    if (next_range_ == wanted_.size()) return {};
    begin = std::max(begin, wanted_[next_range_].begin);
    rows_ = {begin, std::min(wanted_[next_range_].end, begin + batch_rows_)};
    return rows_;
  }

  std::shared_ptr<arrow::Array> Read(size_t field, const RowSelection& rows) {
    FieldDecoder& decoder = *decoders_.at(field);
    decoder.Skip(rows_.begin - std::exchange(positions_[field], rows_.end));
    if (!rows.is_fragmented()) return arrow::MakeArray(decoder.Read(rows));
    return SelectRows(arrow::MakeArray(decoder.Read(RowSelection::All(rows.total()))), rows);
  }

  std::vector<FileField> fields_;
  std::vector<FileSection> row_groups_;
  std::shared_ptr<SparseFile> source_;

 private:
  std::string NameOf(int leaf) const {
    return fmt::format("column {}", metadata_->schema()->Column(leaf)->path()->ToDotString());
  }

  /// Of those that are decoded.
  std::vector<int> PagedLeaves(size_t group) const {
    std::vector<int> leaves;
    if (options_.only_arrow) return leaves;
    const auto metadata = metadata_->RowGroup(static_cast<int>(group));
    for (const FileField& field : fields_) {
      const std::vector<int> of_field = PagedLeavesOf(field, *metadata);
      leaves.insert(leaves.end(), of_field.begin(), of_field.end());
    }
    return leaves;
  }

  /// Reads the page headers of the selected leaves.
  void ReadChunks(size_t group) {
    const std::unique_ptr<parquet::RowGroupMetaData> metadata =
        metadata_->RowGroup(static_cast<int>(group));
    for (const int leaf : leaves_) {
      const std::unique_ptr<parquet::ColumnChunkMetaData> chunk = metadata->ColumnChunk(leaf);
      chunks_[static_cast<size_t>(leaf)] = WithContext(NameOf(leaf), [&] {
        return ReadChunk(*chunk, *metadata_->schema()->Column(leaf), ChunkRange(group, leaf),
                         *source_, pruner_->PlacesOf(group, leaf), wanted_);
      });
    }
  }

  ByteRange ChunkRange(size_t group, int leaf) const {
    const auto ranges = ValueOrThrow(reader_->parquet_reader()->GetReadRanges(
        {static_cast<int>(group)}, {leaf}, /*hole_size_limit=*/0, kMaxJoinedRange));
    return {ranges.at(0).offset, ranges.at(0).length};
  }

  /// `depth` is the number of structs around the fields.
  void AddDecoders(const std::vector<FileField>& fields,
                   const std::vector<parquet::arrow::SchemaField>& schemas, int group, int depth) {
    for (size_t i = 0; i < fields.size(); ++i) {
      if (!fields[i].selected) continue;
      if (options_.split_structs && fields[i].type->id() == arrow::Type::STRUCT) {
        AddDecoders(fields[i].children, schemas[i].children, group, depth + 1);
      } else {
        decoders_.push_back(DecoderOf(fields[i], schemas[i], group, depth));
      }
    }
  }

  std::unique_ptr<FieldDecoder> DecoderOf(const FileField& field,
                                          const parquet::arrow::SchemaField& schema, int group,
                                          int depth) {
    if (!options_.only_arrow) {
      const auto chunk_of = [this](int leaf) { return chunks_[static_cast<size_t>(leaf)].chunk; };
      auto decoder = MakePageFieldDecoder(schema, field, *metadata_->schema(), chunk_of,
                                          options_.verify_crc, buffers_);
      if (decoder != nullptr) return decoder;
    }
    std::vector<int> leaves;
    AppendLeaves(field, &leaves);
    for (const int leaf : leaves) {
      if (pruner_->PlacesOf(static_cast<size_t>(group), leaf) != nullptr) {
        ThrowUnsupported(NameOf(leaf) + " has pages in encodings that its row group does not name",
                         "--no-pruning reads the file without its page index");
      }
      const int64_t start = ChunkStart(*metadata_->RowGroup(group)->ColumnChunk(leaf));
      RemoveEmptyPages(chunks_[static_cast<size_t>(leaf)].chunk, start, source_.get());
    }
    return MakeArrowFieldDecoder(*reader_, group, leaves, NameOf(leaves.at(0)), depth);
  }

  static void AppendLeaves(const FileField& field, std::vector<int>* leaves) {
    if (field.is_leaf() && field.selected) leaves->push_back(field.leaf);
    for (const FileField& child : field.children) AppendLeaves(child, leaves);
  }

  /// So many rows of the group that they take about `batch_bytes`.
  int64_t BatchRows(int64_t rows) const {
    double bytes = 0;
    for (const int leaf : leaves_) bytes += chunks_[static_cast<size_t>(leaf)].decoded_bytes;
    const double row_bytes = bytes / static_cast<double>(rows);
    const double fitting = static_cast<double>(options_.batch_bytes) / std::max(row_bytes, 1.0);
    return static_cast<int64_t>(
        std::clamp(fitting, 1.0, std::max(static_cast<double>(options_.batch_size), 1.0)));
  }

  DecodeOptions options_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
  std::unique_ptr<parquet::arrow::FileReader> reader_;
  std::optional<PagePruner> pruner_;
  std::shared_ptr<BufferPool> buffers_ = BufferPool::Make();
  std::vector<int> leaves_;
  /// By leaf; of the current row group.
  std::vector<ChunkPages> chunks_;
  /// Of the decoded fields, and the row of the group that each has come to.
  std::vector<std::unique_ptr<FieldDecoder>> decoders_;
  std::vector<int64_t> positions_;
  /// The rows of the group that are wanted, and which of these ranges the current rows are in.
  std::vector<RowRange> wanted_;
  size_t next_range_ = 0;
  RowRange rows_;
  int64_t batch_rows_ = 1;
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

std::vector<ByteRange> ParquetFile::RangesOf(size_t group, std::span<const RowRange> rows) const {
  return GuardArrow([&] { return impl_->RangesOf(group, rows); });
}

void ParquetFile::Fill(int64_t offset, Buffer bytes) {
  impl_->source_->Add(offset, std::move(bytes));
}

void ParquetFile::Release() { impl_->Release(); }

void ParquetFile::StartSection(size_t group, std::vector<RowRange> rows) {
  GuardArrow([&] { impl_->StartSection(group, std::move(rows)); });
}

std::vector<ByteRange> ParquetFile::PageIndexRanges(size_t group,
                                                    const std::vector<int>& filter_leaves) const {
  return GuardArrow([&] { return impl_->PageIndexRanges(group, filter_leaves); });
}

SectionedFile::MatchingRows ParquetFile::FindMatchingRows(size_t group, const SectionFilter& filter,
                                                          const std::vector<Buffer>& index) {
  return GuardArrow([&] { return impl_->FindMatchingRows(group, filter, index); });
}

RowRange ParquetFile::NextRows() { return impl_->NextRows(); }

std::shared_ptr<arrow::Array> ParquetFile::Read(int field, const RowSelection& rows) {
  return GuardArrow([&] { return impl_->Read(static_cast<size_t>(field), rows); });
}

}  // namespace nunatak
