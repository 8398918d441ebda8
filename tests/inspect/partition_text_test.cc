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

}  // namespace
}  // namespace nunatak
