#include "nunatak/table/variant/variant_json.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/table/type.h"
#include "nunatak/table/value.h"
#include "nunatak/table/value_json.h"
#include "nunatak/table/variant/variant_view.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

/// By `VariantType`.
constexpr std::array<std::string_view, 21> kTypeNames = {
    "NULL",
    "BOOLEAN_TRUE",
    "BOOLEAN_FALSE",
    "INT8",
    "INT16",
    "INT32",
    "INT64",
    "DOUBLE",
    "DECIMAL4",
    "DECIMAL8",
    "DECIMAL16",
    "DATE",
    "TIMESTAMPTZ",
    "TIMESTAMPNTZ",
    "FLOAT",
    "BINARY",
    "STRING",
    "TIME",
    "TIMESTAMPTZ_NANOS",
    "TIMESTAMPNTZ_NANOS",
    "UUID",
};

constexpr size_t kMaxNameBytesPerByte = 1000;

ordered_json IntegerToJson(TypeId type, const VariantView& value) {
  return ValueToCell(Type(type), Value::Integer(value.integer()));
}

ordered_json BytesToJson(TypeId type, const VariantView& value) {
  return ValueToCell(Type(type), Value::Bytes(std::string(AsText(value.data()))));
}

ordered_json PrimitiveToJson(const VariantView& value) {
  switch (value.type()) {
    case VariantType::kInt8:
    case VariantType::kInt16:
    case VariantType::kInt32:
    case VariantType::kInt64:
      return value.integer();
    case VariantType::kFloat:
      return ValueToCell(Type(TypeId::kFloat), Value::Real(value.real()));
    case VariantType::kDouble:
      return ValueToCell(Type(TypeId::kDouble), Value::Real(value.real()));
    case VariantType::kDecimal4:
    case VariantType::kDecimal8:
    case VariantType::kDecimal16:
      return DecimalToString(value.unscaled(), value.scale());
    case VariantType::kDate:
      return IntegerToJson(TypeId::kDate, value);
    case VariantType::kTime:
      return IntegerToJson(TypeId::kTime, value);
    case VariantType::kTimestamp:
      return IntegerToJson(TypeId::kTimestamp, value);
    case VariantType::kTimestampTz:
      return IntegerToJson(TypeId::kTimestampTz, value);
    case VariantType::kTimestampNs:
      return IntegerToJson(TypeId::kTimestampNs, value);
    case VariantType::kTimestampTzNs:
      return IntegerToJson(TypeId::kTimestampTzNs, value);
    case VariantType::kBinary:
      return BytesToJson(TypeId::kBinary, value);
    case VariantType::kUuid:
      return BytesToJson(TypeId::kUuid, value);
    default:
      return nullptr;
  }
}

/// Writes one variant.
class Writer {
 public:
  Writer(const VariantMetadata& metadata, size_t value_size)
      : metadata_(metadata),
        names_left_((metadata.bytes().size() + value_size) * kMaxNameBytesPerByte) {}

  ordered_json ToJson(const VariantView& value) {
    switch (value.type()) {
      case VariantType::kNull:
        return nullptr;
      case VariantType::kTrue:
        return true;
      case VariantType::kFalse:
        return false;
      case VariantType::kString:
        return std::string(AsText(value.data()));
      case VariantType::kObject:
        return ObjectToJson(value);
      case VariantType::kArray:
        return ArrayToJson(value);
      default:
        return {{"$type", kTypeNames[static_cast<size_t>(value.type())]},
                {"$value", PrimitiveToJson(value)}};
    }
  }

 private:
  ordered_json ObjectToJson(const VariantView& value) {
    ordered_json object = ordered_json::object();
    // Names are known to differ: no look-up for each.
    auto& fields = object.get_ref<ordered_json::object_t&>();
    for (uint32_t i = 0; i < value.size(); ++i) {
      fields.emplace_back(NameOf(value.FieldId(i)), ToJson(value.At(i)));
    }
    return object;
  }

  ordered_json ArrayToJson(const VariantView& value) {
    ordered_json array = ordered_json::array();
    for (uint32_t i = 0; i < value.size(); ++i) array.push_back(ToJson(value.At(i)));
    return array;
  }

  /// Objects share the names of the dictionary, so that a few bytes may stand for many.
  std::string NameOf(uint32_t id) {
    const std::string_view name = metadata_.NameOf(id);
    if (name.size() > names_left_) {
      ThrowInvalid("malformed variant: as text it takes a thousand times its bytes");
    }
    names_left_ -= name.size();
    return std::string(name);
  }

  const VariantMetadata& metadata_;
  size_t names_left_;
};

}  // namespace

ordered_json VariantToJson(ByteSpan metadata, ByteSpan value) {
  const VariantMetadata names(metadata);
  ValidateVariant(names, value);
  const VariantView view(value);
  if (view.type() == VariantType::kNull) return {{"$type", "NULL"}, {"$value", nullptr}};
  return Writer(names, value.size()).ToJson(view);
}

}  // namespace nunatak
