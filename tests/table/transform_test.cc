#include "nunatak/table/transform.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "nunatak/table/datetime.h"
#include "nunatak/table/schema.h"
#include "table/thrown_error.h"

namespace nunatak {
namespace {

using std::string_view_literals::operator""sv;

constexpr int32_t kMinInt = std::numeric_limits<int32_t>::min();
constexpr int32_t kMaxInt = std::numeric_limits<int32_t>::max();
constexpr int64_t kMinLong = std::numeric_limits<int64_t>::min();
constexpr int64_t kMaxLong = std::numeric_limits<int64_t>::max();

const std::vector<TypeId> kTimestamps = {TypeId::kTimestamp, TypeId::kTimestampTz};
const std::vector<TypeId> kNanoTimestamps = {TypeId::kTimestampNs, TypeId::kTimestampTzNs};

int64_t Micros(std::string_view text) { return ParseTimestamp(text, 6)->value; }
int64_t Nanos(std::string_view text) { return ParseTimestamp(text, 9)->value; }

int64_t ApplyInteger(std::string_view transform, const Type& type, int64_t value) {
  return Transform::Parse(transform).Apply(type, ValueView::Integer(value)).integer;
}

std::string ApplyBytes(std::string_view transform, const Type& type, std::string_view value) {
  return std::string(Transform::Parse(transform).Apply(type, ValueView::Bytes(value)).text());
}

TEST(TransformNames, RoundTrip) {
  for (const char* name : {"identity", "bucket[16]", "truncate[4]", "year", "month", "day", "hour",
                           "void", "bucket[2147483647]"}) {
    const Transform transform = Transform::Parse(name);
    EXPECT_NE(transform.id(), TransformId::kUnknown) << name;
    EXPECT_EQ(transform.ToString(), name);
  }
  EXPECT_EQ(Transform::Parse("Bucket[16]"), Transform(TransformId::kBucket, 16));
  EXPECT_EQ(Transform::Parse("IDENTITY").ToString(), "identity");
}

TEST(TransformNames, ThatNobodyKnowsKeepTheirText) {
  for (const char* name : {"zorder", "ZOrder[4]", "years", "", "identity[3]", "bucket"}) {
    const Transform transform = Transform::Parse(name);
    EXPECT_EQ(transform.id(), TransformId::kUnknown) << name;
    EXPECT_EQ(transform.ToString(), name);
  }
  EXPECT_FALSE(Transform::Parse("a") == Transform::Parse("b"));
}

TEST(TransformNames, WithBadParametersAreInvalid) {
  for (const char* name :
       {"bucket[0]", "bucket[-1]", "truncate[0]", "truncate[-4]", "bucket[]", "bucket[2147483648]",
        "bucket[a]", "bucket[4", "bucket[4]]", "bucket[4 ]", "truncate[1.5]", "bucket["}) {
    EXPECT_ERROR(Transform::Parse(name), ErrorCode::kInvalid, name) << name;
  }
}

// Two buckets of different width are different transforms; so are a bucket and a truncation.
TEST(Transform, EqualityLooksAtTheParameter) {
  EXPECT_FALSE(Transform::Parse("bucket[8]") == Transform::Parse("bucket[16]"));
  EXPECT_FALSE(Transform::Parse("bucket[8]") == Transform::Parse("truncate[8]"));
  EXPECT_EQ(Transform::Parse("bucket[8]"), Transform::Parse("BUCKET[8]"));
}

int32_t HashInteger(TypeId type, int64_t value) {
  return BucketHash(type, ValueView::Integer(value));
}

// Appendix B, "32-bit Hash Requirements".
TEST(BucketHash, GivesTheTestValuesOfTheSpecification) {
  EXPECT_EQ(HashInteger(TypeId::kInt, 34), 2017239379);
  EXPECT_EQ(HashInteger(TypeId::kLong, 34), 2017239379);
  EXPECT_EQ(BucketHash(Type::Decimal(9, 2), ValueView::Decimal(1420)), -500754589);
  EXPECT_EQ(HashInteger(TypeId::kDate, *ParseDate("2017-11-16")), -653330422);
  EXPECT_EQ(HashInteger(TypeId::kTime, *ParseTime("22:31:08")), -662762989);
  EXPECT_EQ(HashInteger(TypeId::kTimestamp, Micros("2017-11-16T22:31:08")), -2047944441);
  EXPECT_EQ(HashInteger(TypeId::kTimestamp, Micros("2017-11-16T22:31:08.000001")), -1207196810);
  EXPECT_EQ(HashInteger(TypeId::kTimestampTz, Micros("2017-11-16T14:31:08-08:00")), -2047944441);
  EXPECT_EQ(HashInteger(TypeId::kTimestampTz, Micros("2017-11-16T14:31:08.000001-08:00")),
            -1207196810);
  EXPECT_EQ(HashInteger(TypeId::kTimestampNs, Nanos("2017-11-16T22:31:08")), -2047944441);
  EXPECT_EQ(HashInteger(TypeId::kTimestampNs, Nanos("2017-11-16T22:31:08.000001001")), -1207196810);
  EXPECT_EQ(HashInteger(TypeId::kTimestampTzNs, Nanos("2017-11-16T14:31:08-08:00")), -2047944441);
  EXPECT_EQ(HashInteger(TypeId::kTimestampTzNs, Nanos("2017-11-16T14:31:08.000001001-08:00")),
            -1207196810);
  EXPECT_EQ(BucketHash(TypeId::kString, ValueView::Bytes("iceberg"sv)), 1210000089);
  const auto uuid = "\xF7\x9C\x3E\x09\x67\x7C\x4B\xBD\xA4\x79\x3F\x34\x9C\xB7\x85\xE7"sv;
  EXPECT_EQ(BucketHash(TypeId::kUuid, ValueView::Bytes(uuid)), 1488055340);
  EXPECT_EQ(BucketHash(Type::Fixed(4), ValueView::Bytes("\x00\x01\x02\x03"sv)), -188683207);
  EXPECT_EQ(BucketHash(TypeId::kBinary, ValueView::Bytes("\x00\x01\x02\x03"sv)), -188683207);
  EXPECT_EQ(HashInteger(TypeId::kBoolean, 1), 1392991556);
  for (TypeId type : {TypeId::kFloat, TypeId::kDouble}) {
    EXPECT_EQ(BucketHash(type, ValueView::Real(1.0)), -142385009);
    EXPECT_EQ(BucketHash(type, ValueView::Real(0.0)), 1669671676);
    EXPECT_EQ(BucketHash(type, ValueView::Real(-0.0)), 1669671676);
  }
}

// "Type promotion" of the specification: the text hashes unlike the number.
TEST(BucketHash, OfTextIsNotThatOfTheNumber) {
  EXPECT_EQ(BucketHash(TypeId::kString, ValueView::Bytes("34"sv)), -427558391);
}

TEST(BucketHash, OfDecimalsUsesTheFewestBytes) {
  const Type type = Type::Decimal(9, 2);
  EXPECT_EQ(BucketHash(type, ValueView::Decimal(-1)), -43192051);
  EXPECT_EQ(BucketHash(type, ValueView::Decimal(1)), -463810133);
  EXPECT_EQ(BucketHash(type, ValueView::Decimal(128)), 1544076949);
  EXPECT_EQ(Transform(TransformId::kBucket, 16).Apply(type, ValueView::Decimal(-128)).integer, 13);
}

TEST(BucketHash, OfNanosecondsIsThatOfTheMicrosecondBelow) {
  for (TypeId type : kNanoTimestamps) {
    EXPECT_EQ(HashInteger(type, -1001), HashInteger(TypeId::kTimestamp, -2));
    EXPECT_EQ(HashInteger(type, 1001), HashInteger(TypeId::kTimestamp, 1));
    EXPECT_EQ(HashInteger(type, -1), HashInteger(TypeId::kTimestamp, -1));
    EXPECT_EQ(HashInteger(type, kMinLong),
              HashInteger(TypeId::kTimestamp, FloorDivide(kMinLong, 1000)));
  }
}

TEST(BucketHash, OfEveryNanIsOne) {
  const double negative = std::bit_cast<double>(0xFFF8000000000001);
  EXPECT_EQ(BucketHash(TypeId::kDouble, ValueView::Real(negative)),
            BucketHash(TypeId::kDouble, ValueView::Real(std::numeric_limits<double>::quiet_NaN())));
}

TEST(Bucket, IsTheHashWithoutItsSignModuloTheCount) {
  EXPECT_EQ(ApplyInteger("bucket[16]", TypeId::kInt, 34), 2017239379 % 16);
  EXPECT_EQ(Transform(TransformId::kBucket, 100)
                .Apply(Type::Decimal(9, 2), ValueView::Decimal(1420))
                .integer,
            (-500754589 & kMaxInt) % 100);
}

TEST(Bucket, StaysInItsRange) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 10'000; ++i) {
    const auto value = static_cast<int64_t>(random());
    const auto count = static_cast<int32_t>(random() % kMaxInt + 1) >> (i % 31) | 1;
    const Transform bucket(TransformId::kBucket, count);
    const int64_t got = bucket.Apply(TypeId::kLong, ValueView::Integer(value)).integer;
    ASSERT_GE(got, 0);
    ASSERT_LT(got, count);
  }
}

// "Truncate Transform Details".
TEST(Truncate, GivesTheExamplesOfTheSpecification) {
  for (TypeId type : {TypeId::kInt, TypeId::kLong}) {
    EXPECT_EQ(ApplyInteger("truncate[10]", type, 1), 0);
    EXPECT_EQ(ApplyInteger("truncate[10]", type, -1), -10);
    EXPECT_EQ(ApplyInteger("truncate[10]", type, -10), -10);
    EXPECT_EQ(ApplyInteger("truncate[10]", type, -11), -20);
  }
  const Transform fifty(TransformId::kTruncate, 50);
  EXPECT_EQ(fifty.Apply(Type::Decimal(9, 2), ValueView::Decimal(1065)).decimal, Int128{1050});
  EXPECT_EQ(fifty.Apply(Type::Decimal(9, 2), ValueView::Decimal(-1)).decimal, Int128{-50});
  EXPECT_EQ(ApplyBytes("truncate[3]", TypeId::kString, "iceberg"), "ice");
  EXPECT_EQ(ApplyBytes("truncate[3]", TypeId::kBinary, "\x01\x02\x03\x04\x05"), "\x01\x02\x03");
}

TEST(Truncate, CutsStringsByCodePointsAndBinaryByBytes) {
  EXPECT_EQ(ApplyBytes("truncate[2]", TypeId::kString, "ünïc"), "ün");
  EXPECT_EQ(ApplyBytes("truncate[1]", TypeId::kString, "😀😀"), "😀");
  EXPECT_EQ(ApplyBytes("truncate[9]", TypeId::kString, "ünï"), "ünï");
  EXPECT_EQ(ApplyBytes("truncate[9]", TypeId::kString, ""), "");
  EXPECT_EQ(ApplyBytes("truncate[1]", TypeId::kBinary, "ü"), "\xC3");
  EXPECT_EQ(ApplyBytes("truncate[9]", TypeId::kBinary, "ab"), "ab");
}

TEST(Truncate, LeavesARemainderBelowTheWidth) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 10'000; ++i) {
    const auto value = static_cast<int64_t>(random()) >> (i % 40 + 1);
    const auto width = static_cast<int32_t>(random() % kMaxInt + 1) >> (i % 31) | 1;
    const Transform truncate(TransformId::kTruncate, width);
    const int64_t got = truncate.Apply(TypeId::kLong, ValueView::Integer(value)).integer;
    ASSERT_EQ(got % width, 0);
    ASSERT_LE(got, value);
    ASSERT_LT(value - got, width);
    const Int128 decimal = truncate.Apply(Type::Decimal(38, 0), ValueView::Decimal(value)).decimal;
    ASSERT_EQ(static_cast<int64_t>(decimal), got);
    ASSERT_FALSE(truncate.Wraps(TypeId::kLong, ValueView::Integer(value)));
  }
}

// Java computes in 32 and 64 bits: next to the least value the result wraps, and is stored so.
TEST(Truncate, WrapsNextToTheLeastValue) {
  EXPECT_EQ(ApplyInteger("truncate[10]", TypeId::kInt, kMinInt), kMaxInt - 1);
  EXPECT_EQ(ApplyInteger("truncate[10]", TypeId::kLong, kMinLong), kMaxLong - 1);
  EXPECT_EQ(ApplyInteger("truncate[10]", TypeId::kInt, kMinInt + 8), kMinInt + 8);
  EXPECT_EQ(ApplyInteger("truncate[2147483647]", TypeId::kInt, kMaxInt), kMaxInt);
  const Transform ten = Transform::Parse("truncate[10]");
  EXPECT_TRUE(ten.Wraps(TypeId::kInt, ValueView::Integer(kMinInt)));
  EXPECT_TRUE(ten.Wraps(TypeId::kLong, ValueView::Integer(kMinLong)));
  EXPECT_FALSE(ten.Wraps(TypeId::kLong, ValueView::Integer(kMinInt)));
  EXPECT_FALSE(ten.Wraps(TypeId::kInt, ValueView::Integer(kMaxInt)));
  EXPECT_FALSE(ten.Wraps(TypeId::kInt, ValueView()));
  EXPECT_FALSE(ten.Wraps(TypeId::kString, ValueView::Bytes("a"sv)));
}

struct TemporalCase {
  const char* text;
  int64_t year, month, day, hour;
};

// Rows at and around the epoch, and those of 1900, with ordinals counted by hand.
const TemporalCase kTemporal[] = {
    {"1970-01-01T00:00:00", 0, 0, 0, 0},
    {"1969-12-31T23:59:59.999999", -1, -1, -1, -1},
    {"1969-12-31T23:59:59", -1, -1, -1, -1},
    {"1969-12-31T22:00:00", -1, -1, -1, -2},
    {"1969-12-25T00:00:00", -1, -1, -7, -168},
    {"1900-01-01T00:00:00", -70, -840, -25567, -613608},
    {"2017-11-16T22:31:08", 47, 574, 17486, 419686},
    {"2021-06-01T01:00:00", 51, 617, 18779, 450697},
    {"0001-01-01T00:00:00", -1969, -23628, -719162, -17259888},
};

TEST(TemporalTransforms, FloorOnBothSidesOfTheEpoch) {
  for (const TemporalCase& c : kTemporal) {
    for (TypeId type : kTimestamps) {
      const int64_t value = Micros(c.text);
      EXPECT_EQ(ApplyInteger("year", type, value), c.year) << c.text;
      EXPECT_EQ(ApplyInteger("month", type, value), c.month) << c.text;
      EXPECT_EQ(ApplyInteger("day", type, value), c.day) << c.text;
      EXPECT_EQ(ApplyInteger("hour", type, value), c.hour) << c.text;
    }
    const auto date = static_cast<int32_t>(c.day);
    EXPECT_EQ(ApplyInteger("year", TypeId::kDate, date), c.year) << c.text;
    EXPECT_EQ(ApplyInteger("month", TypeId::kDate, date), c.month) << c.text;
    EXPECT_EQ(ApplyInteger("day", TypeId::kDate, date), c.day) << c.text;
  }
}

TEST(TemporalTransforms, FloorNanoseconds) {
  for (TypeId type : kNanoTimestamps) {
    EXPECT_EQ(ApplyInteger("hour", type, 1510871468000001001), 419686);
    EXPECT_EQ(ApplyInteger("hour", type, -1510871468000001001), -419687);
    EXPECT_EQ(ApplyInteger("day", type, 1510871468000001001), 17486);
    EXPECT_EQ(ApplyInteger("month", type, 1510871468000001001), 574);
    EXPECT_EQ(ApplyInteger("year", type, 1510871468000001001), 47);
    for (const char* name : {"year", "month", "day", "hour"}) {
      EXPECT_EQ(ApplyInteger(name, type, -1), -1) << name;
      EXPECT_EQ(ApplyInteger(name, type, 999), 0) << name;
    }
  }
}

// The expected years and days are those of the ends of the range as Java prints them.
TEST(TemporalTransforms, ReachTheEndsOfTheRange) {
  EXPECT_EQ(ApplyInteger("year", TypeId::kTimestamp, kMaxLong), 294247 - 1970);
  EXPECT_EQ(ApplyInteger("year", TypeId::kTimestamp, kMinLong), -290308 - 1970);
  EXPECT_EQ(ApplyInteger("year", TypeId::kTimestampNs, kMinLong), 1677 - 1970);
  EXPECT_EQ(ApplyInteger("day", TypeId::kTimestamp, kMaxLong), 106751991);
  EXPECT_EQ(ApplyInteger("day", TypeId::kTimestamp, kMinLong), -106751992);
  EXPECT_EQ(ApplyInteger("year", TypeId::kDate, kMaxInt), 5881580 - 1970);
  EXPECT_EQ(ApplyInteger("month", TypeId::kDate, kMinInt), (-5877641 - 1970) * 12 + 5);
}

// 2562047788 hours exceed an int; Java's narrowing cast gives what is stored.
TEST(TemporalTransforms, WrapHoursBeyondAnInt) {
  const Transform hour(TransformId::kHour);
  EXPECT_EQ(ApplyInteger("hour", TypeId::kTimestamp, kMaxLong), -1732919508);
  EXPECT_TRUE(hour.Wraps(TypeId::kTimestamp, ValueView::Integer(kMaxLong)));
  EXPECT_TRUE(hour.Wraps(TypeId::kTimestamp, ValueView::Integer(kMinLong)));
  EXPECT_FALSE(hour.Wraps(TypeId::kTimestampNs, ValueView::Integer(kMaxLong)));
  EXPECT_FALSE(hour.Wraps(TypeId::kTimestamp, ValueView::Integer(Micros("9999-12-31T23:59:59"))));
  EXPECT_FALSE(
      Transform(TransformId::kDay).Wraps(TypeId::kTimestamp, ValueView::Integer(kMaxLong)));
}

TEST(Transforms, KeepNullAndVoidGivesIt) {
  for (const char* name :
       {"identity", "bucket[4]", "truncate[4]", "year", "month", "day", "hour", "void"}) {
    EXPECT_TRUE(Transform::Parse(name).Apply(TypeId::kTimestamp, ValueView()).is_null()) << name;
  }
  EXPECT_TRUE(Transform(TransformId::kVoid).Apply(TypeId::kInt, ValueView::Integer(1)).is_null());
  EXPECT_EQ(ApplyInteger("identity", TypeId::kLong, kMinLong), kMinLong);
  EXPECT_EQ(ApplyBytes("identity", TypeId::kString, "a"), "a");
}

struct SourceRow {
  Type type;
  const char* transforms;
};

// The table of "Partition Transforms": i identity, b bucket, t truncate, y year (and month, day), h
// hour.
TEST(Transforms, AcceptTheSourceTypesOfTheSpecification) {
  const SourceRow rows[] = {
      {TypeId::kBoolean, "i"},        {TypeId::kInt, "ibt"},
      {TypeId::kLong, "ibt"},         {TypeId::kFloat, "i"},
      {TypeId::kDouble, "i"},         {Type::Decimal(9, 2), "ibt"},
      {TypeId::kDate, "iby"},         {TypeId::kTime, "ib"},
      {TypeId::kTimestamp, "ibyh"},   {TypeId::kTimestampTz, "ibyh"},
      {TypeId::kTimestampNs, "ibyh"}, {TypeId::kTimestampTzNs, "ibyh"},
      {TypeId::kString, "ibt"},       {TypeId::kUuid, "ib"},
      {Type::Fixed(4), "ib"},         {TypeId::kBinary, "ibt"},
      {TypeId::kUnknown, "i"},        {TypeId::kVariant, ""},
      {Type::Geometry("c"), ""},      {Type::Struct({}), ""},
  };
  for (const SourceRow& row : rows) {
    const std::string_view allowed = row.transforms;
    const auto can = [&](const char* name) {
      return Transform::Parse(name).CanTransform(row.type);
    };
    const auto listed = [&](char c) { return allowed.find(c) != std::string_view::npos; };
    const std::string name = row.type.ToString();
    EXPECT_EQ(can("identity"), listed('i')) << name;
    EXPECT_EQ(can("bucket[4]"), listed('b')) << name;
    EXPECT_EQ(can("truncate[4]"), listed('t')) << name;
    EXPECT_EQ(can("year"), listed('y')) << name;
    EXPECT_EQ(can("month"), listed('y')) << name;
    EXPECT_EQ(can("day"), listed('y')) << name;
    EXPECT_EQ(can("hour"), listed('h')) << name;
    EXPECT_TRUE(can("void")) << name;
    EXPECT_TRUE(can("zorder")) << name;
  }
}

TEST(Transforms, KnowTheTypeOfTheirResults) {
  EXPECT_EQ(Transform::Parse("identity").ResultType(TypeId::kUuid), Type(TypeId::kUuid));
  EXPECT_EQ(Transform::Parse("truncate[4]").ResultType(Type::Decimal(9, 2)), Type::Decimal(9, 2));
  EXPECT_EQ(Transform::Parse("day").ResultType(TypeId::kTimestamp), Type(TypeId::kDate));
  for (const char* name : {"bucket[4]", "year", "month", "hour"}) {
    EXPECT_EQ(Transform::Parse(name).ResultType(TypeId::kTimestamp), Type(TypeId::kInt)) << name;
  }
  EXPECT_EQ(Transform::Parse("void").ResultType(TypeId::kDate), Type(TypeId::kDate));
  EXPECT_EQ(Transform::Parse("zorder").ResultType(TypeId::kDate), Type(TypeId::kString));
}

TEST(Transforms, ThatPreserveOrderDo) {
  std::mt19937_64 random(6);
  for (const char* name : {"identity", "truncate[7]", "year", "month", "day", "hour"}) {
    const Transform transform = Transform::Parse(name);
    EXPECT_TRUE(transform.PreservesOrder()) << name;
    const Type type = transform.id() == TransformId::kTruncate ? TypeId::kLong : TypeId::kTimestamp;
    for (int i = 0; i < 2'000; ++i) {
      int64_t a = static_cast<int64_t>(random()) >> (i % 60 + 1);
      int64_t b = static_cast<int64_t>(random()) >> (i % 60 + 1);
      if (a > b) std::swap(a, b);
      if (transform.Wraps(type, ValueView::Integer(a))) continue;
      if (transform.Wraps(type, ValueView::Integer(b))) continue;
      ASSERT_LE(transform.Apply(type, ValueView::Integer(a)).integer,
                transform.Apply(type, ValueView::Integer(b)).integer)
          << name << " of " << a << " and " << b;
    }
  }
  for (const char* name : {"bucket[4]", "void", "zorder"}) {
    EXPECT_FALSE(Transform::Parse(name).PreservesOrder()) << name;
  }
}

}  // namespace
}  // namespace nunatak
