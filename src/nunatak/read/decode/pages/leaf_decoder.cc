#include "nunatak/read/decode/pages/leaf_decoder.h"

#include <arrow/array/data.h>
#include <arrow/buffer.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/pages/pack_bits.h"

namespace nunatak {

namespace {

/// Levels are decoded in pieces of this size.
constexpr int64_t kPiece = 1024;

}  // namespace

LeafDecoder::LeafDecoder(LeafLayout layout, std::unique_ptr<ValueOutput> output, PageChunk chunk,
                         bool verify_crc)
    : layout_(layout),
      output_(std::move(output)),
      chunk_(std::move(chunk)),
      inflater_(chunk_.codec, verify_crc) {}

std::shared_ptr<arrow::ArrayData> LeafDecoder::Read(const RowSelection& rows) {
  const int64_t first = row_;
  levels_.clear();
  rows_read_ = 0;
  null_count_ = 0;
  output_->Start(rows.count());
  for (const RowRange& range : rows.ranges()) {
    row_ = first + range.begin;
    ReadRows(range.size());
  }
  row_ = first + rows.total();
  if (null_count_ == 0) return output_->Finish(nullptr, 0);
  std::vector<uint8_t> valid(levels_.size());
  std::transform(levels_.begin(), levels_.end(), valid.begin(), [this](uint8_t level) {
    return static_cast<uint8_t>(level == layout_.max_definition);
  });
  return output_->Finish(PackBits(valid), null_count_);
}

void LeafDecoder::ReadRows(int64_t count) {
  while (count > 0) {
    Locate();
    const int64_t piece = std::min(count, page_first_row_ + page().values - row_);
    ReadInPage(piece);
    row_ += piece;
    count -= piece;
  }
}

void LeafDecoder::Locate() {
  for (; page_ < chunk_.pages.size(); ++page_) {
    if (page().is_data) {
      if (row_ < page_first_row_ + page().values) break;
      page_first_row_ += page().values;
      page_row_.reset();
    } else {
      dictionary_page_ = page_;
    }
  }
  if (page_ == chunk_.pages.size()) ThrowInvalid("a column has fewer values than rows");
  if (!page_row_) OpenPage();
  SkipInPage(row_ - page_first_row_ - *page_row_);
}

void LeafDecoder::OpenPage() {
  const bool by_index = page().encoding == PageEncoding::kPlainDictionary ||
                        page().encoding == PageEncoding::kRleDictionary;
  if (by_index) OpenDictionary();
  const PageContents contents =
      inflater_.Inflate(page(), chunk_.bytes[page_].bytes, layout_.max_definition > 0);
  page_levels_ = RleDecoder(contents.definition_levels,
                            std::bit_width(static_cast<unsigned>(layout_.max_definition)));
  page_values_ =
      MakePageValues(layout_.plain, page().encoding, contents.values, page().values, *output_);
  page_row_ = 0;
}

/// Inflates the dictionary when a page first asks for it.
void LeafDecoder::OpenDictionary() {
  if (has_dictionary_) return;
  if (!dictionary_page_) ThrowInvalid("a page needs a dictionary, and there is none");
  const ParquetPage& dictionary = chunk_.pages[*dictionary_page_];
  const PageContents contents = inflater_.Inflate(dictionary, chunk_.bytes[*dictionary_page_].bytes,
                                                  /*has_definition_levels=*/false);
  output_->SetDictionary(contents.values, dictionary.values);
  has_dictionary_ = true;
}

void LeafDecoder::SkipInPage(int64_t rows) {
  *page_row_ += rows;
  if (layout_.max_definition == 0) {
    if (rows > 0) page_values_->Skip(rows);
    return;
  }
  std::array<uint8_t, kPiece> levels;
  while (rows > 0) {
    const int64_t piece = std::min(rows, kPiece);
    page_values_->Skip(ReadLevels(std::span(levels).first(static_cast<size_t>(piece))));
    rows -= piece;
  }
}

void LeafDecoder::ReadInPage(int64_t rows) {
  *page_row_ += rows;
  if (layout_.max_definition == 0) return page_values_->Append(rows, output_.get());
  while (rows > 0) {
    const auto highest = static_cast<uint32_t>(layout_.max_definition);
    const RleDecoder::Run run = page_levels_.NextRun();
    const bool all_valid = run.count > 0 && run.value == highest;
    const int64_t piece = std::min(rows, all_valid ? run.count : kPiece);
    const auto size = static_cast<size_t>(piece);
    if (all_valid && levels_.empty()) {
      page_levels_.Skip(piece);
      page_values_->Append(piece, output_.get());
    } else {
      // Rows before that had no levels yet had values.
      levels_.resize(static_cast<size_t>(rows_read_), static_cast<uint8_t>(highest));
      levels_.resize(levels_.size() + size);
      const std::span<uint8_t> levels = std::span(levels_).last(size);
      const int64_t values = ReadLevels(levels);
      page_values_->Append(values, output_.get());
      if (values < piece) {
        std::array<uint8_t, kPiece> valid;
        std::transform(levels.begin(), levels.end(), valid.begin(),
                       [&](uint8_t level) { return static_cast<uint8_t>(level == highest); });
        output_->Spread(std::span(valid).first(size));
        null_count_ += piece - values;
      }
    }
    rows_read_ += piece;
    rows -= piece;
  }
}

/// How many of them are the highest: those have values.
int64_t LeafDecoder::ReadLevels(std::span<uint8_t> levels) {
  std::array<uint32_t, kPiece> numbers;
  const auto highest = static_cast<uint32_t>(layout_.max_definition);
  int64_t values = 0;
  for (size_t done = 0; done < levels.size(); done += kPiece) {
    const auto size = std::min(levels.size() - done, static_cast<size_t>(kPiece));
    page_levels_.Read(std::span(numbers).first(size));
    for (size_t i = 0; i < size; ++i) {
      if (numbers[i] > highest) {
        ThrowInvalid(fmt::format("definition level {} in a column with {}", numbers[i], highest));
      }
      levels[done + i] = static_cast<uint8_t>(numbers[i]);
      values += numbers[i] == highest ? 1 : 0;
    }
  }
  return values;
}

}  // namespace nunatak
