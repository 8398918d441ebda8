#include "nunatak/read/project/constant.h"

#include <arrow/api.h>

#include "nunatak/read/arrow_schema.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

/// Three times the constant, as Arrow prints it.
std::string Repeat(const Type& type, const Value& value) {
  const auto array = ConstantArray(ArrowTypeOf(type), ScalarOf(type, value), 3);
  EXPECT_TRUE(array->ValidateFull().ok());
  EXPECT_TRUE(array->type()->Equals(*ArrowTypeOf(type)));
  EXPECT_EQ(array->length(), 3);
  EXPECT_TRUE(array->Slice(0, 1)->Equals(array->Slice(2, 1)));
  return array->GetScalar(1).ValueOrDie()->ToString();
}

TEST(ConstantArray, EveryType) {
  EXPECT_EQ(Repeat(TypeId::kBoolean, Value::Integer(1)), "true");
  EXPECT_EQ(Repeat(TypeId::kInt, Value::Integer(INT32_MIN)), "-2147483648");
  EXPECT_EQ(Repeat(TypeId::kLong, Value::Integer(INT64_MAX)), "9223372036854775807");
  EXPECT_EQ(Repeat(TypeId::kFloat, Value::Real(0.5)), "0.5");
  EXPECT_EQ(Repeat(TypeId::kDouble, Value::Real(-2)), "-2");
  EXPECT_EQ(Repeat(Type::Decimal(38, 2), Value::Decimal(-PowerOfTen(30) - 1)),
            "-10000000000000000000000000000.01");
  EXPECT_EQ(Repeat(TypeId::kDate, Value::Integer(-1)), "1969-12-31");
  EXPECT_EQ(Repeat(TypeId::kTime, Value::Integer(1)), "00:00:00.000001");
  EXPECT_EQ(Repeat(TypeId::kTimestamp, Value::Integer(-1)), "1969-12-31 23:59:59.999999");
  EXPECT_EQ(Repeat(TypeId::kTimestampNs, Value::Integer(1)), "1970-01-01 00:00:00.000000001");
  EXPECT_EQ(Repeat(TypeId::kString, Value::Bytes("a")), "a");
  EXPECT_EQ(Repeat(Type::Fixed(2), Value::Bytes("ab")), "ab");
  EXPECT_EQ(Repeat(TypeId::kUnknown, Value::Null()), "null");
  EXPECT_EQ(Repeat(TypeId::kInt, Value::Null()), "null");
}

TEST(ConstantArray, NestedValues) {
  const Type list = Type::List(TableColumn(2, "element", TypeId::kInt));
  EXPECT_EQ(Repeat(list, Value::Nested({Value::Integer(1), Value::Null()})),
            "list<element: int32>[1, null]");
  const Type map = Type::Map(TableColumn(2, "key", TypeId::kString, true),
                             TableColumn(3, "value", TypeId::kInt));
  const auto maps = ConstantArray(
      ArrowTypeOf(map),
      ScalarOf(map, Value::Nested({Value::Nested({Value::Bytes("k"), Value::Integer(7)})})), 2);
  EXPECT_TRUE(maps->ValidateFull().ok());
  EXPECT_EQ(static_cast<const arrow::MapArray&>(*maps).value_length(1), 1);
}

TEST(ConstantArray, AStructWithAVariant) {
  const Type type = Type::Struct({TableColumn(2, "x", TypeId::kInt, Value::Integer(5)),
                                  TableColumn(3, "v", TypeId::kVariant)});
  const auto array = ConstantArray(
      ArrowTypeOf(type), ScalarOf(type, Value::Nested({Value::Null(), Value::Null()})), 2);
  EXPECT_TRUE(array->ValidateFull().ok());
  const auto& structs = static_cast<const arrow::StructArray&>(*array);
  EXPECT_EQ(structs.null_count(), 0);
  EXPECT_EQ(structs.field(1)->null_count(), 2);
}

TEST(ConstantArray, AStructTakesItsFieldsDefaults) {
  const Type point = Type::Struct({TableColumn(2, "x", TypeId::kInt, Value::Integer(0)),
                                   TableColumn(3, "y", TypeId::kInt, Value::Integer(5)),
                                   TableColumn(4, "z", TypeId::kInt)});
  const auto scalar =
      ScalarOf(point, Value::Nested({Value::Null(), Value::Integer(9), Value::Null()}));
  const auto& fields = static_cast<const arrow::StructScalar&>(*scalar).value;
  EXPECT_EQ(fields[0]->ToString(), "0");
  EXPECT_EQ(fields[1]->ToString(), "9");
  EXPECT_FALSE(fields[2]->is_valid);
}

TEST(ScalarOf, AValueOfAnotherTypeIsAnError) {
  const std::vector<std::pair<Type, Value>> wrong = {
      {TypeId::kInt, Value::Integer(int64_t{1} << 31)},
      {TypeId::kInt, Value::Bytes("1")},
      {TypeId::kString, Value::Integer(1)},
      {TypeId::kFloat, Value::Real(1e300)},
      {TypeId::kUuid, Value::Bytes("short")},
      {Type::Fixed(3), Value::Bytes("ab")},
      {Type::Decimal(2, 0), Value::Decimal(100)},
      {Type::List(TableColumn(2, "element", TypeId::kInt)), Value::Integer(1)},
      {TypeId::kInt, Value::Nested({})},
  };
  for (const auto& [type, value] : wrong) {
    EXPECT_EQ(ErrorFrom([&] { ScalarOf(type, value); }).code(), ErrorCode::kInvalid)
        << type.ToString();
  }
}

}  // namespace
}  // namespace nunatak
