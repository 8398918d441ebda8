#pragma once

#include <parquet/metadata.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/io/file_io.h"
#include "nunatak/read/decode/parquet_page_index.h"
#include "nunatak/read/decode/parquet_page_places.h"
#include "nunatak/read/decode/sectioned_file.h"

namespace nunatak {

/// Finds out by page indexes which rows of a Parquet file's row groups may match, and where the
/// pages are that hold them.
class PagePruner {
 public:
  PagePruner(const parquet::FileMetaData& metadata, int64_t file_size)
      : metadata_(metadata), file_size_(file_size) {}

  /// What `SectionedFile` asks of a row group. `paged_leaves` are those that are decoded page by
  /// page: of these, pages without wanted rows need not be there.
  std::vector<ByteRange> IndexRanges(size_t group, const std::vector<int>& filter_leaves,
                                     const std::vector<int>& paged_leaves) const;
  SectionedFile::MatchingRows FindMatchingRows(size_t group, const SectionFilter& filter,
                                               const std::vector<int>& paged_leaves,
                                               const std::vector<Buffer>& index);

  /// Where the pages of a paged leaf are, when `FindMatchingRows` left rows of the group out; else
  /// null.
  const PagePlaces* PlacesOf(size_t group, int leaf) const;

 private:
  /// What is read of the index of a leaf: its statistics too, of the filter's leaves.
  struct IndexPart {
    int leaf = 0;
    PageIndexRanges ranges;
    bool has_statistics = false;
    bool is_paged = false;
  };
  std::vector<IndexPart> IndexParts(size_t group, const std::vector<int>& filter_leaves,
                                    const std::vector<int>& paged_leaves) const;
  std::string NameOf(int leaf) const;

  const parquet::FileMetaData& metadata_;
  int64_t file_size_;
  /// Of the row groups of which rows were left out.
  std::map<size_t, std::map<int, PagePlaces>> places_;
};

}  // namespace nunatak
