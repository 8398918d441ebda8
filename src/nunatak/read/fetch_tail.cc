#include "nunatak/read/fetch_tail.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/fetch_ranges.h"

namespace nunatak {

FileTail FetchTail(FileIO& io, const Context& context, const std::string& location, int64_t size,
                   TailSize tail_size, FileTails* tails, int64_t prefetch) {
  const auto fetch_last = [&](int64_t length) {
    return FileTail{size - length, FetchRange(io, context, location, {size - length, length})};
  };
  const auto wanted = [&](const FileTail& tail) {
    return WithContext(location, [&] { return tail_size(size, tail.bytes.bytes); });
  };
  const auto suffices = [&](const FileTail& tail) {
    return wanted(tail) <= static_cast<int64_t>(tail.bytes.size());
  };
  std::optional<FileTail> known;
  if (tails != nullptr) known = tails->Find(location, size);
  if (known && suffices(*known)) return *std::move(known);
  FileTail tail = fetch_last(std::min(size, prefetch));
  if (!suffices(tail)) tail = fetch_last(wanted(tail));
  if (tails != nullptr) tails->Keep(location, size, tail);
  return tail;
}

}  // namespace nunatak
