#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "nunatak/table/schema.h"
#include "nunatak/table/value.h"

namespace nunatak {

inline Field RequiredField(int32_t id, std::string name, Type type) {
  return {.id = id, .name = std::move(name), .required = true, .type = std::move(type)};
}
inline Field OptionalField(int32_t id, std::string name, Type type) {
  return {.id = id, .name = std::move(name), .required = false, .type = std::move(type)};
}

inline Value IntegerOrNull(const std::optional<int64_t>& value) {
  return value ? Value::Integer(*value) : Value::Null();
}
inline Value BytesOrNull(const std::optional<std::string>& value) {
  return value ? Value::Bytes(*value) : Value::Null();
}

/// Milliseconds since the epoch as a timestamptz, in microseconds; what is beyond their range is
/// the nearest that is not.
inline Value TimestampOf(int64_t milliseconds) {
  int64_t micros = 0;
  if (__builtin_mul_overflow(milliseconds, int64_t{1000}, &micros)) {
    micros = milliseconds < 0 ? std::numeric_limits<int64_t>::min()
                              : std::numeric_limits<int64_t>::max();
  }
  return Value::Integer(micros);
}

inline Value MapValue(const std::map<std::string, std::string>& map) {
  Value::List entries;
  for (const auto& [key, value] : map) {
    entries.push_back(Value::Nested({Value::Bytes(key), Value::Bytes(value)}));
  }
  return Value::Nested(std::move(entries));
}

inline Type StringMapType(int32_t key_id, int32_t value_id) {
  return Type::Map(RequiredField(key_id, "key", TypeId::kString),
                   OptionalField(value_id, "value", TypeId::kString));
}

}  // namespace nunatak
