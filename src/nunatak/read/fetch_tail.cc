#include "nunatak/read/fetch_tail.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/fetch_ranges.h"

namespace nunatak {

FileTail FetchTail(FileIO& io, const Context& context, const std::string& location, int64_t size,
                   TailSize tail_size, FileTails* tails, int64_t prefetch) {
  if (tails != nullptr) {
    if (std::optional<FileTail> known = tails->Find(location, size)) return *std::move(known);
  }
  const auto fetch_last = [&](int64_t length) {
    return FileTail{size - length, FetchRange(io, context, location, {size - length, length})};
  };
  FileTail tail = fetch_last(std::min(size, prefetch));
  const int64_t wanted = WithContext(location, [&] { return tail_size(size, tail.bytes.bytes); });
  if (wanted > static_cast<int64_t>(tail.bytes.size())) tail = fetch_last(wanted);
  if (tails != nullptr) tails->Keep(location, size, tail);
  return tail;
}

}  // namespace nunatak
