#include "nunatak/read/open_parquet.h"

#include <algorithm>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/fetch_ranges.h"

namespace nunatak {

OpenedParquet OpenParquet(FileIO& io, const Context& context, const std::string& location,
                          int64_t size, const DecodeOptions& options) {
  const auto fetch_last = [&](int64_t length) {
    return FileTail{size - length, FetchRange(io, context, location, {size - length, length})};
  };
  FileTail tail = fetch_last(std::min(size, kFooterPrefetch));
  const int64_t footer_size =
      WithContext(location, [&] { return ParquetFooterSize(size, tail.bytes.bytes); });
  if (footer_size > static_cast<int64_t>(tail.bytes.size())) tail = fetch_last(footer_size);
  return WithContext(location, [&] {
    return OpenedParquet{std::make_unique<ParquetFile>(size, tail.bytes, options), tail};
  });
}

}  // namespace nunatak
