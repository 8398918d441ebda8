// Tasks of real tables, written in one form and read back from it, are the tasks that were planned.
#include <gtest/gtest.h>

#include "iceberg/corpus.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/plan/file_scan_task_json.h"
#include "nunatak/plan/splits.h"
#include "nunatak/plan/table_scan.h"
#include "nunatak/plan/task_binary.h"
#include "plan/same_task.h"

namespace nunatak::iceberg {
namespace {

/// The filters that the expectations of a table plan with, and none.
std::vector<BoundFilter> FiltersOf(const std::filesystem::path& directory, const Schema& schema) {
  std::vector<BoundFilter> filters(1);
  const std::filesystem::path expectation = directory.string() + ".expect.json";
  if (!std::filesystem::exists(expectation)) return filters;
  const auto json = nlohmann::json::parse(ReadFileBytes(expectation));
  for (const auto& plan : json.value("plans", nlohmann::json::array())) {
    if (!plan.contains("iceberg_expr")) continue;
    try {
      filters.push_back(Bind(ParseFilterJson(plan["iceberg_expr"].dump()), schema));
    } catch (const Error&) {
      // A filter that only Java takes is no test of tasks.
    }
  }
  return filters;
}

void ExpectSameTasks(const std::vector<FileScanTask>& got, const std::vector<FileScanTask>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    SCOPED_TRACE(want[i].data_file->file_path);
    ExpectSameTask(got[i], want[i]);
  }
}

class TaskRoundTrip : public ::testing::Test {
 protected:
  void Check(const SnapshotSource& source, const TableScan::Result& plan) {
    const TaskDefinitions definitions = TaskDefinitions::Of(source);
    const std::string json = PlanToJson(plan, source).dump();
    ExpectSameTasks(TasksFromJson(JsonDocument::Parse(json).root(), definitions), plan.tasks);
    const TaskSetHeader header{.table_uuid = {},
                               .snapshot_id = source.snapshot_id(),
                               .definitions = definitions,
                               .projection = source.schema(),
                               .name_mapping = {}};
    const std::string bytes = TasksToBinary(header, plan.tasks);
    ExpectSameTasks(TasksFromBinary(AsBytes(bytes)), plan.tasks);
    EXPECT_EQ(TaskSetReader(AsBytes(bytes)).header().definitions.schema(), source.schema());
    tasks_ += plan.tasks.size();
    for (const FileScanTask& task : plan.tasks) {
      deletes_ += task.deletes.size();
      metrics_ += task.data_file->metrics.size();
    }
  }

  size_t tasks_ = 0;
  size_t deletes_ = 0;
  size_t metrics_ = 0;
};

TEST_F(TaskRoundTrip, WholeFilesAndSplitsOfEveryTable) {
  for (const std::filesystem::path& directory : TablesAtHand()) {
    SCOPED_TRACE(directory.string());
    const Table table = OpenTable(MakeLocalFileIO(), directory.string(), {.moved = true});
    const auto source = MakeSnapshotSource(table, ChooseSnapshot(*table.metadata, {}));
    for (const BoundFilter& filter : FiltersOf(directory, source->schema())) {
      TableScan::Result plan =
          TableScan(source, filter, {.column_metrics = true}).PlanFiles(Context{});
      Check(*source, plan);
      std::vector<FileScanTask> splits;
      for (const ScanTaskGroup& group : GroupTasks(plan.tasks, {.target_size = 500})) {
        splits.insert(splits.end(), group.tasks.begin(), group.tasks.end());
      }
      plan.tasks = std::move(splits);
      Check(*source, plan);
    }
  }
  EXPECT_GT(tasks_, 50u);
  EXPECT_GT(deletes_, 10u);
  EXPECT_GT(metrics_, 200u);
}

}  // namespace
}  // namespace nunatak::iceberg
