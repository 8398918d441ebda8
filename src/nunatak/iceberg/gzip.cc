#include "nunatak/iceberg/gzip.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <memory>

#include "nunatak/base/error.h"

namespace nunatak::iceberg {

namespace {

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* it) const { libdeflate_free_decompressor(it); }
};
using Decompressor = std::unique_ptr<libdeflate_decompressor, FreeDecompressor>;

/// The size that the last member claims to inflate to, modulo 2^32: a first guess, nothing more.
size_t ClaimedSize(ByteSpan bytes) {
  return bytes.size() < 4 ? 0 : LoadLittleEndian<uint32_t>(bytes.data() + bytes.size() - 4);
}

/// Inflates the member at the start of `bytes` behind the `*size` bytes that `*out` holds already;
/// returns how many bytes the member took.
size_t InflateMember(libdeflate_decompressor* decompressor, ByteSpan bytes, size_t limit,
                     std::string* out, size_t* size) {
  for (;;) {
    size_t taken = 0;
    size_t produced = 0;
    const libdeflate_result result =
        libdeflate_gzip_decompress_ex(decompressor, bytes.data(), bytes.size(), out->data() + *size,
                                      out->size() - *size, &taken, &produced);
    if (result == LIBDEFLATE_SUCCESS) {
      *size += produced;
      return taken;
    }
    if (result != LIBDEFLATE_INSUFFICIENT_SPACE) {
      ThrowInvalid("the gzip data is damaged or cut short");
    }
    if (out->size() == limit) {
      ThrowInvalid(
          fmt::format("the gzip data inflates to more than {} times its size", kMaxGzipRatio));
    }
    out->resize(std::min(limit, std::max<size_t>(out->size() * 2, 1024)));
  }
}

}  // namespace

bool IsGzip(ByteSpan bytes) { return bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b; }

std::string InflateGzip(ByteSpan bytes) {
  const Decompressor decompressor(libdeflate_alloc_decompressor());
  if (!decompressor) throw std::bad_alloc();
  const size_t limit = bytes.size() * kMaxGzipRatio;
  std::string out(std::min(ClaimedSize(bytes), limit), '\0');
  size_t size = 0;
  while (!bytes.empty()) {
    const size_t taken = WithContext(fmt::format("after {} inflated bytes", size), [&] {
      return InflateMember(decompressor.get(), bytes, limit, &out, &size);
    });
    bytes = bytes.subspan(taken);
  }
  out.resize(size);
  return out;
}

}  // namespace nunatak::iceberg
