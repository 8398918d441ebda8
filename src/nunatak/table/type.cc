#include "nunatak/table/type.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/table/schema.h"

namespace nunatak {

struct Type::Details {
  std::vector<Field> fields;
  std::string crs;
  std::string algorithm;
};

namespace {

constexpr int kMaxDecimalPrecision = 38;

const std::string kEmpty;

}  // namespace

Type Type::Decimal(int precision, int scale) {
  if (precision < 1 || precision > kMaxDecimalPrecision) {
    ThrowInvalid(
        fmt::format("decimal precision must be 1 to {}, got {}", kMaxDecimalPrecision, precision));
  }
  if (scale < 0 || scale > precision) {
    ThrowInvalid(
        fmt::format("decimal scale must be 0 to the precision {}, got {}", precision, scale));
  }
  Type type(TypeId::kDecimal);
  type.precision_ = precision;
  type.scale_ = scale;
  return type;
}

Type Type::Fixed(int32_t length) {
  if (length < 0) ThrowInvalid(fmt::format("the length of fixed must not be negative: {}", length));
  Type type(TypeId::kFixed);
  type.precision_ = length;
  return type;
}

Type Type::WithDetails(TypeId id, Details details) {
  Type type(id);
  type.details_ = std::make_shared<const Details>(std::move(details));
  return type;
}

Type Type::Geometry(std::string crs) {
  return WithDetails(TypeId::kGeometry, {{}, std::move(crs), ""});
}

Type Type::Geography(std::string crs, std::string algorithm) {
  return WithDetails(TypeId::kGeography, {{}, std::move(crs), std::move(algorithm)});
}

Type Type::Struct(std::vector<Field> fields) {
  return WithDetails(TypeId::kStruct, {std::move(fields), "", ""});
}

Type Type::List(Field element) {
  std::vector<Field> fields;
  fields.push_back(std::move(element));
  return WithDetails(TypeId::kList, {std::move(fields), "", ""});
}

Type Type::Map(Field key, Field value) {
  std::vector<Field> fields;
  fields.push_back(std::move(key));
  fields.push_back(std::move(value));
  return WithDetails(TypeId::kMap, {std::move(fields), "", ""});
}

bool Type::is_comparable() const { return id_ >= TypeId::kBoolean && id_ <= TypeId::kBinary; }

const std::string& Type::crs() const { return details_ ? details_->crs : kEmpty; }

const std::string& Type::algorithm() const { return details_ ? details_->algorithm : kEmpty; }

std::span<const Field> Type::fields() const {
  return details_ ? std::span<const Field>(details_->fields) : std::span<const Field>();
}

const Field& Type::element() const { return fields()[0]; }

const Field& Type::key() const { return fields()[0]; }

const Field& Type::value() const { return fields()[1]; }

bool operator==(const Type& a, const Type& b) {
  if (a.id_ != b.id_ || a.precision_ != b.precision_ || a.scale_ != b.scale_) return false;
  if (a.details_ == b.details_) return true;
  return a.crs() == b.crs() && a.algorithm() == b.algorithm() &&
         std::equal(a.fields().begin(), a.fields().end(), b.fields().begin(), b.fields().end());
}

}  // namespace nunatak
