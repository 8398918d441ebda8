#include "nunatak/read/decode/page_pruner.h"

#include <fmt/format.h>
#include <parquet/properties.h>
#include <parquet/schema.h>

#include <algorithm>
#include <memory>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/decode/page_pruning.h"

namespace nunatak {

namespace {

bool Holds(const std::vector<int>& leaves, int leaf) {
  return std::find(leaves.begin(), leaves.end(), leaf) != leaves.end();
}

}  // namespace

std::vector<PagePruner::IndexPart> PagePruner::IndexParts(
    size_t group, const std::vector<int>& filter_leaves,
    const std::vector<int>& paged_leaves) const {
  const std::unique_ptr<parquet::RowGroupMetaData> metadata =
      metadata_.RowGroup(static_cast<int>(group));
  std::vector<IndexPart> parts;
  const auto add = [&](int leaf, bool has_statistics) {
    const auto ranges = PageIndexRangesOf(*metadata->ColumnChunk(leaf), file_size_);
    if (ranges) parts.push_back({leaf, *ranges, has_statistics, Holds(paged_leaves, leaf)});
  };
  for (const int leaf : filter_leaves) add(leaf, true);
  if (parts.empty()) return parts;
  for (const int leaf : paged_leaves) {
    if (!Holds(filter_leaves, leaf)) add(leaf, false);
  }
  return parts;
}

std::vector<ByteRange> PagePruner::IndexRanges(size_t group, const std::vector<int>& filter_leaves,
                                               const std::vector<int>& paged_leaves) const {
  std::vector<ByteRange> ranges;
  for (const IndexPart& part : IndexParts(group, filter_leaves, paged_leaves)) {
    if (part.has_statistics) ranges.push_back(part.ranges.column_index);
    ranges.push_back(part.ranges.offset_index);
  }
  return ranges;
}

SectionedFile::MatchingRows PagePruner::FindMatchingRows(size_t group, const SectionFilter& filter,
                                                         const std::vector<int>& paged_leaves,
                                                         const std::vector<Buffer>& index) {
  const int64_t rows = metadata_.RowGroup(static_cast<int>(group))->num_rows();
  const parquet::ReaderProperties properties = parquet::default_reader_properties();
  std::map<int, ChunkPageIndex> indexes;
  std::map<int, PagePlaces> places;
  auto next = index.begin();
  for (const IndexPart& part : IndexParts(group, filter.leaves, paged_leaves)) {
    WithContext(NameOf(part.leaf), [&] {
      GuardArrow([&] {
        if (part.has_statistics) {
          const ByteSpan statistics = (next++)->bytes;
          indexes.try_emplace(part.leaf, *metadata_.schema()->Column(part.leaf), statistics,
                              next->bytes, rows, properties);
        }
        const ByteSpan offsets = (next++)->bytes;
        if (part.is_paged) places.try_emplace(part.leaf, offsets, rows, properties);
      });
    });
  }
  SectionedFile::MatchingRows found = RowsThatMayMatch(indexes, rows, filter);
  if (found.pages.kept_rows < rows) places_.insert_or_assign(group, std::move(places));
  return found;
}

const PagePlaces* PagePruner::PlacesOf(size_t group, int leaf) const {
  const auto of_group = places_.find(group);
  if (of_group == places_.end()) return nullptr;
  const auto of_leaf = of_group->second.find(leaf);
  return of_leaf == of_group->second.end() ? nullptr : &of_leaf->second;
}

std::string PagePruner::NameOf(int leaf) const {
  return fmt::format("column {}", metadata_.schema()->Column(leaf)->path()->ToDotString());
}

}  // namespace nunatak
