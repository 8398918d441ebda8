#pragma once

#include <cstdint>
#include <map>

#include "nunatak/read/decode/parquet_page_index.h"
#include "nunatak/read/decode/section_stats.h"
#include "nunatak/read/decode/sectioned_file.h"

namespace nunatak {

/// The rows of a row group of `rows` rows that may match by the pages of the leaves, of which those
/// without an index may be anything: the group is cut wherever a page of any leaf begins, and each
/// piece is held against the filter.
SectionedFile::MatchingRows RowsThatMayMatch(const std::map<int, ChunkPageIndex>& indexes,
                                             int64_t rows, const SectionFilter& filter);

}  // namespace nunatak
