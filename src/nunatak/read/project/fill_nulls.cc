#include "nunatak/read/project/fill_nulls.h"

#include <arrow/array.h>
#include <arrow/buffer.h>

#include "nunatak/read/decode/arrow_error.h"

namespace nunatak {

std::shared_ptr<arrow::Array> FillNulls(const std::shared_ptr<arrow::Array>& column,
                                        const NullFill& fill, const RowSelection& rows,
                                        int64_t first_row) {
  if (column->null_count() == 0) return column;
  const auto& longs = static_cast<const arrow::Int64Array&>(*column);
  std::shared_ptr<arrow::Buffer> values =
      ValueOrThrow(arrow::AllocateBuffer(longs.length() * static_cast<int64_t>(sizeof(int64_t))));
  auto* out = reinterpret_cast<int64_t*>(values->mutable_data());
  // What a file says may be so high that the sum wraps around.
  const auto start = static_cast<uint64_t>(fill.value) +
                     (fill.add_position ? static_cast<uint64_t>(first_row) : 0);
  int64_t i = 0;
  for (const RowRange& range : rows.ranges()) {
    for (int64_t row = range.begin; row < range.end; ++row, ++i) {
      const uint64_t filled = start + (fill.add_position ? static_cast<uint64_t>(row) : 0);
      out[i] = longs.IsNull(i) ? static_cast<int64_t>(filled) : longs.Value(i);
    }
  }
  return std::make_shared<arrow::Int64Array>(longs.length(), std::move(values));
}

}  // namespace nunatak
