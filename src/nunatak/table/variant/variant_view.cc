#include "nunatak/table/variant/variant_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "nunatak/base/error.h"

namespace nunatak {

namespace {

constexpr int kVersion = 1;
constexpr uint8_t kMaxScale = 38;

/// The bytes after the header of each primitive type; −1 where a length stands first.
constexpr std::array<int, 21> kPrimitiveSizes = {
    0, 0, 0, 1, 2, 4, 8, 8, 5, 9, 17, 4, 8, 8, 4, -1, -1, 8, 8, 8, 16,
};

uint32_t LoadUnsigned(const uint8_t* at, size_t size) {
  uint32_t value = 0;
  for (size_t i = 0; i < size; ++i) value |= static_cast<uint32_t>(at[i]) << (8 * i);
  return value;
}

[[noreturn]] void ThrowShort(std::string_view what, size_t needed, size_t present) {
  ThrowInvalid(
      fmt::format("malformed variant: {} takes {} bytes, and has {}", what, needed, present));
}

}  // namespace

VariantMetadata::VariantMetadata(ByteSpan bytes) : bytes_(bytes) {
  if (bytes.empty()) ThrowInvalid("malformed variant: its metadata is empty");
  const int version = bytes[0] & 0x0F;
  if (version != kVersion) ThrowUnsupported(fmt::format("variant of encoding version {}", version));
  offset_size_ = static_cast<size_t>(bytes[0] >> 6) + 1;
  if (bytes.size() < 1 + offset_size_) {
    ThrowShort("the size of its dictionary", 1 + offset_size_, bytes.size());
  }
  size_ = LoadUnsigned(bytes.data() + 1, offset_size_);
  names_ = 1 + offset_size_ * (size_t{size_} + 2);
  if (bytes.size() < names_) ThrowShort("its dictionary", names_, bytes.size());
  size_t previous = 0;
  for (size_t i = 0; i <= size_; ++i) {
    const size_t offset = OffsetAt(i);
    if (offset < previous || (i == 0 && offset != 0)) {
      ThrowInvalid(fmt::format("malformed variant: name {} begins at byte offset {}", i, offset));
    }
    previous = offset;
  }
  if (names_ + previous != bytes.size()) ThrowShort("metadata", names_ + previous, bytes.size());
}

size_t VariantMetadata::OffsetAt(size_t index) const {
  return LoadUnsigned(bytes_.data() + 1 + offset_size_ * (index + 1), offset_size_);
}

std::string_view VariantMetadata::NameOf(uint32_t id) const {
  if (id >= size_) {
    ThrowInvalid(
        fmt::format("malformed variant: field id {} in a dictionary of {} names", id, size_));
  }
  const size_t begin = OffsetAt(id);
  return AsText(bytes_.subspan(names_ + begin, OffsetAt(size_t{id} + 1) - begin));
}

VariantView::VariantView(ByteSpan bytes) : bytes_(bytes) {
  if (bytes.empty()) ThrowInvalid("malformed variant: a value has no bytes");
  const auto header = static_cast<uint8_t>(bytes[0] >> 2);
  payload_ = 1;
  const int basic_type = bytes[0] & 3;
  if (basic_type == 0) {
    ReadPrimitive(header);
  } else if (basic_type == 1) {
    type_ = VariantType::kString;
    Cut(size_t{1} + header);
  } else {
    type_ = basic_type == 2 ? VariantType::kObject : VariantType::kArray;
    ReadNested(header);
  }
}

void VariantView::Cut(size_t size) {
  if (bytes_.size() < size) ThrowShort("a value", size, bytes_.size());
  bytes_ = bytes_.first(size);
}

void VariantView::ReadPrimitive(uint8_t header) {
  if (header >= kPrimitiveSizes.size()) {
    ThrowUnsupported(fmt::format("variant value of the primitive type {}", header));
  }
  type_ = static_cast<VariantType>(header);
  const int size = kPrimitiveSizes[header];
  if (size >= 0) {
    Cut(1 + static_cast<size_t>(size));
  } else {
    payload_ = 1 + sizeof(uint32_t);
    if (bytes_.size() < payload_) ThrowShort("a length", payload_, bytes_.size());
    Cut(payload_ + LoadLittleEndian<uint32_t>(bytes_.data() + 1));
  }
  const bool decimal = type_ >= VariantType::kDecimal4 && type_ <= VariantType::kDecimal16;
  if (decimal && bytes_[1] > kMaxScale) {
    ThrowInvalid(fmt::format("malformed variant: decimal of scale {}", bytes_[1]));
  }
}

/// Of an array: is_large, 1 bit │ offset size − 1, 2 bits. Of an object: is_large │ id size − 1, 2
/// bits │ offset size − 1.
void VariantView::ReadNested(uint8_t header) {
  const bool object = type_ == VariantType::kObject;
  offset_size_ = static_cast<uint8_t>((header & 3) + 1);
  id_size_ = object ? static_cast<uint8_t>(((header >> 2) & 3) + 1) : 0;
  const bool large = ((header >> (object ? 4 : 2)) & 1) != 0;
  const size_t count_size = large ? 4 : 1;
  ids_ = 1 + count_size;
  if (bytes_.size() < ids_) ThrowShort("the size of a nested value", ids_, bytes_.size());
  size_ = LoadUnsigned(bytes_.data() + 1, count_size);
  offsets_ = ids_ + size_t{size_} * id_size_;
  payload_ = offsets_ + (size_t{size_} + 1) * offset_size_;
  if (bytes_.size() < payload_) {
    ThrowShort(fmt::format("a nested value of {} parts", size_), payload_, bytes_.size());
  }
  Cut(payload_ +
      LoadUnsigned(bytes_.data() + offsets_ + size_t{size_} * offset_size_, offset_size_));
}

int64_t VariantView::integer() const {
  const uint8_t* at = bytes_.data() + payload_;
  switch (bytes_.size() - payload_) {
    case 1:
      return LoadLittleEndian<int8_t>(at);
    case 2:
      return LoadLittleEndian<int16_t>(at);
    case 4:
      return LoadLittleEndian<int32_t>(at);
    default:
      return LoadLittleEndian<int64_t>(at);
  }
}

double VariantView::real() const {
  const uint8_t* at = bytes_.data() + payload_;
  if (type_ == VariantType::kFloat) return static_cast<double>(LoadLittleEndian<float>(at));
  return LoadLittleEndian<double>(at);
}

int VariantView::scale() const { return bytes_[1]; }

Int128 VariantView::unscaled() const {
  const uint8_t* at = bytes_.data() + 2;
  if (type_ == VariantType::kDecimal4) return LoadLittleEndian<int32_t>(at);
  if (type_ == VariantType::kDecimal8) return LoadLittleEndian<int64_t>(at);
  return LoadLittleEndian<Int128>(at);
}

ByteSpan VariantView::data() const { return bytes_.subspan(payload_); }

VariantView VariantView::At(uint32_t i) const {
  const size_t offset =
      LoadUnsigned(bytes_.data() + offsets_ + size_t{i} * offset_size_, offset_size_);
  if (offset > values_size()) ThrowShort("a nested value", offset, values_size());
  return VariantView(bytes_.subspan(payload_ + offset));
}

uint32_t VariantView::FieldId(uint32_t i) const {
  return LoadUnsigned(bytes_.data() + ids_ + size_t{i} * id_size_, id_size_);
}

namespace {

/// Names are in order but for those of writers that order them otherwise than by bytes.
void CheckNames(const VariantMetadata& metadata, const VariantView& object) {
  std::vector<std::string_view> names;
  names.reserve(object.size());
  for (uint32_t i = 0; i < object.size(); ++i) names.push_back(metadata.NameOf(object.FieldId(i)));
  if (!std::is_sorted(names.begin(), names.end())) std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) {
    ThrowInvalid(fmt::format("malformed variant: an object has the field '{}' twice", *twice));
  }
}

/// What nested values take together is at most what there is, so that no part of the bytes is
/// visited twice.
void ValidateNested(const VariantMetadata& metadata, const VariantView& value, int depth) {
  if (!value.is_nested()) return;
  if (depth == kMaxVariantDepth) {
    ThrowInvalid(fmt::format("malformed variant: nested deeper than {}", kMaxVariantDepth));
  }
  size_t used = 0;
  for (uint32_t i = 0; i < value.size(); ++i) {
    const VariantView part = value.At(i);
    used += part.bytes().size();
    if (used > value.values_size()) ThrowInvalid("malformed variant: nested values share bytes");
    ValidateNested(metadata, part, depth + 1);
  }
  if (value.type() == VariantType::kObject) CheckNames(metadata, value);
}

}  // namespace

void ValidateVariant(const VariantMetadata& metadata, ByteSpan value) {
  const VariantView view(value);
  if (view.bytes().size() != value.size()) {
    ThrowInvalid(fmt::format("malformed variant: a value of {} bytes is followed by {} others",
                             view.bytes().size(), value.size() - view.bytes().size()));
  }
  ValidateNested(metadata, view, 0);
}

}  // namespace nunatak
