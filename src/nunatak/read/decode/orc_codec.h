#pragma once

#include <arrow/util/type_fwd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "nunatak/base/bytes.h"

namespace nunatak {

/// The compression of an ORC file's streams, footers among them (ORC specification, "Compression"):
/// chunks of at most a block, each after its length.
class OrcCodec {
 public:
  /// `kind` and `block_size` are those of the postscript. Throws `ErrorCode::kInvalid` for a block
  /// of no bytes or of more than a chunk can have, and `kUnsupported` for LZO and what the
  /// specification does not know.
  OrcCodec(uint64_t kind, uint64_t block_size);
  ~OrcCodec();
  OrcCodec(OrcCodec&&) noexcept;

  /// Throws `ErrorCode::kInvalid` for a stream that does not inflate to blocks.
  std::vector<uint8_t> Inflate(ByteSpan stream) const;
  /// The stream of these bytes, which stay as they are.
  std::vector<uint8_t> Frame(ByteSpan bytes) const;

 private:
  size_t InflateChunk(ByteSpan chunk, uint8_t* out) const;

  uint64_t kind_;
  size_t block_size_;
  /// Null where nothing is compressed, and for zstd.
  std::unique_ptr<arrow::util::Codec> codec_;
};

}  // namespace nunatak
