#include <gtest/gtest.h>

#include "iceberg/errors.h"
#include "iceberg/manifest_builder.h"
#include "nunatak/iceberg/manifest.h"

namespace nunatak::iceberg {
namespace {

AvroFields V1Fields(const char* added, const char* existing, const char* deleted) {
  return {Text("manifest_path", 500, "m.avro"),
          Long("manifest_length", 501, 4799),
          Int("partition_spec_id", 502, 0),
          Long("added_snapshot_id", 503, 8),
          Int(added, 504, 1),
          Int(existing, 505, 2),
          Int(deleted, 506, 3)};
}

std::string ListBytes(const AvroFields& fields, bool with_ids = true) {
  const std::string schema = RecordSchema("manifest_file", fields);
  return testing::AvroFile{.schema = with_ids ? schema : WithoutIds(schema),
                           .blocks = {{RecordValue(fields)}}}
      .Write();
}

ManifestFile ReadOne(const std::string& bytes) {
  const std::vector<ManifestFile> files = ReadManifestList(AsBytes(bytes));
  EXPECT_EQ(files.size(), 1u);
  return files.at(0);
}

TEST(ManifestList, V1HasNoContentAndNoSequenceNumbers) {
  const ManifestFile file = ReadOne(
      ListBytes(V1Fields("added_files_count", "existing_files_count", "deleted_files_count")));
  EXPECT_EQ(file.manifest_path, "m.avro");
  EXPECT_EQ(file.manifest_length, 4799);
  EXPECT_EQ(file.content, ManifestContent::kData);
  EXPECT_EQ(file.sequence_number, 0);
  EXPECT_EQ(file.min_sequence_number, 0);
  EXPECT_EQ(file.added_snapshot_id, 8);
  EXPECT_EQ(file.live_files(), 3);
  EXPECT_EQ(file.deleted_files_count, 3);
  EXPECT_EQ(file.added_rows_count, std::nullopt);
  EXPECT_EQ(file.partitions, std::nullopt);
}

TEST(ManifestList, BothNamesOfTheCountsAreKnown) {
  for (const bool with_ids : {true, false}) {
    for (const auto& fields :
         {V1Fields("added_files_count", "existing_files_count", "deleted_files_count"),
          V1Fields("added_data_files_count", "existing_data_files_count",
                   "deleted_data_files_count")}) {
      const ManifestFile file = ReadOne(ListBytes(fields, with_ids));
      EXPECT_EQ(file.added_files_count, 1);
      EXPECT_EQ(file.existing_files_count, 2);
      EXPECT_EQ(file.deleted_files_count, 3);
    }
  }
}

TEST(ManifestList, ReadsEveryFieldOfV3) {
  const std::string optional_bytes = R"(["null","bytes"])";
  const AvroFields summary = {
      {"contains_null", 509, R"("boolean")", AvroBytes().Boolean(true).bytes()},
      {"contains_nan", 518, R"(["null","boolean"])", AvroBytes().NotNull().Boolean(false).bytes()},
      {"lower_bound", 510, optional_bytes, AvroBytes().NotNull().Text("").bytes()},
      {"upper_bound", 511, optional_bytes, AvroBytes().Null().bytes()},
  };
  AvroFields fields = V1Fields("added_files_count", "existing_files_count", "deleted_files_count");
  fields.push_back(Int("content", 517, 1));
  fields.push_back(Long("sequence_number", 515, 9));
  fields.push_back(Long("min_sequence_number", 516, 4));
  fields.push_back(Long("added_rows_count", 512, 100));
  fields.push_back(Long("existing_rows_count", 513, 200));
  fields.push_back(Long("deleted_rows_count", 514, -1));  // says nothing
  fields.push_back({"partitions", 507,
                    R"(["null",{"type":"array","element-id":508,"items":)" +
                        RecordSchema("r508", summary) + "}]",
                    AvroBytes().NotNull().Items({RecordValue(summary)}).bytes()});
  fields.push_back({"key_metadata", 519, optional_bytes, AvroBytes().NotNull().Text("k").bytes()});
  fields.push_back(
      {"first_row_id", 520, R"(["null","long"])", AvroBytes().NotNull().Long(1000).bytes()});
  fields.push_back(Text("from_the_future", 999, "skipped"));
  for (const bool with_ids : {true, false}) {
    const ManifestFile file = ReadOne(ListBytes(fields, with_ids));
    EXPECT_TRUE(file.is_delete_manifest());
    EXPECT_EQ(file.sequence_number, 9);
    EXPECT_EQ(file.min_sequence_number, 4);
    EXPECT_EQ(file.added_rows_count, 100);
    EXPECT_EQ(file.existing_rows_count, 200);
    EXPECT_EQ(file.deleted_rows_count, std::nullopt);
    EXPECT_EQ(file.key_metadata, "k");
    EXPECT_EQ(file.first_row_id, 1000);
    ASSERT_TRUE(file.partitions.has_value());
    ASSERT_EQ(file.partitions->size(), 1u);
    EXPECT_EQ(file.partitions->at(0), (FieldSummary{.contains_null = true,
                                                    .contains_nan = false,
                                                    .lower_bound = "",
                                                    .upper_bound = std::nullopt}));
  }
}

TEST(ManifestList, EmptyListHasNoManifests) {
  const std::string schema =
      RecordSchema("manifest_file",
                   V1Fields("added_files_count", "existing_files_count", "deleted_files_count"));
  EXPECT_TRUE(ReadManifestList(AsBytes(testing::AvroFile{.schema = schema}.Write())).empty());
}

TEST(ManifestList, RequiredFieldsAndRangesAreChecked) {
  AvroFields fields = V1Fields("added_files_count", "existing_files_count", "deleted_files_count");
  fields[2] = Int("partition_spec_id", 502, -1);
  EXPECT_NE(ErrorOf(ErrorCode::kInvalid, [&] { ReadOne(ListBytes(fields)); })
                .find("'partition_spec_id' is -1"),
            std::string::npos);
  fields.erase(fields.begin());
  EXPECT_NE(ErrorOf(ErrorCode::kInvalid, [&] { ReadOne(ListBytes(fields)); })
                .find("'manifest_path' is missing"),
            std::string::npos);
}

}  // namespace
}  // namespace nunatak::iceberg
