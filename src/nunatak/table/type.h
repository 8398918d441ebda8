#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/export.h"

namespace nunatak {

struct Field;

enum class TypeId : uint8_t {
  kUnknown,
  kBoolean,
  kInt,
  kLong,
  kFloat,
  kDouble,
  kDecimal,
  kDate,
  kTime,
  kTimestamp,
  kTimestampTz,
  kTimestampNs,
  kTimestampTzNs,
  kString,
  kUuid,
  kFixed,
  kBinary,
  kVariant,
  kGeometry,
  kGeography,
  kStruct,
  kList,
  kMap,
};

/// An Iceberg type (specification, "Schemas and Data Types"), v1 to v3. Immutable and cheap to
/// copy: nested types share their fields.
class NUNATAK_EXPORT Type {
 public:
  /// The unknown type.
  Type() = default;
  /// A type without parameters; not for decimal, fixed, geometry, geography and nested types.
  Type(TypeId id) : id_(id) {}  // NOLINT(google-explicit-constructor): a bare id reads as its type
  /// Throws `ErrorCode::kInvalid` unless 1 ≤ precision ≤ 38 and 0 ≤ scale ≤ precision.
  static Type Decimal(int precision, int scale);
  /// Throws `ErrorCode::kInvalid` for a negative length.
  static Type Fixed(int32_t length);
  /// `crs` is the coordinate reference system, "OGC:CRS84" unless the type says otherwise.
  static Type Geometry(std::string crs);
  static Type Geography(std::string crs, std::string algorithm);
  static Type Struct(std::vector<Field> fields);
  /// `element` is a field named "element".
  static Type List(Field element);
  /// Fields named "key" (required) and "value".
  static Type Map(Field key, Field value);

  TypeId id() const { return id_; }
  bool is_struct() const { return id_ == TypeId::kStruct; }
  bool is_nested() const { return id_ >= TypeId::kStruct; }
  /// Primitive types have bounds and can be compared, hashed and used in filters; not so unknown,
  /// variant, geometry, geography and nested types.
  bool is_comparable() const;

  int precision() const { return precision_; }
  int scale() const { return scale_; }
  /// Bytes of a fixed.
  int32_t length() const { return precision_; }
  const std::string& crs() const;
  const std::string& algorithm() const;

  /// struct: its fields; list: the element; map: key and value; else empty.
  std::span<const Field> fields() const;
  const Field& element() const;
  const Field& key() const;
  const Field& value() const;

  /// The name as the specification spells it: "decimal(9, 2)", "fixed[16]", "timestamptz_ns",
  /// "geography(OGC:CRS84, spherical)"; nested: "struct<1: a: required int, …>", "list<…>", "map<…,
  /// …>".
  std::string ToString() const;

  /// Same type, field ids, names, nullability, docs and defaults included.
  friend NUNATAK_EXPORT bool operator==(const Type& a, const Type& b);

 private:
  struct Details;
  static Type WithDetails(TypeId id, Details details);

  TypeId id_ = TypeId::kUnknown;
  int precision_ = 0;
  int scale_ = 0;
  std::shared_ptr<const Details> details_;
};

/// Parses the name of a type that is not nested, as JSON schemas spell it; white space inside the
/// parentheses is free. Throws `ErrorCode::kInvalid` for malformed parameters (decimal precision
/// beyond 38, fixed length below 0 …) and `kUnsupported` for a type nobody here knows, by name.
NUNATAK_EXPORT Type ParsePrimitiveType(std::string_view name);

}  // namespace nunatak
