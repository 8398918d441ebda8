#include "nunatak/read/decode/pages/pack_bits.h"

#include <arrow/buffer.h>
#include <arrow/util/bit_util.h>

#include "nunatak/base/bytes.h"
#include "nunatak/read/decode/arrow_error.h"

namespace nunatak {

std::shared_ptr<arrow::Buffer> PackBits(std::span<const uint8_t> marks) {
  const auto count = static_cast<int64_t>(marks.size());
  std::shared_ptr<arrow::Buffer> bits = ValueOrThrow(arrow::AllocateEmptyBitmap(count));
  uint8_t* out = bits->mutable_data();
  size_t i = 0;
  // Multiplied so, each of eight bytes leaves its lowest bit in the highest byte.
  constexpr uint64_t kGather = 0x0102040810204080;
  for (; i + 8 <= marks.size(); i += 8) {
    *out++ = static_cast<uint8_t>((LoadLittleEndian<uint64_t>(marks.data() + i) * kGather) >> 56);
  }
  for (; i < marks.size(); ++i) {
    if (marks[i] != 0) arrow::bit_util::SetBit(bits->mutable_data(), static_cast<int64_t>(i));
  }
  return bits;
}

}  // namespace nunatak
