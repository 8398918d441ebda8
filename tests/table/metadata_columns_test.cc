#include "nunatak/table/metadata_columns.h"

#include <gtest/gtest.h>

namespace nunatak {
namespace {

Type PartitionOf(std::vector<Field> fields) { return Type::Struct(std::move(fields)); }

TEST(MetadataColumns, HaveTheReservedIdsAndTypes) {
  const Schema schema(3, {{.id = 1, .name = "id", .required = true, .type = TypeId::kLong}}, {1});
  const Type partition =
      PartitionOf({{.id = 1000, .name = "day", .required = true, .type = TypeId::kDate}});
  const Schema all = WithMetadataColumns(schema, partition, 1);
  EXPECT_EQ(all.AsStruct().ToString(),
            "struct<1: id: required long, "
            "2147483646: _file: required string, "
            "2147483645: _pos: required long, "
            "2147483644: _deleted: required boolean, "
            "2147483643: _spec_id: required int, "
            "2147483642: _partition: optional struct<1000: day: optional date>, "
            "2147483540: _row_id: optional long, "
            "2147483539: _last_updated_sequence_number: optional long>");
  EXPECT_EQ(all.schema_id(), 3);
  EXPECT_EQ(all.identifier_field_ids(), std::vector<int32_t>{1});
  EXPECT_FALSE(IsMetadataColumn(1));
  for (const Field& field : all.fields().subspan(1)) EXPECT_TRUE(IsMetadataColumn(field.id));
}

TEST(MetadataColumns, AColumnOfTheTableHidesTheOneOfItsName) {
  const Schema schema(0, {{.id = 1, .name = "_pos", .type = TypeId::kString},
                          {.id = 2, .name = "_FILE", .type = TypeId::kString}});
  const Schema all = WithMetadataColumns(schema, PartitionOf({}), 2);
  EXPECT_EQ(all.FindField("_pos")->id, 1);
  EXPECT_EQ(all.FindField(kPositionColumnId), nullptr);
  EXPECT_EQ(all.FindField("_file")->id, kFileColumnId);
}

TEST(MetadataColumns, PartitionFieldsMoveAwayFromTheIdsOfColumns) {
  const Schema schema(0, {{.id = 1001, .name = "c", .type = TypeId::kInt}});
  const Type partition = PartitionOf({{.id = 1000, .name = "a", .type = TypeId::kInt},
                                      {.id = 1001, .name = "b", .type = TypeId::kInt},
                                      {.id = 1002, .name = "c", .type = TypeId::kInt}});
  const Schema all = WithMetadataColumns(schema, partition, 1001);
  EXPECT_EQ(all.FindField("c")->id, 1001);
  EXPECT_EQ(all.FindField("_partition.c")->id, 1002);
  for (const auto& [name, id] :
       {std::pair("_partition.a", 1000), {"_partition.b", 1001}, {"_partition.c", 1002}}) {
    EXPECT_EQ(PartitionFieldIdOf(all.FindField(name)->id), id) << name;
  }
}

TEST(MetadataColumns, PartitionFieldsThatHadOneNameInTurnAreToldApart) {
  const Type partition = PartitionOf({{.id = 1000, .name = "p", .type = TypeId::kInt},
                                      {.id = 1001, .name = "p_1000", .type = TypeId::kInt},
                                      {.id = 1002, .name = "p", .type = TypeId::kString},
                                      {.id = 1003, .name = "p", .type = TypeId::kLong}});
  const Schema all = WithMetadataColumns(Schema(0, {}), partition, 1);
  for (const auto& [name, id] : {std::pair("_partition.p", 1003),
                                 {"_partition.p_1000", 1001},
                                 {"_partition.p_1000_1000", 1000},
                                 {"_partition.p_1002", 1002}}) {
    ASSERT_NE(all.FindField(name), nullptr) << name;
    EXPECT_EQ(all.FindField(name)->id, id) << name;
  }
}

}  // namespace
}  // namespace nunatak
