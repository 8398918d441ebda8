#include "nunatak/read/fetch_tail.h"

#include <algorithm>

#include "nunatak/base/error.h"
#include "nunatak/read/fetch_ranges.h"

namespace nunatak {

FileTail FetchTail(FileIO& io, const Context& context, const std::string& location, int64_t size,
                   TailSize tail_size) {
  const auto fetch_last = [&](int64_t length) {
    return FileTail{size - length, FetchRange(io, context, location, {size - length, length})};
  };
  FileTail tail = fetch_last(std::min(size, kFooterPrefetch));
  const int64_t wanted = WithContext(location, [&] { return tail_size(size, tail.bytes.bytes); });
  return wanted > static_cast<int64_t>(tail.bytes.size()) ? fetch_last(wanted) : tail;
}

}  // namespace nunatak
