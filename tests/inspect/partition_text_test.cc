#include "nunatak/inspect/partition_text.h"

#include <gtest/gtest.h>

namespace nunatak {
namespace {

struct Case {
  Transform transform;
  Type type;
  ValueView value;
  const char* want;
};

TEST(PartitionText, ReadsAsPeopleWriteIt) {
  const Case cases[] = {
      {TransformId::kYear, TypeId::kInt, ValueView::Integer(51), "2021"},
      {TransformId::kYear, TypeId::kInt, ValueView::Integer(-1), "1969"},
      {TransformId::kMonth, TypeId::kInt, ValueView::Integer(0), "1970-01"},
      {TransformId::kMonth, TypeId::kInt, ValueView::Integer(-1), "1969-12"},
      {TransformId::kMonth, TypeId::kInt, ValueView::Integer(616), "2021-05"},
      {TransformId::kDay, TypeId::kDate, ValueView::Integer(-7), "1969-12-25"},
      {TransformId::kHour, TypeId::kInt, ValueView::Integer(-2), "1969-12-31-22"},
      {TransformId::kHour, TypeId::kInt, ValueView::Integer(25), "1970-01-02-01"},
      {Transform(TransformId::kBucket, 16), TypeId::kInt, ValueView::Integer(3), "3"},
      {TransformId::kIdentity, TypeId::kString, ValueView::Bytes(std::string_view("a/b")), "a/b"},
      {TransformId::kIdentity, TypeId::kDate, ValueView::Integer(0), "1970-01-01"},
      // Test vectors of RFC 4648.
      {TransformId::kIdentity, TypeId::kBinary, ValueView::Bytes(std::string_view("")), ""},
      {TransformId::kIdentity, TypeId::kBinary, ValueView::Bytes(std::string_view("f")), "Zg=="},
      {TransformId::kIdentity, TypeId::kBinary, ValueView::Bytes(std::string_view("fo")), "Zm8="},
      {TransformId::kIdentity, TypeId::kBinary, ValueView::Bytes(std::string_view("foo")), "Zm9v"},
      {Transform(TransformId::kTruncate, 6), Type::Fixed(6),
       ValueView::Bytes(std::string_view("foobar")), "Zm9vYmFy"},
      {TransformId::kYear, TypeId::kInt, ValueView(), "null"},
      {TransformId::kIdentity, TypeId::kBinary, ValueView(), "null"},
  };
  for (const Case& c : cases) EXPECT_EQ(PartitionText(c.transform, c.type, c.value), c.want);
}

TEST(PartitionPath, JoinsTheFieldsOfATuple) {
  const Type type = Type::Struct({{.id = 1000, .name = "country", .type = TypeId::kString},
                                  {.id = 1001, .name = "day", .type = TypeId::kDate},
                                  {.id = 1002, .name = "gone", .type = TypeId::kUnknown}});
  const PartitionSpec spec{1,
                           {{{1}, 1000, "country", TransformId::kIdentity},
                            {{2}, 1001, "day", TransformId::kDay},
                            {{3}, 1002, "gone", Transform::Parse("zorder")}}};
  EXPECT_EQ(
      PartitionPath(spec, type,
                    PartitionValues{Value::Bytes("US"), Value::Integer(0), Value::Integer(7)}),
      "country=US/day=1970-01-01/gone=7");
  EXPECT_EQ(PartitionPath(spec, type, PartitionValues{Value::Null(), Value::Null(), Value::Null()}),
            "country=null/day=null/gone=null");
  EXPECT_EQ(PartitionPath({}, Type::Struct({}), PartitionValues{}), "");
}

}  // namespace
}  // namespace nunatak
