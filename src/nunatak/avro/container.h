#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "nunatak/avro/codec.h"
#include "nunatak/avro/container_reader.h"
#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"

namespace nunatak::avro {

/// An inflated block: encoded records, one after the other.
struct Block {
  ByteSpan bytes;
  int64_t count = 0;
  /// Where the block lies in its file; for messages.
  int64_t file_offset = 0;
};

/// Inflates one block; the result views `buffer`, or `block` when it is not compressed. An error
/// names the block's offset.
NUNATAK_EXPORT Block Inflate(const CompressedBlock& block, const Codec& codec,
                             Decompressor& decompressor, ByteBuffer& buffer);

/// An object container file (Avro specification, "Object Container Files") whose header is parsed
/// and whose blocks are found, but not inflated: they can be read in any order, or in parallel. It
/// views the file's bytes, which must outlive it. Immutable and thread-safe.
class NUNATAK_EXPORT Container {
 public:
  /// Reads the header and walks over the blocks, checking every length and sync marker. Throws
  /// `ErrorCode::kInvalid` with the byte offset, and `ErrorCode::kUnsupported` for an unknown
  /// codec.
  explicit Container(ByteSpan file);

  /// `avro.schema`, unparsed.
  std::string_view schema_json() const { return header_.schema_json; }
  const Codec& codec() const { return *header_.codec; }
  /// The whole header, in the order of the file.
  std::span<const MetadataEntry> metadata() const { return header_.metadata; }
  /// The raw value of a key (the last one when the file repeats it).
  std::optional<ByteSpan> FindMetadata(std::string_view key) const {
    return header_.FindMetadata(key);
  }

  std::span<const CompressedBlock> blocks() const { return blocks_; }
  /// Records in all blocks, as the file says; not yet checked against their bytes.
  int64_t record_count() const { return record_count_; }

  /// Inflates one block; the result views `buffer`, or the file when it is not compressed.
  Block ReadBlock(const CompressedBlock& block, Decompressor& decompressor,
                  ByteBuffer& buffer) const {
    return Inflate(block, codec(), decompressor, buffer);
  }

 private:
  ContainerHeader header_;
  std::vector<CompressedBlock> blocks_;
  int64_t record_count_ = 0;
};

}  // namespace nunatak::avro
