#include "nunatak/avro/container_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "nunatak/avro/codec.h"
#include "nunatak/avro/varint.h"
#include "nunatak/base/error.h"

namespace nunatak::avro {

namespace {

constexpr std::string_view kMagic("Obj\x01", 4);

}  // namespace

std::optional<ByteSpan> ContainerHeader::FindMetadata(std::string_view key) const {
  for (auto entry = metadata.rbegin(); entry != metadata.rend(); ++entry) {
    if (entry->key == key) return entry->value;
  }
  return std::nullopt;
}

std::optional<ContainerHeader> ContainerReader::ReadHeader() {
  const ByteSpan start = bytes_.first(std::min(bytes_.size(), kMagic.size()));
  if (file_size_ < static_cast<int64_t>(kMagic.size()) || !kMagic.starts_with(AsText(start))) {
    ThrowInvalid("byte 0: not an Avro object container file: the magic bytes 'Obj' 01 are missing");
  }
  ContainerHeader header;
  Bytes(kMagic.size(), "the magic");
  while (const int64_t count = Long("the count of a metadata block")) {
    ReadMetadataBlock(count, header.metadata);
  }
  const ByteSpan sync = Bytes(kSyncBytes, "the header's sync marker");
  if (ran_out_) return std::nullopt;
  std::ranges::copy(sync, header.sync.begin());
  header.size = offset_;
  const std::optional<ByteSpan> schema = header.FindMetadata("avro.schema");
  if (!schema) Fail("the header before", "lacks the key avro.schema");
  header.schema_json = AsText(*schema);
  const std::optional<ByteSpan> codec = header.FindMetadata("avro.codec");
  header.codec = &FindCodec(codec ? AsText(*codec) : "null");
  return header;
}

void ContainerReader::ReadMetadataBlock(int64_t count, std::vector<MetadataEntry>& metadata) {
  if (count < 0) {
    // A negative count is followed by the block's size, of use only to those who skip it.
    Long("the size of a metadata block");
    if (count == std::numeric_limits<int64_t>::min()) {
      Fail("the count of a metadata block", "is out of range");
    }
    count = -count;
  }
  // Each entry takes two bytes or more: a false count soon meets the end of the bytes.
  for (; count > 0 && !ran_out_; --count) {
    const int64_t key_size = Long("the size of a metadata key");
    const std::string_view key = AsText(Bytes(key_size, "a metadata key"));
    const int64_t value_size = Long("the size of a metadata value");
    metadata.push_back({key, Bytes(value_size, "a metadata value")});
  }
}

std::optional<CompressedBlock> ContainerReader::ReadBlock(const ContainerHeader& header,
                                                          int64_t* wanted) {
  CompressedBlock block;
  block.offset = offset_;
  block.count = Long("the record count of a block");
  if (block.count < 0) {
    Fail("the block before", fmt::format("has the negative count {}", block.count));
  }
  const int64_t size = Long("the size of a block");
  *wanted = ran_out_ ? 2 * kMaxVarintBytes : offset_ - block.offset;
  block.bytes = Bytes(size, "a block");
  // The size is known to lie within the file.
  *wanted += size + kSyncBytes;
  CheckSync(block.offset, header);
  if (ran_out_) return std::nullopt;
  return block;
}

void ContainerReader::CheckSync(int64_t block_offset, const ContainerHeader& header) {
  const int64_t sync_offset = offset_;
  const ByteSpan sync = Bytes(kSyncBytes, "a sync marker");
  if (ran_out_ || std::ranges::equal(sync, header.sync)) return;
  ThrowInvalid(fmt::format("byte {}: the sync marker after the block at byte {} is wrong",
                           sync_offset, block_offset),
               "the file is damaged at or before this place");
}

int64_t ContainerReader::Long(std::string_view what) {
  if (ran_out_) return 0;
  const uint8_t* at = bytes_.data();
  const uint8_t* end = at + bytes_.size();
  int64_t value = 0;
  if (ReadLong(at, end, value)) {
    Bytes(at - bytes_.data(), what);
    return value;
  }
  if (end - at >= kMaxVarintBytes) Fail(what, "is not a valid number");
  if (static_cast<int64_t>(bytes_.size()) == file_size_ - offset_) {
    Fail(what, "ends beyond the file");
  }
  ran_out_ = true;
  return 0;
}

ByteSpan ContainerReader::Bytes(int64_t size, std::string_view what) {
  if (ran_out_) return {};
  if (size < 0) Fail(what, fmt::format("has the negative size {}", size));
  if (size > file_size_ - offset_) {
    Fail(what, fmt::format("has {} bytes, but the file ends after {}", size, file_size_ - offset_));
  }
  if (size > static_cast<int64_t>(bytes_.size())) {
    ran_out_ = true;
    return {};
  }
  const ByteSpan result = bytes_.first(static_cast<size_t>(size));
  bytes_ = bytes_.subspan(static_cast<size_t>(size));
  offset_ += size;
  return result;
}

void ContainerReader::Fail(std::string_view what, std::string_view problem) const {
  ThrowInvalid(fmt::format("byte {}: {} {}", offset_, what, problem));
}

}  // namespace nunatak::avro
