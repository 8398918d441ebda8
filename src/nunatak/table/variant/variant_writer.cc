#include "nunatak/table/variant/variant_writer.h"

#include <algorithm>
#include <bit>

namespace nunatak {

namespace {

constexpr size_t kShortString = 64;

size_t BytesFor(uint64_t value) {
  size_t size = 1;
  while (size < 4 && (value >> (8 * size)) != 0) ++size;
  return size;
}

void Put(uint64_t value, size_t size, std::string* out) {
  for (size_t i = 0; i < size; ++i) out->push_back(static_cast<char>(value >> (8 * i)));
}

/// The byte after a nested value's header, or four of them.
void PutCount(size_t count, bool large, std::string* out) { Put(count, large ? 4 : 1, out); }

constexpr size_t kLargestSmallCount = 255;

}  // namespace

void VariantWriter::Header(VariantType type) {
  out_.push_back(static_cast<char>(static_cast<uint8_t>(type) << 2));
}

void VariantWriter::Append(uint64_t value, size_t size) { Put(value, size, &out_); }

void VariantWriter::Null() { Header(VariantType::kNull); }

void VariantWriter::Boolean(bool value) {
  Header(value ? VariantType::kTrue : VariantType::kFalse);
}

void VariantWriter::Integer(VariantType type, int64_t value) {
  Header(type);
  size_t size = 8;
  if (type == VariantType::kInt8) size = 1;
  if (type == VariantType::kInt16) size = 2;
  if (type == VariantType::kInt32 || type == VariantType::kDate) size = 4;
  Append(static_cast<uint64_t>(value), size);
}

void VariantWriter::Real(VariantType type, double value) {
  Header(type);
  if (type == VariantType::kFloat) {
    Append(std::bit_cast<uint32_t>(static_cast<float>(value)), 4);
  } else {
    Append(std::bit_cast<uint64_t>(value), 8);
  }
}

void VariantWriter::Decimal(VariantType type, Int128 unscaled, int scale) {
  Header(type);
  Append(static_cast<uint64_t>(scale), 1);
  if (type == VariantType::kDecimal4) return Append(static_cast<uint64_t>(unscaled), 4);
  Append(static_cast<uint64_t>(unscaled), 8);
  if (type == VariantType::kDecimal16) Append(static_cast<uint64_t>(unscaled >> 64), 8);
}

void VariantWriter::Bytes(VariantType type, ByteSpan bytes) {
  if (type == VariantType::kString && bytes.size() < kShortString) {
    Append(bytes.size() << 2 | 1, 1);
  } else {
    Header(type);
    if (type != VariantType::kUuid) Append(bytes.size(), 4);
  }
  Encoded(bytes);
}

void VariantWriter::Encoded(ByteSpan value) { out_ += AsText(value); }

void VariantWriter::FinishArray(size_t start, std::span<const size_t> starts) {
  const size_t total = position() - start;
  const size_t offset_size = BytesFor(total);
  const bool large = starts.size() > kLargestSmallCount;
  std::string header;
  Put((size_t{large} << 2 | (offset_size - 1)) << 2 | 3, 1, &header);
  PutCount(starts.size(), large, &header);
  for (const size_t part : starts) Put(part - start, offset_size, &header);
  Put(total, offset_size, &header);
  out_.insert(start, header);
}

void VariantWriter::FinishObject(size_t start, std::span<const Field> fields) {
  const size_t total = position() - start;
  const size_t offset_size = BytesFor(total);
  uint32_t greatest_id = 0;
  for (const Field& field : fields) greatest_id = std::max(greatest_id, field.id);
  const size_t id_size = BytesFor(greatest_id);
  const bool large = fields.size() > kLargestSmallCount;
  std::string header;
  Put((size_t{large} << 4 | (id_size - 1) << 2 | (offset_size - 1)) << 2 | 2, 1, &header);
  PutCount(fields.size(), large, &header);
  for (const Field& field : fields) Put(field.id, id_size, &header);
  for (const Field& field : fields) Put(field.start - start, offset_size, &header);
  Put(total, offset_size, &header);
  out_.insert(start, header);
}

}  // namespace nunatak
