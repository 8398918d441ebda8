#include "nunatak/table/partition_spec.h"

#include <gtest/gtest.h>

namespace nunatak {
namespace {

PartitionField Partition(int32_t source_id, int32_t field_id, std::string_view transform) {
  return {.source_ids = {source_id},
          .field_id = field_id,
          .name = "p" + std::to_string(field_id),
          .transform = Transform::Parse(transform)};
}

Schema Sample() {
  std::vector<Field> fields(3);
  const TypeId types[] = {TypeId::kLong, TypeId::kTimestamp, TypeId::kString};
  for (size_t i = 0; i < fields.size(); ++i) {
    fields[i].id = static_cast<int32_t>(i) + 1;
    fields[i].name = std::string(1, static_cast<char>('a' + i));
    fields[i].type = types[i];
  }
  return Schema(0, std::move(fields));
}

TEST(PartitionSpec, OfVoidFieldsAloneIsUnpartitioned) {
  PartitionSpec spec;
  EXPECT_TRUE(spec.IsUnpartitioned());
  spec.fields.push_back(Partition(1, 1000, "void"));
  EXPECT_TRUE(spec.IsUnpartitioned());
  spec.fields.push_back(Partition(1, 1001, "zorder"));
  EXPECT_FALSE(spec.IsUnpartitioned());
}

TEST(PartitionSpec, KnowsTheTypeOfItsTuples) {
  PartitionSpec spec;
  spec.fields = {Partition(1, 1000, "bucket[4]"), Partition(2, 1001, "day"),
                 Partition(3, 1002, "truncate[2]"), Partition(1, 1003, "identity"),
                 Partition(2, 1004, "void")};
  const Type type = spec.PartitionType(Sample());
  EXPECT_EQ(type.ToString(),
            "struct<1000: p1000: optional int, 1001: p1001: optional date, 1002: p1002: optional "
            "string, 1003: p1003: optional long, 1004: p1004: optional timestamp>");
}

TEST(PartitionSpec, DoesNotKnowTheTypeOfEveryField) {
  PartitionSpec spec;
  spec.fields = {Partition(9, 1000, "identity"), Partition(1, 1001, "zorder"),
                 Partition(3, 1002, "day"), Partition(9, 1003, "void")};
  const Type type = spec.PartitionType(Sample());
  for (const Field& field : type.fields()) {
    EXPECT_EQ(field.type, Type(TypeId::kUnknown)) << field.name;
  }
}

TEST(PartitionSpec, OfAnotherBucketCountIsAnother) {
  PartitionSpec a;
  a.fields = {Partition(1, 1000, "bucket[8]")};
  PartitionSpec b;
  b.fields = {Partition(1, 1000, "bucket[16]")};
  EXPECT_FALSE(a == b);
  EXPECT_EQ(a, PartitionSpec(a));
}

}  // namespace
}  // namespace nunatak
