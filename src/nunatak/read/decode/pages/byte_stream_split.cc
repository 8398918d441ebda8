#include "nunatak/read/decode/pages/byte_stream_split.h"

#include <fmt/format.h>

#include "nunatak/base/error.h"

namespace nunatak {

std::vector<uint8_t> PlainFromStreams(ByteSpan bytes, size_t width) {
  if (bytes.size() % width != 0) {
    ThrowInvalid(fmt::format("{} bytes in a page of values of {} bytes", bytes.size(), width));
  }
  const size_t count = bytes.size() / width;
  std::vector<uint8_t> plain(bytes.size());
  for (size_t stream = 0; stream < width; ++stream) {
    const uint8_t* const from = bytes.data() + stream * count;
    for (size_t i = 0; i < count; ++i) plain[i * width + stream] = from[i];
  }
  return plain;
}

}  // namespace nunatak
