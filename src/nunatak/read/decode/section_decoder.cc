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
    const StatsOfSection stats(*file_, i);
    const bool kept = !part.filter.may_match || part.filter.may_match(stats);
    if (part.on_section) part.on_section(stats, kept);
    if (kept) sections_.push_back({i, {{0, section.rows}}});
  }
  if (part.filter.may_match && part.fetch) ChooseRows(part);
  StartWindow();
}

/// Narrows the sections to the rows that may match by what the file records of their pages, which
/// is fetched in one round.
void SectionDecoder::ChooseRows(const FilePart& part) {
  const std::vector<int>& leaves = part.filter.leaves;
  std::vector<ByteRange> missing;
  std::vector<std::vector<ByteRange>> ranges;
  for (const Wanted& wanted : sections_) {
    ranges.push_back(file_->PageIndexRanges(wanted.section, leaves));
    for (const ByteRange& range : ranges.back()) {
      if (!FromTail(range)) missing.push_back(range);
    }
  }
  std::vector<Buffer> fetched = missing.empty() ? std::vector<Buffer>() : part.fetch(missing);
  size_t next_fetched = 0;
  for (size_t i = 0; i < sections_.size(); ++i) {
    if (ranges[i].empty()) continue;
    std::vector<Buffer> index;
    for (const ByteRange& range : ranges[i]) {
      std::optional<Buffer> bytes = FromTail(range);
      index.push_back(bytes ? std::move(*bytes) : std::move(fetched.at(next_fetched++)));
    }
    SectionedFile::MatchingRows found =
        file_->FindMatchingRows(sections_[i].section, part.filter, index);
    if (part.on_pages) part.on_pages(found.pages);
    sections_[i].rows = std::move(found.rows);
  }
  std::erase_if(sections_, [](const Wanted& wanted) { return wanted.rows.empty(); });
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
      const RowRange rows = file_->NextRows();
      if (rows.size() > 0) {
        const FileSection& section = file_->sections()[sections_[next_].section];
        return {section.first_row + rows.begin, rows.size()};
      }
      in_section_ = false;
      ++next_;
    }
    if (next_ == window_end_) {
      file_->Release();
      StartWindow();
      break;
    }
    file_->StartSection(sections_[next_].section, sections_[next_].rows);
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
    const std::vector<ByteRange> ranges =
        file_->RangesOf(sections_[window_end_].section, sections_[window_end_].rows);
    for (const ByteRange& range : ranges) bytes += range.length;
    if (window_end_ > next_ && bytes > window_bytes_) break;
    for (const ByteRange& range : ranges) AddNeeded(range);
    ++window_end_;
  }
  in_window_ = window_end_ > next_;
  in_section_ = false;
}

void SectionDecoder::AddNeeded(const ByteRange& range) {
  if (std::optional<Buffer> bytes = FromTail(range)) {
    file_->Fill(range.offset, std::move(*bytes));
  } else {
    needed_.push_back(range);
  }
}

std::optional<Buffer> SectionDecoder::FromTail(const ByteRange& range) const {
  if (range.offset < tail_.offset) return std::nullopt;
  const auto start = static_cast<size_t>(range.offset - tail_.offset);
  const auto length = static_cast<size_t>(range.length);
  const size_t size = tail_.bytes.size();
  if (start > size || length > size - start) return std::nullopt;
  return Buffer{tail_.bytes.bytes.subspan(start, length), tail_.bytes.owner};
}

}  // namespace nunatak
