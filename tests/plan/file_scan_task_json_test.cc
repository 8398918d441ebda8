#include "nunatak/plan/file_scan_task_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "nunatak/plan/content_file_json.h"
#include "plan/same_task.h"
#include "random_plans.h"

namespace nunatak {
namespace {

using nlohmann::ordered_json;
using namespace std::string_literals;

TaskDefinitions Definitions() {
  TaskDefinitions definitions(Schema(0, {{.id = 1, .name = "a", .type = TypeId::kString},
                                         {.id = 2, .name = "d", .type = TypeId::kDate},
                                         {.id = 3, .name = "f", .type = TypeId::kDouble}}));
  definitions.AddSpec(std::make_shared<const PartitionSpec>(
      PartitionSpec{4,
                    {{{1}, 1000, "a", TransformId::kIdentity},
                     {{2}, 1001, "d_month", TransformId::kMonth},
                     {{3}, 1002, "f", TransformId::kIdentity},
                     {{9}, 1003, "gone", TransformId::kIdentity}}}));
  return definitions;
}

DataFile FullFile() {
  DataFile file;
  file.file_path = "s3://b/my dir/p=a%2Fb/f.parquet";
  file.partition_spec_id = 4;
  file.partition = {Value::Bytes("ä"), Value::Integer(-7), Value::Real(1.5),
                    Value::Bytes("\x01\xFF"s)};
  file.record_count = 12;
  file.file_size_in_bytes = 3456;
  file.metrics = {{.field_id = 1,
                   .column_size = 40,
                   .value_count = 12,
                   .null_value_count = 2,
                   .lower_bound = ""s,
                   .upper_bound = "\x0A\xBC"s},
                  {.field_id = 3, .value_count = 12, .nan_value_count = 1}};
  file.metric_maps = 0b111111;
  file.key_metadata = "\x00\x7F"s;
  file.split_offsets = {{4, 1000}};
  file.sort_order_id = 0;
  file.first_row_id = 1LL << 40;
  return file;
}

TEST(ContentFileJson, EveryFieldOfADataFile) {
  const ordered_json want = ordered_json::parse(R"({
    "content": "data",
    "file-path": "s3://b/my dir/p=a%2Fb/f.parquet",
    "file-format": "parquet",
    "spec-id": 4,
    "partition": ["ä", -7, 1.5, "01FF"],
    "file-size-in-bytes": 3456,
    "record-count": 12,
    "column-sizes": {"keys": [1], "values": [40]},
    "value-counts": {"keys": [1, 3], "values": [12, 12]},
    "null-value-counts": {"keys": [1], "values": [2]},
    "nan-value-counts": {"keys": [3], "values": [1]},
    "lower-bounds": {"keys": [1], "values": [""]},
    "upper-bounds": {"keys": [1], "values": ["0ABC"]},
    "key-metadata": "007F",
    "split-offsets": [4, 1000],
    "sort-order-id": 0,
    "first-row-id": 1099511627776
  })");
  EXPECT_EQ(ContentFileToJson(FullFile(), Definitions()), want);
}

TEST(ContentFileJson, DeletionVectorsAndEqualityDeletes) {
  DataFile file = FullFile();
  file.metrics = {};
  file.metric_maps = 0;
  file.content = FileContent::kPositionDeletes;
  file.file_format = FileFormat::kPuffin;
  file.referenced_data_file = "f";
  file.content_offset = 4;
  file.content_size_in_bytes = 44;
  ordered_json json = ContentFileToJson(file, Definitions());
  EXPECT_EQ(json["content"], "position-deletes");
  EXPECT_EQ(json["file-format"], "puffin");
  EXPECT_EQ(json["referenced-data-file"], "f");
  EXPECT_EQ(json["content-offset"], 4);
  EXPECT_EQ(json["content-size-in-bytes"], 44);
  EXPECT_FALSE(json.contains("value-counts"));
  file.content = FileContent::kEqualityDeletes;
  file.equality_ids = {{1, 3}};
  json = ContentFileToJson(file, Definitions());
  EXPECT_EQ(json["content"], "equality-deletes");
  EXPECT_EQ(json["equality-ids"], ordered_json({1, 3}));
}

DataFile Again(const DataFile& file) {
  const std::string text = ContentFileToJson(file, Definitions()).dump();
  return ContentFileFromJson(JsonDocument::Parse(text).root(), Definitions());
}

TEST(ContentFileJson, ReadsBackWhatItWrote) {
  DataFile file = FullFile();
  EXPECT_EQ(Again(file), file);
  file.partition = {Value::Null(), Value::Null(), Value::Real(-0.0), Value::Integer(5)};
  EXPECT_EQ(Again(file), file);
  for (double value : {std::numeric_limits<double>::quiet_NaN(),
                       -std::numeric_limits<double>::infinity(), 1e300}) {
    file.partition = {Value::Bytes(""), Value::Integer(0), Value::Real(value), Value::Real(2.0)};
    EXPECT_EQ(Again(file), file) << value;
  }
  file.metrics = {};
  file.metric_maps = 0b000010;  // An empty map is not an absent one.
  EXPECT_EQ(Again(file), file);
}

struct BrokenCase {
  const char* path;
  const char* value;
  const char* message;
};

TEST(ContentFileJson, DamageIsAnErrorThatNamesThePlace) {
  const BrokenCase cases[] = {
      {"/content", "\"rows\"", "rows"},
      {"/file-format", "\"csv\"", "csv"},
      {"/spec-id", "5", "spec"},
      {"/partition", "[1]", "partition"},
      {"/partition/1", "\"May\"", "partition"},
      {"/partition", R"({"1001": "May"})", "partition: 1001"},
      {"/partition", "7", "partition"},
      {"/lower-bounds/values/0", "\"0G\"", "lower-bounds"},
      {"/lower-bounds/values/0", "null", "lower-bounds"},
      {"/value-counts/values", "[1]", "value-counts"},
      {"/value-counts/values", "[1, 2, 3]", "value-counts"},
      {"/record-count", "null", "record-count"},
      {"/record-count", "18446744073709551615", "record-count"},
  };
  for (const BrokenCase& c : cases) {
    ordered_json json = ContentFileToJson(FullFile(), Definitions());
    json[ordered_json::json_pointer(c.path)] = ordered_json::parse(c.value);
    const std::string text = json.dump();
    try {
      ContentFileFromJson(JsonDocument::Parse(text).root(), Definitions());
      ADD_FAILURE() << c.path << " = " << c.value << " was accepted";
    } catch (const Error& error) {
      EXPECT_NE(error.message().find(c.message), std::string::npos) << error.message();
    }
  }
}

// Java 1.10 and before: a partition is a struct keyed by field id, without its null values.
TEST(ContentFileJson, JavasOlderPartitionsAreRead) {
  ordered_json json = ContentFileToJson(FullFile(), Definitions());
  json["partition"] = {{"1000", "ä"}, {"1001", -7}, {"1003", nullptr}, {"77", 1}};
  const std::string text = json.dump();
  const DataFile file = ContentFileFromJson(JsonDocument::Parse(text).root(), Definitions());
  EXPECT_EQ(file.partition, (std::vector<Value>{Value::Bytes("ä"), Value::Integer(-7),
                                                Value::Null(), Value::Null()}));
}

TEST(ContentFileJson, JavasOlderUpperCaseSpellingIsRead) {
  ordered_json json = ContentFileToJson(FullFile(), Definitions());
  json["content"] = "EQUALITY_DELETES";
  json["file-format"] = "PARQUET";
  const std::string text = json.dump();
  const DataFile file = ContentFileFromJson(JsonDocument::Parse(text).root(), Definitions());
  EXPECT_EQ(file.content, FileContent::kEqualityDeletes);
  EXPECT_EQ(file.file_format, FileFormat::kParquet);
}

std::shared_ptr<FakeSource> SmallTable() {
  auto source =
      std::make_shared<FakeSource>(Schema(0, {{.id = 1, .name = "c", .type = TypeId::kInt}}));
  source->AddSpec({0, {}});
  const auto entry = [](std::string path, int64_t records, int64_t bytes, int64_t sequence_number) {
    FakeEntry made;
    made.file.file_path = std::move(path);
    made.file.record_count = records;
    made.file.file_size_in_bytes = bytes;
    made.sequence_number = sequence_number;
    return made;
  };
  source->AddGroup(0, {entry("a", 10, 100, 1), entry("b", 20, 200, 3)});
  FakeEntry position = entry("p", 1, 50, 3);
  position.file.content = FileContent::kPositionDeletes;
  FakeEntry equality = entry("e", 1, 60, 2);
  equality.file.content = FileContent::kEqualityDeletes;
  equality.file.equality_ids = {{1}};
  source->AddGroup(0, {position, equality}, true);
  return source;
}

TEST(PlanJson, TheWholeObject) {
  const auto source = SmallTable();
  const TableScan scan(source, BindFilter("c = 5", source->schema()));
  const ordered_json json = PlanToJson(scan.PlanFiles({}), *source);
  EXPECT_EQ(json["snapshot-id"], 77);
  EXPECT_EQ(json["files"], 2);
  EXPECT_EQ(json["records"], 30);
  EXPECT_EQ(json["bytes"], 300);
  EXPECT_EQ(json["manifests"], ordered_json({{"total", 2}, {"read", 2}}));
  ASSERT_EQ(json["delete-files"].size(), 2u);
  EXPECT_EQ(json["delete-files"][0]["file-path"], "e");
  EXPECT_EQ(json["delete-files"][0]["data-sequence-number"], 2);
  EXPECT_EQ(json["delete-files"][1]["file-path"], "p");
  ASSERT_EQ(json["tasks"].size(), 2u);
  const ordered_json& second = json["tasks"][1];
  EXPECT_EQ(second["data-file"]["file-path"], "b");
  EXPECT_EQ(json["tasks"][0]["delete-file-references"], ordered_json({0, 1}));
  EXPECT_EQ(second["delete-file-references"], ordered_json::array({1}));
  EXPECT_EQ(second["residual-filter"], ordered_json({{"type", "eq"}, {"term", "c"}, {"value", 5}}));
  EXPECT_EQ(second["start"], 0);
  EXPECT_EQ(second["length"], 200);
  EXPECT_EQ(second["data-sequence-number"], 3);
}

TEST(PlanJson, AnEmptyPlanStillHasItsLists) {
  auto source = std::make_shared<FakeSource>(Schema());
  const ordered_json json = PlanToJson(TableScan(source, {}).PlanFiles({}), *source);
  EXPECT_TRUE(json["tasks"].is_array());
  EXPECT_TRUE(json["delete-files"].is_array());
  EXPECT_EQ(json["files"], 0);
}

std::vector<FileScanTask> Again(const TableScan::Result& plan, const SnapshotSource& source) {
  const std::string text = PlanToJson(plan, source).dump();
  return TasksFromJson(JsonDocument::Parse(text).root(), TaskDefinitions::Of(source));
}

TEST(PlanJson, TasksReadBackAreTheTasksWritten) {
  const auto source = SmallTable();
  const TableScan::Result plan =
      TableScan(source, BindFilter("c = 5", source->schema()), {.column_metrics = true})
          .PlanFiles({});
  const std::vector<FileScanTask> tasks = Again(plan, *source);
  ASSERT_EQ(tasks.size(), 2u);
  for (size_t i = 0; i < tasks.size(); ++i) ExpectSameTask(tasks[i], plan.tasks[i]);
}

TEST(PlanJson, TasksOfRandomTablesReadBack) {
  ForRandomPlans([](const RandomTable& table, const TableScan::Result& plan) {
    std::vector<FileScanTask> tasks = Again(plan, *table.source());
    ASSERT_EQ(tasks.size(), plan.tasks.size());
    for (size_t i = 0; i < tasks.size(); ++i) {
      DataFile file = *tasks[i].data_file;
      file.metric_maps = 0;  // The random table does not say which maps it has.
      tasks[i].data_file = std::make_shared<const DataFile>(std::move(file));
      ExpectSameTask(tasks[i], plan.tasks[i]);
    }
  });
}

TEST(PlanJson, ReferencesThatLeadNowhereAreErrors) {
  const auto source = SmallTable();
  const TableScan::Result plan = TableScan(source, {}).PlanFiles({});
  for (int64_t reference : {int64_t{-1}, int64_t{2}}) {
    ordered_json json = PlanToJson(plan, *source);
    json["tasks"][1]["delete-file-references"] = {reference};
    const std::string text = json.dump();
    try {
      TasksFromJson(JsonDocument::Parse(text).root(), TaskDefinitions::Of(*source));
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalid);
      EXPECT_NE(error.message().find("tasks[1]: delete-file-references[0]"), std::string::npos)
          << error.message();
    }
  }
}

struct BrokenTask {
  const char* path;
  const char* value;
  const char* message;
};

TEST(PlanJson, DamageIsAnErrorThatNamesThePlace) {
  const auto source = SmallTable();
  const TableScan::Result plan = TableScan(source, {}).PlanFiles({});
  const BrokenTask cases[] = {
      {"/tasks/1/start", "-1", "tasks[1]: start is -1"},
      {"/tasks/1/length", "-5", "tasks[1]: length is -5"},
      {"/tasks/1/length", "9223372036854775807", "tasks[1]: length is 9223372036854775807"},
      {"/tasks/0/residual-filter", R"({"type": "is-null", "term": "gone"})",
       "tasks[0]: residual-filter"},
      {"/tasks/0/residual-filter", "7", "tasks[0]: residual-filter"},
      {"/tasks/0/data-file/file-path", "null", "tasks[0]: data-file: required field 'file-path'"},
      {"/delete-files/0/spec-id", "9", "delete-files[0]"},
  };
  for (const BrokenTask& c : cases) {
    ordered_json json = PlanToJson(plan, *source);
    json["tasks"][1]["start"] = 1;
    json[ordered_json::json_pointer(c.path)] = ordered_json::parse(c.value);
    const std::string text = json.dump();
    try {
      TasksFromJson(JsonDocument::Parse(text).root(), TaskDefinitions::Of(*source));
      ADD_FAILURE() << c.path << " = " << c.value << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalid);
      EXPECT_NE(error.message().find(c.message), std::string::npos) << error.message();
    }
  }
}

TEST(PlanJson, APlainRestTaskMeansTheWholeFileAndNoFilter) {
  const auto source = SmallTable();
  const std::string text = R"({"tasks": [{"data-file": {"content": "data", "file-path": "a",
      "file-format": "parquet", "spec-id": 0, "partition": [], "file-size-in-bytes": 100,
      "record-count": 10}}]})";
  const std::vector<FileScanTask> tasks =
      TasksFromJson(JsonDocument::Parse(text).root(), TaskDefinitions::Of(*source));
  ASSERT_EQ(tasks.size(), 1u);
  EXPECT_EQ(tasks[0].start, 0);
  EXPECT_EQ(tasks[0].length, 100);
  EXPECT_TRUE(tasks[0].residual->is_true());
}

}  // namespace
}  // namespace nunatak
