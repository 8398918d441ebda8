#include "nunatak/read/key_filter.h"

#include <arrow/array.h>

namespace nunatak {

void KeyFilter::Mark(std::span<const std::shared_ptr<arrow::Array>> columns,
                     std::span<uint8_t> deleted) const {
  std::vector<int64_t> rows;
  for (size_t row = 0; row < deleted.size(); ++row) {
    if (!deleted[row]) rows.push_back(static_cast<int64_t>(row));
  }
  const EncodedKeys keys = EqualityKeyEncoder(key_, columns).Encode(rows);
  deletes_.scope->Read([&](const EqualityKeyTable& table) {
    for (size_t i = 0; i < rows.size(); ++i) {
      if (table.Contains(keys[i], deletes_.files)) deleted[static_cast<size_t>(rows[i])] = 1;
    }
  });
}

}  // namespace nunatak
