#pragma once

#include <libdeflate.h>
#include <snappy.h>
#include <zstd.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/hash.h"

namespace nunatak::testing {

/// Encodes values after the Avro specification, "Binary Encoding"; calls chain:
/// `AvroBytes().Long(27).Text("foo").bytes()` is a record of a long and a string.
class AvroBytes {
 public:
  AvroBytes& Long(int64_t value) {
    uint64_t bits = (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
    for (; bits >= 0x80; bits >>= 7) Byte(static_cast<uint8_t>(bits | 0x80));
    return Byte(static_cast<uint8_t>(bits));
  }
  AvroBytes& Int(int32_t value) { return Long(value); }
  AvroBytes& Boolean(bool value) { return Byte(value ? 1 : 0); }
  AvroBytes& Float(float value) { return LittleEndian(std::bit_cast<uint32_t>(value), 4); }
  AvroBytes& Double(double value) { return LittleEndian(std::bit_cast<uint64_t>(value), 8); }
  /// A string or bytes.
  AvroBytes& Text(std::string_view value) {
    return Long(static_cast<int64_t>(value.size())).Raw(value);
  }
  /// A fixed, a value that is encoded already, or damage.
  AvroBytes& Raw(std::string_view value) {
    bytes_ += value;
    return *this;
  }
  AvroBytes& Byte(uint8_t value) {
    bytes_ += static_cast<char>(value);
    return *this;
  }
  /// Before a value of a union.
  AvroBytes& Branch(int64_t index) { return Long(index); }
  /// The null of a union ["null", …], and what comes before a value that is not null.
  AvroBytes& Null() { return Branch(0); }
  AvroBytes& NotNull() { return Branch(1); }

  /// A list or map of encoded items, in one block.
  AvroBytes& Items(const std::vector<std::string>& items) {
    if (!items.empty()) {
      Long(static_cast<int64_t>(items.size()));
      for (const std::string& item : items) Raw(item);
    }
    return Long(0);
  }
  /// One block of items in the form with a negative count and a size; `Long(0)` ends the list.
  AvroBytes& SizedBlock(const std::vector<std::string>& items) {
    std::string bytes;
    for (const std::string& item : items) bytes += item;
    return Long(-static_cast<int64_t>(items.size())).Text(bytes);
  }
  /// A metric map of counts or of bounds by column id, as Iceberg writes them.
  AvroBytes& LongMap(std::initializer_list<std::pair<int32_t, int64_t>> entries) {
    std::vector<std::string> items;
    for (const auto& [key, value] : entries)
      items.push_back(AvroBytes().Int(key).Long(value).bytes());
    return Items(items);
  }
  AvroBytes& TextMap(std::initializer_list<std::pair<int32_t, std::string_view>> entries) {
    std::vector<std::string> items;
    for (const auto& [key, value] : entries)
      items.push_back(AvroBytes().Int(key).Text(value).bytes());
    return Items(items);
  }

  const std::string& bytes() const { return bytes_; }

 private:
  AvroBytes& LittleEndian(uint64_t bits, int size) {
    for (int i = 0; i < size; ++i) Byte(static_cast<uint8_t>(bits >> (8 * i)));
    return *this;
  }

  std::string bytes_;
};

/// Compresses a block as the codec of this name wants it.
inline std::string CompressAvroBlock(std::string_view codec, const std::string& data) {
  if (codec == "deflate") {
    libdeflate_compressor* compressor = libdeflate_alloc_compressor(6);
    std::string out(libdeflate_deflate_compress_bound(compressor, data.size()), '\0');
    out.resize(
        libdeflate_deflate_compress(compressor, data.data(), data.size(), out.data(), out.size()));
    libdeflate_free_compressor(compressor);
    return out;
  }
  if (codec == "snappy") {
    std::string out;
    snappy::Compress(data.data(), data.size(), &out);
    const uint32_t checksum = Crc32(AsBytes(data));
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(checksum >> shift);
    return out;
  }
  if (codec == "zstandard") {
    std::string out(ZSTD_compressBound(data.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), data.data(), data.size(), 3));
    return out;
  }
  if (codec == "null") return data;
  throw std::invalid_argument("no such codec: " + std::string(codec));
}

/// An object container file to be written from encoded records:
/// `AvroFile{.schema = "…", .codec = "deflate", .blocks = {{record, record}, {record}}}.Write()`.
struct AvroFile {
  /// JSON.
  std::string schema;
  std::string codec = "null";
  /// Beside avro.schema and avro.codec.
  std::vector<std::pair<std::string, std::string>> metadata = {};
  /// Encoded records, block by block; a block may be empty.
  std::vector<std::vector<std::string>> blocks = {};
  std::string sync = "0123456789abcdef";

  std::string Write() const {
    AvroBytes file;
    file.Raw(std::string_view("Obj\x01", 4));
    std::vector<std::string> entries = {
        AvroBytes().Text("avro.schema").Text(schema).bytes(),
        AvroBytes().Text("avro.codec").Text(codec).bytes(),
    };
    for (const auto& [key, value] : metadata) {
      entries.push_back(AvroBytes().Text(key).Text(value).bytes());
    }
    file.Items(entries).Raw(sync);
    for (const std::vector<std::string>& records : blocks) {
      std::string data;
      for (const std::string& record : records) data += record;
      file.Long(static_cast<int64_t>(records.size()));
      file.Text(CompressAvroBlock(codec, data)).Raw(sync);
    }
    return file.bytes();
  }
};

}  // namespace nunatak::testing
