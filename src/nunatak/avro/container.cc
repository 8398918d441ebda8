#include "nunatak/avro/container.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "nunatak/avro/varint.h"
#include "nunatak/base/error.h"

namespace nunatak::avro {

namespace {

constexpr std::string_view kMagic("Obj\x01", 4);
constexpr size_t kSyncBytes = 16;

/// Reads a file from its start; every error names the byte offset.
class FileReader {
 public:
  explicit FileReader(ByteSpan file)
      : begin_(file.data()), at_(begin_), end_(begin_ + file.size()) {}

  bool AtEnd() const { return at_ == end_; }
  int64_t offset() const { return at_ - begin_; }

  int64_t Long(std::string_view what) {
    int64_t value = 0;
    if (!ReadLong(at_, end_, value)) {
      Fail(what, end_ - at_ < kMaxVarintBytes ? "ends beyond the file" : "is not a valid number");
    }
    return value;
  }

  ByteSpan Bytes(int64_t size, std::string_view what) {
    if (size < 0) Fail(what, fmt::format("has the negative size {}", size));
    if (size > end_ - at_) {
      Fail(what, fmt::format("has {} bytes, but the file ends after {}", size, end_ - at_));
    }
    const ByteSpan bytes(at_, static_cast<size_t>(size));
    at_ += size;
    return bytes;
  }

  [[noreturn]] void Fail(std::string_view what, std::string_view problem) const {
    ThrowInvalid(fmt::format("byte {}: {} {}", offset(), what, problem));
  }

 private:
  const uint8_t* begin_;
  const uint8_t* at_;
  const uint8_t* end_;
};

void ReadHeaderBlock(FileReader& reader, int64_t count, std::vector<MetadataEntry>& metadata) {
  if (count < 0) {
    // A negative count is followed by the block's size, of use only to those who skip it.
    reader.Long("the size of a metadata block");
    if (count == std::numeric_limits<int64_t>::min()) {
      reader.Fail("the count of a metadata block", "is out of range");
    }
    count = -count;
  }
  // Each entry takes two bytes or more: a false count soon meets the end of the file.
  for (; count > 0; --count) {
    const int64_t key_size = reader.Long("the size of a metadata key");
    const std::string_view key = AsText(reader.Bytes(key_size, "a metadata key"));
    const int64_t value_size = reader.Long("the size of a metadata value");
    metadata.push_back({key, reader.Bytes(value_size, "a metadata value")});
  }
}

CompressedBlock ReadBlockFrame(FileReader& reader, ByteSpan sync) {
  CompressedBlock block;
  block.offset = reader.offset();
  block.count = reader.Long("the record count of a block");
  if (block.count < 0) {
    reader.Fail("the block before", fmt::format("has the negative count {}", block.count));
  }
  const int64_t size = reader.Long("the size of a block");
  block.bytes = reader.Bytes(size, "a block");
  const int64_t sync_offset = reader.offset();
  if (!std::ranges::equal(reader.Bytes(kSyncBytes, "a sync marker"), sync)) {
    ThrowInvalid(fmt::format("byte {}: the sync marker after the block at byte {} is wrong",
                             sync_offset, block.offset),
                 "the file is damaged at or before this place");
  }
  return block;
}

}  // namespace

Container::Container(ByteSpan file) {
  if (file.size() < kMagic.size() || AsText(file.first(kMagic.size())) != kMagic) {
    ThrowInvalid("byte 0: not an Avro object container file: the magic bytes 'Obj' 01 are missing");
  }
  FileReader reader(file);
  reader.Bytes(kMagic.size(), "the magic");
  while (const int64_t count = reader.Long("the count of a metadata block")) {
    ReadHeaderBlock(reader, count, metadata_);
  }
  const ByteSpan sync = reader.Bytes(kSyncBytes, "the header's sync marker");

  const std::optional<ByteSpan> schema = FindMetadata("avro.schema");
  if (!schema) reader.Fail("the header before", "lacks the key avro.schema");
  schema_json_ = AsText(*schema);
  const std::optional<ByteSpan> codec = FindMetadata("avro.codec");
  codec_ = &FindCodec(codec ? AsText(*codec) : "null");

  while (!reader.AtEnd()) {
    blocks_.push_back(ReadBlockFrame(reader, sync));
    if (__builtin_add_overflow(record_count_, blocks_.back().count, &record_count_)) {
      reader.Fail("the blocks before", "claim more records than a 64-bit number holds");
    }
  }
}

std::optional<ByteSpan> Container::FindMetadata(std::string_view key) const {
  for (auto entry = metadata_.rbegin(); entry != metadata_.rend(); ++entry) {
    if (entry->key == key) return entry->value;
  }
  return std::nullopt;
}

Block Container::ReadBlock(const CompressedBlock& block, Decompressor& decompressor,
                           ByteBuffer& buffer) const {
  try {
    return {decompressor.Decompress(*codec_, block.bytes, buffer), block.count, block.offset};
  } catch (Error& error) {
    error.AddContext(fmt::format("avro block at byte {}", block.offset));
    throw;
  }
}

}  // namespace nunatak::avro
