#pragma once

#include <arrow/api.h>
#include <arrow/util/decimal.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "nunatak/table/type.h"
#include "read/scan_fixture.h"

namespace nunatak {

/// Random columns of every type.
class RandomColumns {
 public:
  /// Timestamps lie within `timestamp_range` of the epoch.
  explicit RandomColumns(uint32_t seed,
                         int64_t timestamp_range = std::numeric_limits<int64_t>::max())
      : random_(seed), timestamp_range_(timestamp_range) {}

  /// A primitive type, or a nested one of at most `depth` levels.
  Type RandomType(int depth) {
    const Type kPrimitives[] = {
        TypeId::kBoolean,       TypeId::kInt,         TypeId::kLong,        TypeId::kFloat,
        TypeId::kDouble,        Type::Decimal(38, 7), Type::Decimal(9, 0),  TypeId::kDate,
        TypeId::kTime,          TypeId::kTimestamp,   TypeId::kTimestampTz, TypeId::kTimestampNs,
        TypeId::kTimestampTzNs, TypeId::kString,      TypeId::kUuid,        Type::Fixed(3),
        TypeId::kBinary,        Type::Geometry("x"),  TypeId::kUnknown};
    constexpr size_t kCount = std::size(kPrimitives);
    const size_t choice = Below(depth > 0 ? kCount + 3 : kCount);
    if (choice < kCount) return kPrimitives[choice];
    if (choice == kCount) return Type::List(Part("element", depth - 1));
    if (choice == kCount + 1) return Type::Map(Part("key", 0), Part("value", depth - 1));
    return Type::Struct({Part("a\"b", depth - 1), Part("é", depth - 1)});
  }

  /// One cell, in the form that Arrow's builders take.
  void Append(const Type& type, arrow::ArrayBuilder& builder, bool may_be_null = true) {
    if (type.id() == TypeId::kUnknown || (may_be_null && Below(5) == 0)) {
      return Check(builder.AppendNull());
    }
    switch (type.id()) {
      case TypeId::kStruct: {
        auto& structs = static_cast<arrow::StructBuilder&>(builder);
        Check(structs.Append());
        for (int i = 0; i < 2; ++i) {
          Append(type.fields()[static_cast<size_t>(i)].type, *structs.field_builder(i));
        }
        return;
      }
      case TypeId::kList: {
        auto& lists = static_cast<arrow::ListBuilder&>(builder);
        Check(lists.Append());
        for (size_t n = Below(4); n > 0; --n) Append(type.element().type, *lists.value_builder());
        return;
      }
      case TypeId::kMap: {
        auto& maps = static_cast<arrow::MapBuilder&>(builder);
        Check(maps.Append());
        for (size_t n = Below(4); n > 0; --n) {
          Append(type.key().type, *maps.key_builder(), /*may_be_null=*/false);
          Append(type.value().type, *maps.item_builder());
        }
        return;
      }
      default:
        return AppendPrimitive(type, builder);
    }
  }

  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }

 private:
  Field Part(std::string name, int depth) {
    // The key of a map cannot be unknown.
    Type type = RandomType(depth);
    if (name == "key" && type.id() == TypeId::kUnknown) type = TypeId::kInt;
    const bool required = name == "key";
    return TableColumn(++fields_, std::move(name), std::move(type), required);
  }

  static void Check(const arrow::Status& status) { ASSERT_TRUE(status.ok()) << status.ToString(); }

  /// Any bits, or few.
  uint64_t Bits() { return random_() >> Below(64); }
  int64_t Integer() { return static_cast<int64_t>(Below(2) == 0 ? Bits() : uint64_t{0} - Bits()); }

  double Real() {
    const double kSpecial[] = {0.0,
                               -0.0,
                               1e16,
                               1e-5,
                               std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity(),
                               -1.5e300};
    const size_t choice = Below(14);
    if (choice < std::size(kSpecial)) return kSpecial[choice];
    return std::bit_cast<double>(random_());
  }

  std::string Text(bool any_bytes, size_t size) {
    const std::string_view kPieces[] = {"a", "\"", "\\", "\n", ",", " ", "é", "€", "😀", "\x01"};
    std::string text;
    while (text.size() < size) {
      text += any_bytes ? std::string(1, static_cast<char>(random_()))
                        : std::string(kPieces[Below(std::size(kPieces))]);
    }
    return text;
  }

  void AppendPrimitive(const Type& type, arrow::ArrayBuilder& builder) {
    switch (type.id()) {
      case TypeId::kBoolean:
        return Check(static_cast<arrow::BooleanBuilder&>(builder).Append(Below(2) == 0));
      case TypeId::kInt:
        return Check(
            static_cast<arrow::Int32Builder&>(builder).Append(static_cast<int32_t>(Integer())));
      case TypeId::kDate:
        return Check(
            static_cast<arrow::Date32Builder&>(builder).Append(static_cast<int32_t>(Integer())));
      case TypeId::kLong:
        return Check(static_cast<arrow::Int64Builder&>(builder).Append(Integer()));
      case TypeId::kTime:
        return Check(static_cast<arrow::Time64Builder&>(builder).Append(Integer()));
      case TypeId::kTimestamp:
      case TypeId::kTimestampTz:
      case TypeId::kTimestampNs:
      case TypeId::kTimestampTzNs:
        return Check(
            static_cast<arrow::TimestampBuilder&>(builder).Append(Integer() % timestamp_range_));
      case TypeId::kFloat:
        return Check(static_cast<arrow::FloatBuilder&>(builder).Append(static_cast<float>(Real())));
      case TypeId::kDouble:
        return Check(static_cast<arrow::DoubleBuilder&>(builder).Append(Real()));
      case TypeId::kDecimal:
        return Check(static_cast<arrow::Decimal128Builder&>(builder).Append(
            arrow::Decimal128(Integer() % 1'000'000'000)));
      case TypeId::kUuid:
        return Check(static_cast<arrow::FixedSizeBinaryBuilder&>(builder).Append(Text(true, 16)));
      case TypeId::kFixed:
        return Check(static_cast<arrow::FixedSizeBinaryBuilder&>(builder).Append(Text(true, 3)));
      case TypeId::kString:
        return Check(
            static_cast<arrow::StringBuilder&>(builder).Append(Text(Below(8) == 0, Below(9))));
      default:
        return Check(static_cast<arrow::BinaryBuilder&>(builder).Append(Text(true, Below(5))));
    }
  }

  std::mt19937_64 random_;
  int64_t timestamp_range_;
  int32_t fields_ = 100;
};

}  // namespace nunatak
