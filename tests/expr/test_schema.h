#pragma once

#include <utility>
#include <vector>

#include "nunatak/table/schema.h"

namespace nunatak {

inline Field Optional(int32_t id, std::string name, Type type) {
  Field field;
  field.id = id;
  field.name = std::move(name);
  field.type = std::move(type);
  return field;
}

inline Field Required(int32_t id, std::string name, Type type) {
  Field field = Optional(id, std::move(name), std::move(type));
  field.required = true;
  return field;
}

/// One optional column of every type, named after it, and a few more.
inline Schema EveryType() {
  std::vector<Field> fields = {
      Optional(1, "b", TypeId::kBoolean),
      Optional(2, "i", TypeId::kInt),
      Optional(3, "l", TypeId::kLong),
      Optional(4, "f", TypeId::kFloat),
      Optional(5, "d", TypeId::kDouble),
      Optional(6, "dec", Type::Decimal(9, 2)),
      Optional(7, "dec38", Type::Decimal(38, 10)),
      Optional(8, "day", TypeId::kDate),
      Optional(9, "tm", TypeId::kTime),
      Optional(10, "ts", TypeId::kTimestamp),
      Optional(11, "tz", TypeId::kTimestampTz),
      Optional(12, "tsn", TypeId::kTimestampNs),
      Optional(13, "tzn", TypeId::kTimestampTzNs),
      Optional(14, "s", TypeId::kString),
      Optional(15, "u", TypeId::kUuid),
      Optional(16, "fix", Type::Fixed(4)),
      Optional(17, "bin", TypeId::kBinary),
      Optional(18, "un", TypeId::kUnknown),
      Optional(19, "var", TypeId::kVariant),
      Optional(20, "geo", Type::Geometry("OGC:CRS84")),
      Optional(21, "st",
               Type::Struct({Optional(22, "a", TypeId::kInt), Required(23, "r", TypeId::kInt)})),
      Required(24, "rs", Type::Struct({Required(25, "a", TypeId::kInt)})),
      Optional(26, "li", Type::List(Optional(27, "element", TypeId::kInt))),
      Required(28, "req", TypeId::kLong),
      Optional(29, "my.col", TypeId::kString),
      Optional(30, "and", TypeId::kInt),
      Optional(31, "CamelCase", TypeId::kInt),
      Required(32, "rd", TypeId::kDouble),
  };
  return Schema(0, std::move(fields));
}

}  // namespace nunatak
