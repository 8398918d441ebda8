#include "nunatak/iceberg/iceberg_source.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "iceberg/errors.h"
#include "iceberg/manifest_builder.h"
#include "nunatak/plan/table_scan.h"

namespace nunatak::iceberg {
namespace {

/// A table of one column on disk, whose manifests a test writes itself.
class IcebergSourceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = ::testing::TempDir() + "nunatak_source_" +
                 ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(directory_ + "/metadata");
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  void Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(directory_ + "/metadata/" + name, std::ios::binary) << bytes;
  }
  std::string Path(const std::string& name) const { return directory_ + "/metadata/" + name; }

  /// The metadata of a table whose one snapshot has these fields beside its id and time.
  Table OpenWith(int version, const std::string& snapshot_fields,
                 const std::string& partition_fields = "") const {
    Write("v1.metadata.json",
          R"({"format-version":)" + std::to_string(version) + R"(,"table-uuid":"u","location":")" +
              directory_ +
              R"(","last-sequence-number":7,"last-updated-ms":5,"last-column-id":1,
                 "schema":{"type":"struct","fields":[{"id":1,"name":"c","required":false,"type":"int"}]},
                 "schemas":[{"type":"struct","schema-id":0,
                             "fields":[{"id":1,"name":"c","required":false,"type":"int"}]}],
                 "current-schema-id":0,"partition-spec":[],
                 "partition-specs":[{"spec-id":0,"fields":[)" +
              partition_fields +
              R"(]}],"default-spec-id":0,
                 "last-partition-id":1000,"sort-orders":[{"order-id":0,"fields":[]}],
                 "default-sort-order-id":0,"current-snapshot-id":1,
                 "snapshots":[{"snapshot-id":1,"timestamp-ms":5,"sequence-number":7,
                               "summary":{"operation":"append"},)" +
              snapshot_fields + "}]}");
    return OpenTable(MakeLocalFileIO(), directory_);
  }

  static std::string Manifest(int64_t snapshot_id = 1) {
    AvroFields entry = EntryFieldsOf(DataFileFields());
    entry[1] = Long("snapshot_id", 1, snapshot_id);
    return ManifestBytes(entry, {{"format-version", "2"}});
  }

  /// One row of a manifest list, with a length that need not be true.
  void WriteList(const std::string& manifest, int64_t length, int32_t spec_id = 0) const {
    const AvroFields fields = {Text("manifest_path", 500, Path(manifest)),
                               Long("manifest_length", 501, length),
                               Int("partition_spec_id", 502, spec_id),
                               Int("content", 517, 0),
                               Long("sequence_number", 515, 7),
                               Long("min_sequence_number", 516, 7),
                               Long("added_snapshot_id", 503, 1)};
    Write("list.avro", testing::AvroFile{.schema = RecordSchema("manifest_file", fields),
                                         .blocks = {{RecordValue(fields)}}}
                           .Write());
  }
  Table OpenWithList() const {
    return OpenWith(2, R"("manifest-list":")" + Path("list.avro") + "\"");
  }

  static TableScan::Result PlanAll(const Table& table) {
    const auto source = MakeSnapshotSource(table, ChooseSnapshot(*table.metadata, {}));
    return TableScan(source, BoundFilter()).PlanFiles(Context{});
  }

  std::string directory_;
};

TEST_F(IcebergSourceTest, TheRecordedLengthOfAManifestIsNotTrusted) {
  Write("m.avro", Manifest());
  const auto size = static_cast<int64_t>(Manifest().size());
  for (const int64_t length : {size, size - 10, size + 10, int64_t{0}}) {
    WriteList("m.avro", length);
    EXPECT_EQ(PlanAll(OpenWithList()).tasks.size(), 1u) << length;
  }
}

TEST_F(IcebergSourceTest, AnEntryOfAnExpiredSnapshotIsRead) {
  Write("m.avro", Manifest(/*snapshot_id=*/12345));
  WriteList("m.avro", 1);
  const TableScan::Result plan = PlanAll(OpenWithList());
  ASSERT_EQ(plan.tasks.size(), 1u);
  EXPECT_EQ(plan.tasks[0].data_sequence_number, 7);
}

TEST_F(IcebergSourceTest, V1SnapshotsMayListTheirManifestsInline) {
  const AvroFields entry = {Int("status", 0, 1), Long("snapshot_id", 1, 1),
                            Record("data_file", 2, DataFileFields())};
  Write("m1.avro", ManifestBytes(entry));
  Write("m2.avro", ManifestBytes(entry, {{"partition-spec-id", "0"}}));
  const Table table =
      OpenWith(1, R"("manifests":[")" + Path("m1.avro") + "\",\"" + Path("m2.avro") + "\"]");
  const TableScan::Result plan = PlanAll(table);
  ASSERT_EQ(plan.tasks.size(), 2u);
  EXPECT_EQ(plan.tasks[0].data_sequence_number, 0);
}

TEST_F(IcebergSourceTest, WhatTheMetadataNamesAndIsMissingIsAnInvalidTable) {
  const std::string list = ErrorOf(ErrorCode::kInvalid, [&] { PlanAll(OpenWithList()); });
  EXPECT_NE(list.find("manifest list is missing"), std::string::npos) << list;
  EXPECT_NE(list.find(Path("list.avro")), std::string::npos) << list;
  EXPECT_NE(list.find("--moved"), std::string::npos) << list;
  WriteList("gone.avro", 1);
  const std::string manifest = ErrorOf(ErrorCode::kInvalid, [&] { PlanAll(OpenWithList()); });
  EXPECT_NE(manifest.find(Path("gone.avro")), std::string::npos) << manifest;
}

TEST_F(IcebergSourceTest, AManifestOfASpecThatTheTableLacksIsAnError) {
  Write("m.avro", Manifest());
  WriteList("m.avro", 1, /*spec_id=*/3);
  const std::string message = ErrorOf(ErrorCode::kInvalid, [&] { PlanAll(OpenWithList()); });
  EXPECT_NE(message.find("no partition spec 3"), std::string::npos) << message;
}

TEST_F(IcebergSourceTest, ErrorsInAManifestNameItsFileAndPlace) {
  std::string bytes = Manifest();
  bytes.resize(bytes.size() - 20);
  Write("m.avro", bytes);
  WriteList("m.avro", 1);
  const std::string message = ErrorOf(ErrorCode::kInvalid, [&] { PlanAll(OpenWithList()); });
  EXPECT_NE(message.find(Path("m.avro")), std::string::npos) << message;
  EXPECT_NE(message.find("byte"), std::string::npos) << message;
}

TEST_F(IcebergSourceTest, AFileCutBetweenTwoBlocksIsNoticed) {
  const AvroFields entry = EntryFieldsOf(DataFileFields());
  testing::AvroFile whole{.schema = RecordSchema("manifest_entry", entry),
                          .metadata = {{"format-version", "2"}},
                          .blocks = {{RecordValue(entry)}, {RecordValue(entry)}}};
  const std::string full = whole.Write();
  whole.blocks.pop_back();
  ManifestFile file;
  file.sequence_number = 7;
  file.manifest_length = static_cast<int64_t>(full.size());
  file.added_files_count = 2;
  file.existing_files_count = file.deleted_files_count = 0;
  const auto read = [&file](const std::string& bytes) {
    return ReadManifest(AsBytes(bytes), file, {}, Type::Struct({})).entries.size();
  };
  EXPECT_EQ(read(full), 2u);
  const std::string cut = whole.Write();
  EXPECT_NE(ErrorOf(ErrorCode::kInvalid, [&] { read(cut); }).find("truncated"), std::string::npos);
  file.manifest_length = static_cast<int64_t>(cut.size());  // the count alone is a writer's mistake
  EXPECT_EQ(read(cut), 1u);
}

TEST_F(IcebergSourceTest, AnEmptyListOfASnapshotThatCountsFilesIsNoticed) {
  const AvroFields fields = {Text("manifest_path", 500, "m"), Long("manifest_length", 501, 1),
                             Int("partition_spec_id", 502, 0)};
  Write("list.avro", testing::AvroFile{.schema = RecordSchema("manifest_file", fields)}.Write());
  EXPECT_TRUE(PlanAll(OpenWithList()).tasks.empty());
  Table table = OpenWithList();
  TableMetadata metadata = *table.metadata;
  Snapshot snapshot = metadata.snapshots.At(0);
  snapshot.summary["total-data-files"] = "3";
  metadata.snapshots = Snapshots();
  metadata.snapshots.Add(snapshot);
  table.metadata = std::make_shared<const TableMetadata>(metadata);
  EXPECT_NE(ErrorOf(ErrorCode::kInvalid, [&] { PlanAll(table); }).find("truncated"),
            std::string::npos);
}

/// A row of a manifest list whose files all have one value of the partition field.
AvroFields ListRow(const std::string& path, int32_t value) {
  const std::string bound(reinterpret_cast<const char*>(&value), sizeof(value));
  const auto optional_bytes = [&](const char* name, int id) {
    return AvroField{name, id, R"(["null","bytes"])", AvroBytes().NotNull().Text(bound).bytes()};
  };
  const AvroFields summary = {
      {"contains_null", 509, R"("boolean")", AvroBytes().Boolean(false).bytes()},
      optional_bytes("lower_bound", 510),
      optional_bytes("upper_bound", 511)};
  return {Text("manifest_path", 500, path),
          Long("manifest_length", 501, 1),
          Int("partition_spec_id", 502, 0),
          Int("content", 517, 0),
          Long("sequence_number", 515, 7),
          Long("min_sequence_number", 516, 7),
          Long("added_snapshot_id", 503, 1),
          {"partitions", 507,
           R"({"type":"array","element-id":508,"items":)" + RecordSchema("r508", summary) + "}",
           AvroBytes().Items({RecordValue(summary)}).bytes()}};
}

TEST_F(IcebergSourceTest, AListOfManyManifestsIsPrunedWithoutOpeningThem) {
  constexpr int kManifests = 10'000;
  constexpr int kWanted = 4321;
  std::vector<std::string> rows;
  for (int i = 0; i < kManifests; ++i) {
    // The other manifests do not even exist.
    const std::string name = "m" + std::to_string(i) + ".avro";
    rows.push_back(RecordValue(ListRow(Path(name), i)));
  }
  Write("list.avro",
        testing::AvroFile{.schema = RecordSchema("manifest_file", ListRow("", 0)), .blocks = {rows}}
            .Write());
  AvroFields entry = EntryFieldsOf(DataFileFields({Int("c", 1000, kWanted)}));
  entry[1] = Long("snapshot_id", 1, 1);
  Write("m4321.avro", ManifestBytes(entry, {{"format-version", "2"}}));

  const Table table =
      OpenWith(2, R"("manifest-list":")" + Path("list.avro") + "\"",
               R"({"name":"c","source-id":1,"field-id":1000,"transform":"identity"})");
  const int64_t before = table.io->counters().requests;
  const auto source = MakeSnapshotSource(table, ChooseSnapshot(*table.metadata, {}));
  ASSERT_EQ(source->groups().size(), static_cast<size_t>(kManifests));
  const TableScan scan(source, BindFilter("c = 4321", source->schema()));
  const TableScan::Result plan = scan.PlanFiles(Context{});
  EXPECT_EQ(plan.tasks.size(), 1u);
  EXPECT_EQ(plan.counts.data_groups, kManifests);
  EXPECT_EQ(plan.counts.data_groups_read, 1);
  EXPECT_EQ(table.io->counters().requests - before, 2);
}

TEST_F(IcebergSourceTest, ASnapshotIsReadWithOneRequestPerFile) {
  Write("m.avro", Manifest());
  WriteList("m.avro", 1);
  const Table table = OpenWithList();
  const int64_t before = table.io->counters().requests;
  PlanAll(table);
  EXPECT_EQ(table.io->counters().requests - before, 2);
}

}  // namespace
}  // namespace nunatak::iceberg
