#pragma once

#include <parquet/page_index.h>
#include <parquet/properties.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/io/file_io.h"
#include "nunatak/read/decode/row_selection.h"

namespace nunatak {

/// Where the data pages of a column chunk lie, and which rows they begin with (Parquet, "Page
/// Index", OffsetIndex). A chunk without lists has as many values as rows in each.
class PagePlaces {
 public:
  /// `rows` is the number of the row group. Throws `ErrorCode::kInvalid` for an index that is
  /// malformed, or whose pages are not in the order of their rows and of their bytes.
  PagePlaces(ByteSpan offset_index, int64_t rows, const parquet::ReaderProperties& properties);

  size_t size() const { return first_rows_.size(); }
  /// The row of the group with which a page begins; ascending from 0.
  const std::vector<int64_t>& first_rows() const { return first_rows_; }
  RowRange RowsOf(size_t page) const;
  /// The page that holds a row.
  size_t PageAt(int64_t row) const;
  /// Where a page lies in the file, with its header.
  ByteRange RangeOf(size_t page) const;
  /// The pages that hold some of the rows, which are ascending ranges: a mark for each.
  std::vector<bool> PagesWith(std::span<const RowRange> rows) const;

 private:
  int64_t rows_;
  std::unique_ptr<parquet::OffsetIndex> index_;
  std::vector<int64_t> first_rows_;
};

}  // namespace nunatak
