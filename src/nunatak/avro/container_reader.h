#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"

namespace nunatak::avro {

struct Codec;

inline constexpr int64_t kSyncBytes = 16;

/// A block of a file as it is stored.
struct CompressedBlock {
  /// Of the block's first byte, from the start of the file.
  int64_t offset = 0;
  /// Records in the block, as the file says.
  int64_t count = 0;
  ByteSpan bytes;
};

/// One entry of a file's header.
struct MetadataEntry {
  std::string_view key;
  ByteSpan value;
};

/// The header of an object container file; views the bytes that it was parsed from.
struct NUNATAK_EXPORT ContainerHeader {
  /// The whole header, in the order of the file.
  std::vector<MetadataEntry> metadata;
  /// `avro.schema`, unparsed.
  std::string_view schema_json;
  const Codec* codec = nullptr;
  std::array<uint8_t, kSyncBytes> sync = {};
  /// Where the first block starts; the header's sync marker is the last that it has.
  int64_t size = 0;

  /// The raw value of a key (the last one when the file repeats it).
  std::optional<ByteSpan> FindMetadata(std::string_view key) const;
};

/// Reads consecutive bytes of a file, from `offset` on, of which the last ones may not be here.
/// What goes beyond the end of the file is an error, `ErrorCode::kInvalid` with the byte offset;
/// what goes beyond the bytes that are here gives nothing and sets `ran_out`.
class NUNATAK_EXPORT ContainerReader {
 public:
  ContainerReader(ByteSpan bytes, int64_t offset, int64_t file_size)
      : bytes_(bytes), offset_(offset), file_size_(file_size) {}

  /// The header of a file that starts here; nullopt when it ran out. Throws
  /// `ErrorCode::kUnsupported` for an unknown codec.
  std::optional<ContainerHeader> ReadHeader();
  /// The block that starts here, whose sync marker is checked; nullopt when it ran out. Then
  /// `wanted` is how many bytes from here on the block takes, as far as that is known.
  std::optional<CompressedBlock> ReadBlock(const ContainerHeader& header, int64_t* wanted);

  /// The offset in the file of the next byte.
  int64_t offset() const { return offset_; }
  bool AtEndOfFile() const { return offset_ == file_size_; }

 private:
  int64_t Long(std::string_view what);
  ByteSpan Bytes(int64_t size, std::string_view what);
  void ReadMetadataBlock(int64_t count, std::vector<MetadataEntry>& metadata);
  void CheckSync(int64_t block_offset, const ContainerHeader& header);
  [[noreturn]] void Fail(std::string_view what, std::string_view problem) const;

  ByteSpan bytes_;
  int64_t offset_;
  int64_t file_size_;
  bool ran_out_ = false;
};

}  // namespace nunatak::avro
