#include "nunatak/read/decode/section_decoder.h"

#include <utility>

namespace nunatak {

namespace {

class StatsOfSection final : public SectionStats {
 public:
  StatsOfSection(const SectionedFile& file, size_t section) : file_(file), section_(section) {}
  int64_t rows() const override { return file_.sections()[section_].rows; }
  LeafStats Of(int leaf) const override { return file_.StatsOf(section_, leaf); }

 private:
  const SectionedFile& file_;
  size_t section_;
};

}  // namespace

std::vector<int64_t> SectionDecoder::section_starts() const {
  std::vector<int64_t> starts;
  for (const FileSection& section : file_->sections()) starts.push_back(section.start);
  return starts;
}

void SectionDecoder::Start(const FilePart& part) {
  file_->FinishSelection();
  for (size_t i = 0; i < file_->sections().size(); ++i) {
    const FileSection& section = file_->sections()[i];
    const bool inside = !part.range || (section.start >= part.range->offset &&
                                        section.start - part.range->offset < part.range->length);
    if (section.rows == 0 || !inside) continue;
    if (part.may_match && !part.may_match(StatsOfSection(*file_, i))) continue;
    sections_.push_back(i);
  }
  StartWindow();
}

void SectionDecoder::Fill(std::vector<Buffer> buffers) {
  for (size_t i = 0; i < needed_.size(); ++i) {
    file_->Fill(needed_[i].offset, std::move(buffers.at(i)));
  }
  needed_.clear();
}

RowSpan SectionDecoder::Next() {
  while (in_window_) {
    if (in_section_) {
      if (const int64_t rows = file_->NextRows(); rows > 0) {
        next_row_ += rows;
        return {next_row_ - rows, rows};
      }
      in_section_ = false;
      ++next_;
    }
    if (next_ == window_end_) {
      file_->Release();
      StartWindow();
      break;
    }
    file_->StartSection(sections_[next_]);
    next_row_ = file_->sections()[sections_[next_]].first_row;
    in_section_ = true;
  }
  return {};
}

/// Chooses the sections of the next window and what of them is not here yet.
void SectionDecoder::StartWindow() {
  window_end_ = next_;
  needed_.clear();
  int64_t bytes = 0;
  while (window_end_ < sections_.size()) {
    const std::vector<ByteRange> ranges = file_->RangesOf(sections_[window_end_]);
    for (const ByteRange& range : ranges) bytes += range.length;
    if (window_end_ > next_ && bytes > window_bytes_) break;
    for (const ByteRange& range : ranges) AddNeeded(range);
    ++window_end_;
  }
  in_window_ = window_end_ > next_;
  in_section_ = false;
}

void SectionDecoder::AddNeeded(const ByteRange& range) {
  if (range.offset >= tail_.offset) {
    const auto start = static_cast<size_t>(range.offset - tail_.offset);
    const auto length = static_cast<size_t>(range.length);
    const size_t size = tail_.bytes.size();
    if (start <= size && length <= size - start) {
      file_->Fill(range.offset,
                  Buffer{tail_.bytes.bytes.subspan(start, length), tail_.bytes.owner});
      return;
    }
  }
  needed_.push_back(range);
}

}  // namespace nunatak
