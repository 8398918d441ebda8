#include "nunatak/read/project/promote.h"

#include <arrow/api.h>
#include <arrow/json/from_string.h>

#include "nunatak/read/arrow_schema.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

using arrow::json::ArrayFromJSONString;

struct Case {
  std::shared_ptr<arrow::DataType> from;
  std::string values;
  Type to;
  std::string expected;
};

std::shared_ptr<arrow::Array> Convert(const Case& c) {
  const auto array = ArrayFromJSONString(c.from, c.values).ValueOrDie();
  EXPECT_TRUE(CanReadAs(*c.from, c.to)) << c.from->ToString();
  return arrow::MakeArray(ReadAs(array->data(), ArrowTypeOf(c.to)));
}

TEST(ReadAs, PromotionsAndPhysicalForms) {
  const auto us = arrow::TimeUnit::MICRO;
  const std::vector<Case> cases = {
      // The specification's promotions.
      {arrow::int32(), "[-2147483648, null, 2147483647]", TypeId::kLong,
       "[-2147483648, null, 2147483647]"},
      {arrow::float32(), "[0.5, null, -2]", TypeId::kDouble, "[0.5, null, -2]"},
      {arrow::decimal128(4, 2), R"(["12.34", null, "-99.99"])", Type::Decimal(38, 2),
       R"(["12.34", null, "-99.99"])"},
      {arrow::date32(), "[-1, null, 1, 106751990]", TypeId::kTimestamp,
       "[-86400000000, null, 86400000000, 9223371936000000000]"},
      {arrow::date32(), "[-1, 1]", TypeId::kTimestampNs, "[-86400000000000, 86400000000000]"},
      // What other formats widen beyond that.
      {arrow::int8(), "[-128, null]", TypeId::kDouble, "[-128, null]"},
      {arrow::int32(), "[-2147483648, 2147483647]", TypeId::kDouble, "[-2147483648, 2147483647]"},
      {arrow::int16(), "[7]", Type::Decimal(12, 2), R"(["7.00"])"},
      {arrow::int64(), "[-9223372036854775808]", Type::Decimal(21, 1),
       R"(["-9223372036854775808.0"])"},
      {arrow::decimal128(4, 2), R"(["12.34", null])", Type::Decimal(8, 4), R"(["12.3400", null])"},
      // What imported files have.
      {arrow::int8(), "[-128, 127]", TypeId::kInt, "[-128, 127]"},
      {arrow::uint16(), "[65535]", TypeId::kInt, "[65535]"},
      {arrow::uint32(), "[4294967295]", TypeId::kLong, "[4294967295]"},
      {arrow::time32(arrow::TimeUnit::MILLI), "[1, 86399999]", TypeId::kTime,
       "[1000, 86399999000]"},
      {arrow::timestamp(arrow::TimeUnit::MILLI), "[-1]", TypeId::kTimestampTz, "[-1000]"},
      {arrow::timestamp(arrow::TimeUnit::NANO, "UTC"), "[-2000]", TypeId::kTimestamp, "[-2]"},
      {arrow::timestamp(us, "UTC"), "[5]", TypeId::kTimestamp, "[5]"},
      {arrow::timestamp(us), "[5]", TypeId::kTimestampTz, "[5]"},
      {arrow::binary(), R"(["a", null])", TypeId::kString, R"(["a", null])"},
      {arrow::utf8(), R"(["a", null])", TypeId::kBinary, R"(["a", null])"},
      {arrow::fixed_size_binary(2), R"(["ab", null])", TypeId::kBinary, R"(["ab", null])"},
  };
  for (const Case& c : cases) {
    const auto expected = ArrayFromJSONString(ArrowTypeOf(c.to), c.expected).ValueOrDie();
    const auto converted = Convert(c);
    EXPECT_TRUE(converted->ValidateFull().ok());
    EXPECT_TRUE(converted->Equals(*expected))
        << c.from->ToString() << " as " << c.to.ToString() << ": " << converted->ToString();
  }
}

TEST(ReadAs, KeepsASliceASlice) {
  for (const auto& type : {arrow::int32(), arrow::int64()}) {
    const auto array = ArrayFromJSONString(type, "[1, 2, 3]").ValueOrDie()->Slice(1, 2);
    const auto converted = arrow::MakeArray(ReadAs(array->data(), arrow::int64()));
    EXPECT_TRUE(converted->Equals(ArrayFromJSONString(arrow::int64(), "[2, 3]").ValueOrDie()));
  }
}

TEST(ReadAs, AValueThatDoesNotFitIsAnError) {
  const std::vector<Case> cases = {
      {arrow::uint32(), "[4294967295]", TypeId::kInt, ""},
      {arrow::uint64(), "[18446744073709551615]", TypeId::kLong, ""},
      {arrow::decimal128(6, 2), R"(["1234.56"])", Type::Decimal(4, 2), ""},
      {arrow::date32(), "[106751992]", TypeId::kTimestamp, ""},
      {arrow::date32(), "[106752]", TypeId::kTimestampNs, ""},
      {arrow::timestamp(arrow::TimeUnit::NANO), "[1]", TypeId::kTimestamp, ""},
      {arrow::timestamp(arrow::TimeUnit::MILLI), "[9223372036854775807]", TypeId::kTimestamp, ""},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(ErrorFrom([&] { Convert(c); }).code(), ErrorCode::kInvalid) << c.from->ToString();
  }
}

TEST(CanReadAs, RefusesOtherTypes) {
  const std::vector<std::pair<std::shared_ptr<arrow::DataType>, Type>> wrong = {
      {arrow::int64(), TypeId::kInt},
      {arrow::float64(), TypeId::kFloat},
      {arrow::int32(), TypeId::kString},
      {arrow::utf8(), TypeId::kInt},
      {arrow::decimal128(9, 3), Type::Decimal(9, 2)},
      {arrow::int64(), TypeId::kTimestamp},
      {arrow::date32(), TypeId::kTimestampTz},
      {arrow::timestamp(arrow::TimeUnit::MICRO), TypeId::kDate},
      {arrow::fixed_size_binary(15), TypeId::kUuid},
      {arrow::fixed_size_binary(3), Type::Fixed(4)},
      {arrow::boolean(), TypeId::kInt},
  };
  for (const auto& [from, to] : wrong) {
    EXPECT_FALSE(CanReadAs(*from, to)) << from->ToString() << " as " << to.ToString();
  }
}

}  // namespace
}  // namespace nunatak
