#include "nunatak/inspect/metadata_table_reader.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <arrow/util/key_value_metadata.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/snapshot_choice.h"
#include "nunatak/inspect/row_builder.h"
#include "nunatak/read/cell.h"
#include "nunatak/read/select_fields.h"
#include "test_data.h"

namespace nunatak {
namespace {

/// Two partitions, six data files with position delete files (tests/data/README.md).
class MetadataTableReaderTest : public testing::Test {
 protected:
  iceberg::Table table_ = iceberg::OpenTable(
      MakeLocalFileIO(), (TestData() / "iceberg" / "mor-pos-partition").string(), {.moved = true});
  MetadataScope scope_{.snapshot = table_.metadata->current_snapshot()};

  MetadataTable Make(std::string_view name) { return FindMetadataTable(name).make(table_, scope_); }

  std::vector<nlohmann::ordered_json> Rows(MetadataTable table, MetadataReadOptions options,
                                           const Context& context = {}) {
    const Schema projection = options.projection.value_or(table.schema);
    MetadataTableReader reader(context, std::move(table), std::move(options));
    std::vector<nlohmann::ordered_json> rows;
    while (const auto batch = reader.Next()) {
      EXPECT_TRUE(batch->schema()->Equals(*reader.schema()));
      EXPECT_GT(batch->num_rows(), 0);
      for (int64_t row = 0; row < batch->num_rows(); ++row) {
        rows.push_back(RowToJson(projection, *batch, row));
      }
    }
    EXPECT_EQ(reader.Next(), nullptr);
    return rows;
  }
};

TEST_F(MetadataTableReaderTest, EveryTableIsFoundByItsName) {
  std::set<std::string_view> names;
  for (const MetadataTableKind& kind : MetadataTableKinds()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_EQ(&FindMetadataTable(kind.name), &kind);
    EXPECT_FALSE(kind.description.empty());
  }
  EXPECT_THROW(FindMetadataTable("files "), Error);
}

TEST_F(MetadataTableReaderTest, EveryTableHasArraysOfItsOwnTypes) {
  for (const MetadataTableKind& kind : MetadataTableKinds()) {
    MetadataTableReader reader({}, Make(kind.name), {});
    while (const auto batch = reader.Next()) EXPECT_TRUE(batch->ValidateFull().ok()) << kind.name;
  }
}

TEST_F(MetadataTableReaderTest, FilesHaveTheFieldIdsAndTypesOfTheSpecification) {
  const struct {
    int32_t id;
    const char* name;
  } fields[] = {{134, "content"},
                {100, "file_path"},
                {101, "file_format"},
                {141, "spec_id"},
                {103, "record_count"},
                {104, "file_size_in_bytes"},
                {108, "column_sizes"},
                {125, "lower_bounds"},
                {132, "split_offsets"},
                {142, "first_row_id"},
                {145, "content_size_in_bytes"}};
  const Schema schema = Make("files").schema;
  for (const auto& field : fields) {
    ASSERT_NE(schema.FindField(field.id), nullptr) << field.name;
    EXPECT_EQ(schema.FindField(field.id)->name, field.name);
  }
  const auto arrow = MetadataTableReader({}, Make("files"), {}).schema();
  EXPECT_EQ(arrow->GetFieldByName("lower_bounds")->type()->ToString(), "map<int32, binary>");
  EXPECT_EQ(arrow->GetFieldByName("record_count")->metadata()->Get("PARQUET:field_id").ValueOrDie(),
            "103");
}

/// What `PositionDeletesTable` of the Java implementation has: the table has columns 1 to 3.
TEST_F(MetadataTableReaderTest, PositionDeletesHaveTheFieldIdsOfTheReferenceImplementation) {
  const Schema schema = Make("position_deletes").schema;
  const std::pair<const char*, int32_t> fields[] = {{"file_path", 2147483546},
                                                    {"pos", 2147483545},
                                                    {"row", 2147483544},
                                                    {"partition", 2147483642},
                                                    {"partition.k", 4},
                                                    {"spec_id", 2147483643},
                                                    {"row.id", 1},
                                                    {"delete_file_path", 2147483646}};
  for (const auto& [name, id] : fields) {
    ASSERT_NE(schema.FindField(name), nullptr) << name;
    EXPECT_EQ(schema.FindField(name)->id, id) << name;
  }
}

TEST_F(MetadataTableReaderTest, VectorsHaveTheFieldIdsOfTheReferenceImplementation) {
  table_ = iceberg::OpenTable(MakeLocalFileIO(), (TestData() / "iceberg" / "dv-basic").string(),
                              {.moved = true});
  scope_.snapshot = table_.metadata->current_snapshot();
  const Schema schema = Make("position_deletes").schema;
  EXPECT_EQ(schema.FindField("content_offset")->id, 2147483641);
  EXPECT_EQ(schema.FindField("content_size_in_bytes")->id, 2147483640);
}

TEST_F(MetadataTableReaderTest, WorkersMakeNoDifference) {
  const Context workers{.executor = MakeThreadPool(4)};
  for (const MetadataTableKind& kind : MetadataTableKinds()) {
    EXPECT_EQ(Rows(Make(kind.name), {}), Rows(Make(kind.name), {}, workers)) << kind.name;
  }
}

TEST_F(MetadataTableReaderTest, AColumnThatIsOnlyFilteredByDoesNotComeOut) {
  MetadataTable files = Make("files");
  const std::vector<std::string> names = {"file_path"};
  MetadataReadOptions options{
      .projection = SelectFields(files.schema, names),
      .filter = BindFilter("content = 1 and partition.k = 'k0'", files.schema)};
  const auto rows = Rows(std::move(files), std::move(options));
  ASSERT_EQ(rows.size(), 4U);
  for (const auto& row : rows) {
    EXPECT_EQ(row.size(), 1U);
    EXPECT_NE(row["file_path"].get<std::string>().find("k=k0"), std::string::npos);
  }
}

TEST_F(MetadataTableReaderTest, AFilterOnPartOfASelectedStructKeepsTheStruct) {
  MetadataTable files = Make("files");
  const std::vector<std::string> names = {"readable_metrics.id.lower_bound"};
  MetadataReadOptions options{
      .projection = SelectFields(files.schema, names),
      .filter = BindFilter("readable_metrics.id.upper_bound < 5", files.schema)};
  for (const auto& row : Rows(std::move(files), std::move(options))) {
    EXPECT_EQ(row["readable_metrics"]["id"].size(), 1U);
    EXPECT_LT(row["readable_metrics"]["id"]["lower_bound"].get<int>(), 5);
  }
}

TEST_F(MetadataTableReaderTest, ALimitCutsABatch) {
  EXPECT_EQ(Rows(Make("entries"), {.limit = 5}).size(), 5U);
  EXPECT_TRUE(Rows(Make("entries"), {.limit = 0}).empty());
}

TEST_F(MetadataTableReaderTest, ATableWithoutSnapshotHasNoFiles) {
  scope_.snapshot = nullptr;
  for (const char* name : {"manifests", "files", "entries", "partitions", "position_deletes"}) {
    EXPECT_TRUE(Rows(Make(name), {}).empty()) << name;
  }
}

/// A table of one part, which gives so many runs of 8192 rows without columns that count.
MetadataTable LongTable(size_t runs, std::shared_ptr<size_t> given) {
  const Schema schema(0, {Field{.id = 1, .name = "n", .required = false, .type = TypeId::kLong}});
  const auto rows = std::make_shared<RowBuilder>(schema);
  for (int64_t i = 0; i < 8192; ++i) rows->Add({Value::Integer(i)});
  return {.schema = schema, .open = [=](size_t, std::span<const Field>) {
            return [=]() -> std::shared_ptr<const MetadataRows> {
              if (*given == runs) return nullptr;
              ++*given;
              return rows;
            };
          }};
}

TEST_F(MetadataTableReaderTest, ALongPartIsMadeAsItIsTaken) {
  const auto given = std::make_shared<size_t>(0);
  MetadataTableReader reader({}, LongTable(100, given), {});
  int64_t rows = 0;
  for (size_t taken = 1; const auto batch = reader.Next(); ++taken) {
    rows += batch->num_rows();
    EXPECT_LE(*given, std::max<size_t>(taken + 1, 8)) << taken;
  }
  EXPECT_EQ(rows, 100 * 8192);
}

TEST_F(MetadataTableReaderTest, VectorsComeAFewThousandPositionsAtATime) {
  const auto corpus = std::filesystem::path("dv-large");
  const char* root = std::getenv("NUNATAK_CORPUS");
  if (!root) GTEST_SKIP() << "NUNATAK_CORPUS is not set";
  table_ = iceberg::OpenTable(MakeLocalFileIO(),
                              (std::filesystem::path(root) / "iceberg" / corpus).string(),
                              {.moved = true});
  scope_.snapshot = table_.metadata->current_snapshot();
  MetadataTableReader reader({}, Make("position_deletes"), {});
  int64_t rows = 0;
  while (const auto batch = reader.Next()) {
    EXPECT_LE(batch->num_rows(), 8192);
    rows += batch->num_rows();
  }
  // What the snapshot's summary says.
  EXPECT_EQ(std::to_string(rows), scope_.snapshot->summary.at("total-position-deletes"));
}

TEST_F(MetadataTableReaderTest, AFilterAndASelectionMayLookAtOtherPartsOfADeletedRow) {
  MetadataTable deletes = Make("position_deletes");
  const std::vector<std::string> names = {"pos", "row.id"};
  MetadataReadOptions options{.projection = SelectFields(deletes.schema, names),
                              .filter = BindFilter("row.k is null and pos >= 0", deletes.schema)};
  const size_t all = Rows(Make("position_deletes"), {}).size();
  const auto rows = Rows(std::move(deletes), std::move(options));
  // The writer keeps no deleted rows.
  EXPECT_EQ(rows.size(), all);
  for (const auto& row : rows) EXPECT_TRUE(row["row"].is_null());
}

TEST_F(MetadataTableReaderTest, ArrowsOwnReaderGivesTheSameRows) {
  const auto batches = ToRecordBatchReader(MetadataTableReader({}, Make("files"), {}));
  EXPECT_EQ(batches->ToTable().ValueOrDie()->num_rows(),
            static_cast<int64_t>(Rows(Make("files"), {}).size()));
}

TEST_F(MetadataTableReaderTest, AManifestThatIsMissingIsAnErrorWithItsName) {
  const auto moved = std::filesystem::temp_directory_path() /
                     testing::UnitTest::GetInstance()->current_test_info()->name();
  std::filesystem::remove_all(moved);
  std::filesystem::copy(TestData() / "iceberg" / "mor-pos-partition", moved,
                        std::filesystem::copy_options::recursive);
  table_ = iceberg::OpenTable(MakeLocalFileIO(), moved.string(), {.moved = true});
  scope_.snapshot = table_.metadata->current_snapshot();
  MetadataTable files = Make("files");
  for (const auto& entry : std::filesystem::directory_iterator(moved / "metadata")) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".avro") && !name.starts_with("snap-")) {
      std::filesystem::remove(entry.path());
    }
  }
  MetadataTableReader reader({}, std::move(files), {});
  try {
    reader.Next();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalid);
    EXPECT_NE(error.message().find("-m0.avro"), std::string::npos) << error.message();
  }
  std::filesystem::remove_all(moved);
}

}  // namespace
}  // namespace nunatak
