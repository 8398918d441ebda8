#include "nunatak/hive/merge_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "nunatak/base/error.h"

namespace nunatak::hive {

namespace {

std::vector<Field> FieldsIn(const Type& type) {
  return {type.fields().begin(), type.fields().end()};
}

/// The same nested type with other fields.
Type WithFields(const Type& type, std::vector<Field> fields) {
  switch (type.id()) {
    case TypeId::kList:
      return Type::List(std::move(fields[0]));
    case TypeId::kMap:
      return Type::Map(std::move(fields[0]), std::move(fields[1]));
    default:
      return Type::Struct(std::move(fields));
  }
}

/// The primitive type that values of both are read as.
std::optional<Type> Promoted(const Type& a, const Type& b) {
  const auto are = [&](TypeId one, TypeId other) {
    return (a.id() == one && b.id() == other) || (a.id() == other && b.id() == one);
  };
  const auto is_bytes = [](const Type& type) {
    return type.id() == TypeId::kFixed || type.id() == TypeId::kBinary;
  };
  if (are(TypeId::kInt, TypeId::kLong)) return TypeId::kLong;
  if (are(TypeId::kFloat, TypeId::kDouble)) return TypeId::kDouble;
  if (are(TypeId::kDecimal, TypeId::kDecimal) && a.scale() == b.scale()) {
    return Type::Decimal(std::max(a.precision(), b.precision()), a.scale());
  }
  if (is_bytes(a) && is_bytes(b)) return TypeId::kBinary;
  return std::nullopt;
}

Type Merged(const Type& a, const Type& b) {
  if (b.id() == TypeId::kUnknown) return a;
  if (a.id() == TypeId::kUnknown) return b;
  if (a.is_nested() && a.id() == b.id()) {
    std::vector<Field> fields = FieldsIn(a);
    MergeFields(FieldsIn(b), &fields);
    return WithFields(a, std::move(fields));
  }
  if (a == b) return a;
  if (std::optional<Type> promoted = Promoted(a, b)) return *promoted;
  ThrowInvalid(fmt::format("it is a {} here and a {} in files before it, which are not one type",
                           b.ToString(), a.ToString()),
               "read the files of each type by themselves");
}

void AssignIds(std::vector<Field>* fields, int32_t* next) {
  for (Field& field : *fields) field.id = (*next)++;
  for (Field& field : *fields) {
    if (!field.type.is_nested()) continue;
    std::vector<Field> nested = FieldsIn(field.type);
    AssignIds(&nested, next);
    field.type = WithFields(field.type, std::move(nested));
  }
}

}  // namespace

void MergeFields(const std::vector<Field>& more, std::vector<Field>* fields) {
  for (const Field& field : more) {
    const auto known = std::find_if(fields->begin(), fields->end(),
                                    [&](const Field& other) { return other.name == field.name; });
    if (known == fields->end()) {
      fields->push_back(field);
    } else {
      known->type = WithContext(fmt::format("column {}", field.name),
                                [&] { return Merged(known->type, field.type); });
    }
  }
}

bool Promotes(const Type& from, const Type& to) { return from == to || Promoted(from, to) == to; }

std::vector<Field> WithFreshIds(const std::vector<Field>& fields) {
  std::vector<Field> numbered = fields;
  int32_t next = 1;
  AssignIds(&numbered, &next);
  return numbered;
}

}  // namespace nunatak::hive
