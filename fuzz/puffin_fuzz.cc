// Puffin footers, and the bitmaps of deletion vectors: each input is read as a whole Puffin file
// and as the vector of a blob whose length and checksum are right, so that the checks behind them
// are reached.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/base/hash.h"
#include "nunatak/iceberg/deletion_vector.h"
#include "nunatak/iceberg/puffin.h"

namespace {

using nunatak::ByteSpan;

void ReadFooter(ByteSpan file) {
  const auto size = static_cast<int64_t>(file.size());
  const nunatak::iceberg::PuffinFooter footer = nunatak::iceberg::ParsePuffinFooter(file);
  if (footer.footer_size > size) std::abort();
  for (const auto& blob : footer.blobs) {
    if (blob.offset < 0 || blob.length < 0 || blob.offset + blob.length > size) std::abort();
  }
}

void AppendBigEndian(std::vector<uint8_t>* out, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out->push_back(static_cast<uint8_t>(value >> shift));
}

std::vector<uint8_t> Frame(ByteSpan vector) {
  std::vector<uint8_t> blob;
  AppendBigEndian(&blob, static_cast<uint32_t>(vector.size() + 4));
  blob.insert(blob.end(), {0xd1, 0xd3, 0x39, 0x64});
  blob.insert(blob.end(), vector.begin(), vector.end());
  AppendBigEndian(&blob, nunatak::Crc32(ByteSpan(blob).subspan(4)));
  return blob;
}

void ReadVector(ByteSpan vector) {
  const nunatak::iceberg::PositionSet positions =
      nunatak::iceberg::ParseDeletionVector(Frame(vector));
  // A few bytes may state many runs; only sets of moderate size are walked whole.
  if (positions.cardinality() > 1'000'000) return;
  const std::vector<int64_t> all = positions.InRange(0, std::numeric_limits<int64_t>::max());
  const auto count = static_cast<size_t>(positions.cardinality());
  const bool has_greatest = positions.Contains(std::numeric_limits<int64_t>::max());
  if (all.size() + (has_greatest ? 1 : 0) != count) std::abort();
  for (size_t i = 0; i < all.size(); ++i) {
    if (i > 0 && all[i] <= all[i - 1]) std::abort();
    if (!positions.Contains(all[i])) std::abort();
  }
}

template <typename Read>
void ExpectErrorOrSuccess(Read read) {
  try {
    read();
  } catch (const nunatak::Error& error) {
    if (error.message().empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const ByteSpan input(data, size);
  ExpectErrorOrSuccess([&] { ReadFooter(input); });
  ExpectErrorOrSuccess([&] { ReadVector(input); });
  return 0;
}
