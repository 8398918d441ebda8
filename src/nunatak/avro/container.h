#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "nunatak/avro/codec.h"
#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"

namespace nunatak::avro {

/// A block of a file as it is stored.
struct CompressedBlock {
  /// Of the block's first byte, from the start of the file.
  int64_t offset = 0;
  /// Records in the block, as the file says.
  int64_t count = 0;
  ByteSpan bytes;
};

/// An inflated block: encoded records, one after the other.
struct Block {
  ByteSpan bytes;
  int64_t count = 0;
  /// Where the block lies in its file; for messages.
  int64_t file_offset = 0;
};

/// One entry of a file's header.
struct MetadataEntry {
  std::string_view key;
  ByteSpan value;
};

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
  std::string_view schema_json() const { return schema_json_; }
  const Codec& codec() const { return *codec_; }
  /// The whole header, in the order of the file.
  std::span<const MetadataEntry> metadata() const { return metadata_; }
  /// The raw value of a key (the last one when the file repeats it).
  std::optional<ByteSpan> FindMetadata(std::string_view key) const;

  std::span<const CompressedBlock> blocks() const { return blocks_; }
  /// Records in all blocks, as the file says; not yet checked against their bytes.
  int64_t record_count() const { return record_count_; }

  /// Inflates one block; the result views `buffer`, or the file when it is not compressed.
  Block ReadBlock(const CompressedBlock& block, Decompressor& decompressor,
                  ByteBuffer& buffer) const;

 private:
  std::vector<MetadataEntry> metadata_;
  std::string_view schema_json_;
  const Codec* codec_ = nullptr;
  std::vector<CompressedBlock> blocks_;
  int64_t record_count_ = 0;
};

}  // namespace nunatak::avro
