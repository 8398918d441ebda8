#include "nunatak/read/open_parquet.h"

#include <algorithm>
#include <utility>

#include "nunatak/base/error.h"

namespace nunatak {

namespace {

Buffer FetchLast(FileIO& io, const Context& context, const std::string& location, int64_t size,
                 int64_t length) {
  const ByteRange range{size - length, length};
  return FetchRanges(io, context, location, std::span(&range, 1)).front();
}

OpenedParquet OpenSized(FileIO& io, const Context& context, const std::string& location,
                        int64_t size, const ParquetFile::Options& options) {
  Buffer tail = FetchLast(io, context, location, size, std::min(size, kFooterPrefetch));
  const int64_t footer_size =
      WithContext(location, [&] { return ParquetFooterSize(size, tail.bytes); });
  if (footer_size > static_cast<int64_t>(tail.size())) {
    tail = FetchLast(io, context, location, size, footer_size);
  }
  return WithContext(location, [&] {
    return OpenedParquet{ParquetFile(size, tail, options), size - static_cast<int64_t>(tail.size()),
                         tail};
  });
}

/// Runs `call`; a missing file is an invalid table, not something that the caller named wrongly.
template <typename Call>
auto ReferredTo(Call&& call) {
  try {
    return call();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotFound) throw;
    throw Error(ErrorCode::kInvalid, error.message(), "the table refers to a file that is missing");
  }
}

int64_t RealSize(FileIO& io, const std::string& location) {
  return ReferredTo([&] { return io.Size(location); });
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

OpenedParquet OpenParquet(FileIO& io, const Context& context, const std::string& location,
                          int64_t recorded_size, const ParquetFile::Options& options) {
  int64_t size = recorded_size;
  if (size <= 0) return OpenSized(io, context, location, RealSize(io, location), options);
  try {
    return OpenSized(io, context, location, size, options);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInvalid && error.code() != ErrorCode::kIo) throw;
    size = RealSize(io, location);
    if (size == recorded_size) throw;
  }
  return OpenSized(io, context, location, size, options);
}

}  // namespace nunatak
