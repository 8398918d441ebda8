#include "nunatak/read/decode/page_pruning.h"

#include <algorithm>
#include <set>
#include <vector>

namespace nunatak {

namespace {

/// Rows over which every leaf has one page.
class PieceStats final : public SectionStats {
 public:
  PieceStats(const std::map<int, ChunkPageIndex>& indexes, RowRange piece)
      : indexes_(indexes), piece_(piece) {}

  int64_t rows() const override { return piece_.size(); }
  LeafStats Of(int leaf) const override {
    const auto index = indexes_.find(leaf);
    return index == indexes_.end() ? LeafStats() : index->second.StatsAt(piece_.begin);
  }

 private:
  const std::map<int, ChunkPageIndex>& indexes_;
  RowRange piece_;
};

/// Adds the pages of one leaf, and those of them that hold rows of `kept`.
void CountPages(const ChunkPageIndex& index, int64_t rows, const std::vector<RowRange>& kept,
                PageCounts* counts) {
  auto next = kept.begin();
  for (size_t page = 0; page < index.size(); ++page) {
    const int64_t begin = index.first_rows()[page];
    const int64_t end = page + 1 < index.size() ? index.first_rows()[page + 1] : rows;
    ++counts->pages;
    counts->bytes += index.stored_size(page);
    while (next != kept.end() && next->end <= begin) ++next;
    if (next == kept.end() || next->begin >= end) continue;
    ++counts->kept_pages;
    counts->kept_bytes += index.stored_size(page);
  }
}

}  // namespace

SectionedFile::MatchingRows RowsThatMayMatch(const std::map<int, ChunkPageIndex>& indexes,
                                             int64_t rows, const SectionFilter& filter) {
  std::set<int64_t> cuts = {0, rows};
  for (const auto& [leaf, index] : indexes) {
    cuts.insert(index.first_rows().begin(), index.first_rows().end());
  }
  SectionedFile::MatchingRows found;
  for (auto begin = cuts.begin(), end = std::next(begin); end != cuts.end(); begin = end++) {
    const RowRange piece{*begin, *end};
    if (!filter.may_match(PieceStats(indexes, piece))) continue;
    if (!found.rows.empty() && found.rows.back().end == piece.begin) {
      found.rows.back().end = piece.end;
    } else {
      found.rows.push_back(piece);
    }
  }
  found.pages.rows = rows;
  for (const RowRange& range : found.rows) found.pages.kept_rows += range.size();
  for (const auto& [leaf, index] : indexes) CountPages(index, rows, found.rows, &found.pages);
  return found;
}

}  // namespace nunatak
