#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"

namespace nunatak {

/// Reads numbers in Parquet's hybrid of run lengths and bit packing (Encodings, "RLE"): definition
/// levels, dictionary indices, booleans. Reading beyond the end is `ErrorCode::kInvalid`.
class NUNATAK_EXPORT RleDecoder {
 public:
  RleDecoder() = default;
  /// Throws `ErrorCode::kInvalid` when numbers of `width` bits are beyond 32.
  RleDecoder(ByteSpan bytes, int width);

  void Read(std::span<uint32_t> out);
  void Skip(int64_t count);

  /// How many of the next numbers are the same by one run, and that number; 0 for packed ones.
  struct Run {
    int64_t count = 0;
    uint32_t value = 0;
  };
  Run NextRun();

 private:
  void BeginRun();
  uint64_t Varint();
  /// Numbers that are left in the current run, of which there are some.
  int64_t Left();

  ByteSpan bytes_;
  size_t position_ = 0;
  int width_ = 0;
  int64_t repeated_left_ = 0;
  uint32_t repeated_ = 0;
  /// From the current packed run on.
  ByteSpan packed_;
  int64_t packed_next_ = 0;
  int64_t packed_count_ = 0;
};

}  // namespace nunatak
