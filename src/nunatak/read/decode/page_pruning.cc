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
void CountPages(const PagePlaces& places, const std::vector<RowRange>& kept, PageCounts* counts) {
  const std::vector<bool> wanted = places.PagesWith(kept);
  for (size_t page = 0; page < places.size(); ++page) {
    const int64_t bytes = places.RangeOf(page).length;
    ++counts->pages;
    counts->bytes += bytes;
    if (!wanted[page]) continue;
    ++counts->kept_pages;
    counts->kept_bytes += bytes;
  }
}

}  // namespace

SectionedFile::MatchingRows RowsThatMayMatch(const std::map<int, ChunkPageIndex>& indexes,
                                             int64_t rows, const SectionFilter& filter) {
  std::set<int64_t> cuts = {0, rows};
  for (const auto& [leaf, index] : indexes) {
    const std::vector<int64_t>& first_rows = index.places().first_rows();
    cuts.insert(first_rows.begin(), first_rows.end());
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
  for (const auto& [leaf, index] : indexes) CountPages(index.places(), found.rows, &found.pages);
  return found;
}

}  // namespace nunatak
