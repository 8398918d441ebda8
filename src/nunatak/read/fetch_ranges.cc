#include "nunatak/read/fetch_ranges.h"

#include <utility>

#include "nunatak/base/error.h"

namespace nunatak {

namespace {

template <typename Call>
auto ReferredTo(Call&& call) {
  try {
    return call();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotFound) throw;
    throw Error(ErrorCode::kInvalid, error.message(), "the table refers to a file that is missing");
  }
}

}  // namespace

std::vector<Buffer> FetchRanges(FileIO& io, const Context& context, const std::string& location,
                                std::span<const ByteRange> ranges) {
  std::vector<FetchRequest> requests;
  for (const ByteRange& range : ranges) requests.push_back({location, range});
  std::vector<Buffer> buffers(ranges.size());
  ReferredTo([&] {
    io.Fetch(context, requests, [&](size_t i, Buffer bytes) { buffers[i] = std::move(bytes); });
  });
  return buffers;
}

Buffer FetchRange(FileIO& io, const Context& context, const std::string& location,
                  const ByteRange& range) {
  return FetchRanges(io, context, location, std::span(&range, 1)).front();
}

int64_t SizeOf(FileIO& io, const std::string& location) {
  return ReferredTo([&] { return io.Size(location); });
}

}  // namespace nunatak
