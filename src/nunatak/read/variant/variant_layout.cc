#include "nunatak/read/variant/variant_layout.h"

#include <arrow/type.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "nunatak/base/error.h"

namespace nunatak {

namespace {

using Shape = VariantLayout::Shape;

constexpr int kInt32Bytes = 4;
constexpr int kInt64Bytes = 8;

VariantType TimestampOf(const arrow::TimestampType& type) {
  const bool nanoseconds = type.unit() == arrow::TimeUnit::NANO;
  if (type.timezone().empty()) {
    return nanoseconds ? VariantType::kTimestampNs : VariantType::kTimestamp;
  }
  return nanoseconds ? VariantType::kTimestampTzNs : VariantType::kTimestampTz;
}

/// A decimal has the variant type of what the file stores it as, whatever its precision.
VariantType DecimalOf(const FileField& field) {
  if (field.decimal_bytes == kInt32Bytes) return VariantType::kDecimal4;
  if (field.decimal_bytes == kInt64Bytes) return VariantType::kDecimal8;
  return VariantType::kDecimal16;
}

std::optional<VariantType> PrimitiveOf(const FileField& field) {
  const arrow::DataType& type = *field.type;
  switch (type.id()) {
    case arrow::Type::BOOL:
      return VariantType::kTrue;
    case arrow::Type::INT8:
      return VariantType::kInt8;
    case arrow::Type::INT16:
      return VariantType::kInt16;
    case arrow::Type::INT32:
      return VariantType::kInt32;
    case arrow::Type::INT64:
      return VariantType::kInt64;
    case arrow::Type::FLOAT:
      return VariantType::kFloat;
    case arrow::Type::DOUBLE:
      return VariantType::kDouble;
    case arrow::Type::DECIMAL128:
      return DecimalOf(field);
    case arrow::Type::DATE32:
      return VariantType::kDate;
    case arrow::Type::TIME64:
      if (static_cast<const arrow::TimeType&>(type).unit() != arrow::TimeUnit::MICRO) break;
      return VariantType::kTime;
    case arrow::Type::TIMESTAMP: {
      const auto& timestamp = static_cast<const arrow::TimestampType&>(type);
      if (timestamp.unit() < arrow::TimeUnit::MICRO) break;
      return TimestampOf(timestamp);
    }
    case arrow::Type::BINARY:
      return VariantType::kBinary;
    case arrow::Type::STRING:
      return VariantType::kString;
    case arrow::Type::FIXED_SIZE_BINARY:
      if (static_cast<const arrow::FixedSizeBinaryType&>(type).byte_width() != 16) break;
      return VariantType::kUuid;
    default:
      break;
  }
  return std::nullopt;
}

int IndexOf(const FileField& group, std::string_view name) {
  for (size_t i = 0; i < group.children.size(); ++i) {
    if (group.children[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

/// The place of a part that holds bytes, or −1.
int BytesIndexOf(const FileField& group, std::string_view name) {
  const int index = IndexOf(group, name);
  if (index < 0) return index;
  const arrow::DataType& type = *group.children[static_cast<size_t>(index)].type;
  if (type.id() == arrow::Type::BINARY) return index;
  ThrowInvalid(
      fmt::format("the {} of a variant has the Arrow type {}, not binary", name, type.ToString()));
}

void ReadShredded(const FileField& typed, VariantLayout* layout);

/// A group of `value` and `typed_value`: a variant, a field of an object, the element of an array.
VariantLayout ShreddedLayoutOf(const FileField& group) {
  if (group.type->id() != arrow::Type::STRUCT) {
    ThrowInvalid(fmt::format("a part of a variant has the Arrow type {}, not a struct",
                             group.type->ToString()));
  }
  VariantLayout layout;
  layout.value = BytesIndexOf(group, "value");
  layout.typed_value = IndexOf(group, "typed_value");
  if (layout.typed_value >= 0) {
    WithContext("typed_value", [&] {
      ReadShredded(group.children[static_cast<size_t>(layout.typed_value)], &layout);
    });
  } else if (layout.value < 0) {
    ThrowInvalid("a part of a variant has neither value nor typed_value");
  }
  return layout;
}

void ReadObject(const FileField& typed, VariantLayout* layout) {
  for (size_t i = 0; i < typed.children.size(); ++i) {
    const FileField& child = typed.children[i];
    layout->parts.push_back({child.name, static_cast<int>(i),
                             WithContext(child.name, [&] { return ShreddedLayoutOf(child); })});
  }
  std::sort(layout->parts.begin(), layout->parts.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  const auto twice =
      std::adjacent_find(layout->parts.begin(), layout->parts.end(),
                         [](const auto& a, const auto& b) { return a.name == b.name; });
  if (twice != layout->parts.end()) ThrowInvalid(fmt::format("two fields named {}", twice->name));
}

void ReadShredded(const FileField& typed, VariantLayout* layout) {
  switch (typed.type->id()) {
    case arrow::Type::STRUCT:
      layout->shape = Shape::kObject;
      return ReadObject(typed, layout);
    case arrow::Type::LIST:
      layout->shape = Shape::kArray;
      layout->parts.push_back({"element", 0, ShreddedLayoutOf(typed.children.at(0))});
      return;
    default:
      break;
  }
  const std::optional<VariantType> type = PrimitiveOf(typed);
  if (!type) {
    ThrowInvalid(
        fmt::format("a variant cannot be shredded as the Arrow type {}", typed.type->ToString()));
  }
  layout->shape = Shape::kPrimitive;
  layout->type = *type;
}

}  // namespace

VariantLayout VariantLayoutOf(const FileField& group) {
  VariantLayout layout = ShreddedLayoutOf(group);
  layout.metadata = BytesIndexOf(group, "metadata");
  if (layout.metadata < 0) ThrowInvalid("the variant has no metadata");
  return layout;
}

}  // namespace nunatak
