// The encodings of Parquet pages: the first byte says which, the second the width of its numbers or
// values, the third how many are read at a time; the rest is the page.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/pages/byte_stream_split.h"
#include "nunatak/read/decode/pages/delta_integers.h"
#include "nunatak/read/decode/pages/delta_texts.h"
#include "nunatak/read/decode/pages/rle_decoder.h"

namespace nunatak {
namespace {

constexpr int64_t kMaxCount = 1 << 16;

/// Two decoders, of which one skips what the other reads, must agree on what follows.
void ReadRuns(ByteSpan page, int width, size_t piece) {
  RleDecoder reader(page, width);
  RleDecoder skipper(page, width);
  std::vector<uint32_t> numbers(piece);
  std::vector<uint32_t> others(piece);
  for (int64_t count = 0; count < kMaxCount; count += static_cast<int64_t>(2 * piece)) {
    reader.Read(numbers);
    reader.Read(numbers);
    skipper.Skip(static_cast<int64_t>(piece));
    skipper.Read(others);
    if (numbers != others) std::abort();
  }
}

void Decode(uint8_t encoding, uint8_t width, uint8_t piece, ByteSpan page) {
  switch (encoding % 5) {
    case 0:
      return ReadRuns(page, width % 34, 1 + piece);
    case 1:
      PlainFromDeltas(page, width % 2 == 0 ? 4 : 8, kMaxCount);
      return;
    case 2:
      PlainFromDeltaLengths(page, kMaxCount);
      return;
    case 3:
      PlainFromDeltaTexts(page, kMaxCount);
      return;
    default:
      PlainFromStreams(page, 1 + width % 16);
  }
}

}  // namespace
}  // namespace nunatak

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3) return 0;
  try {
    nunatak::Decode(data[0], data[1], data[2], nunatak::ByteSpan(data + 3, size - 3));
  } catch (const nunatak::Error&) {
  }
  return 0;
}
