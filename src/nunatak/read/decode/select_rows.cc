#include "nunatak/read/decode/select_rows.h"

#include <arrow/array.h>
#include <arrow/array/concatenate.h>
#include <arrow/compute/api_vector.h>
#include <arrow/datum.h>

#include <algorithm>
#include <vector>

#include "nunatak/read/compute.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/decode/pages/pack_bits.h"

namespace nunatak {

std::shared_ptr<arrow::Array> SelectRows(const std::shared_ptr<arrow::Array>& array,
                                         const RowSelection& rows) {
  if (rows.is_all()) return array;
  if (rows.count() == 0) return array->Slice(0, 0);
  if (rows.is_fragmented()) {
    InitializeCompute();
    std::vector<uint8_t> kept(static_cast<size_t>(rows.total()), 0);
    for (const RowRange& range : rows.ranges()) {
      std::fill(kept.begin() + range.begin, kept.begin() + range.end, uint8_t{1});
    }
    const auto mask = std::make_shared<arrow::BooleanArray>(rows.total(), PackBits(kept));
    return ValueOrThrow(arrow::compute::Filter(array, mask)).make_array();
  }
  arrow::ArrayVector pieces;
  for (const RowRange& range : rows.ranges()) {
    pieces.push_back(array->Slice(range.begin, range.size()));
  }
  if (pieces.size() == 1) return pieces[0];
  return ValueOrThrow(arrow::Concatenate(pieces));
}

}  // namespace nunatak
