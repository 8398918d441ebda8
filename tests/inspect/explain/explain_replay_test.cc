/// Explanations held against the planner, and against the rows themselves: for every filter that
/// comes with a table, and every data file of it.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/past_schemas.h"
#include "nunatak/iceberg/snapshot_choice.h"
#include "nunatak/inspect/explain/file_explanation.h"
#include "nunatak/inspect/explain/filter_terms.h"
#include "nunatak/inspect/explain/scan_explanation.h"
#include "nunatak/plan/table_scan.h"
#include "nunatak/read/count_rows.h"
#include "nunatak/read/name_mapping.h"
#include "test_data.h"

namespace nunatak {
namespace {

namespace fs = std::filesystem;

/// A table with what its writer expects of it.
struct TableCase {
  std::string name;
  iceberg::Table table;
  std::shared_ptr<const SnapshotSource> source;
  std::vector<std::string> filters;
};

std::vector<std::string> FiltersOf(const nlohmann::json& want) {
  std::vector<std::string> filters = {"true"};
  for (const auto& plan : want.value("plans", nlohmann::json::array())) {
    filters.push_back(plan.contains("iceberg_expr") ? plan["iceberg_expr"].dump()
                                                    : plan["filter"].get<std::string>());
  }
  return filters;
}

TableCase CaseOf(std::string name, const fs::path& location, std::vector<std::string> filters) {
  TableCase c{.name = std::move(name), .filters = std::move(filters)};
  c.table = iceberg::OpenTable(MakeLocalFileIO(), location.string(), {.moved = true});
  c.source = iceberg::MakeSnapshotSource(c.table, iceberg::ChooseSnapshot(*c.table.metadata, {}));
  return c;
}

/// A table whose writer counts no NaNs, and filters of ours: amounts are 30.0 to 79.5 in its files.
TableCase TableWithoutNanCounts() {
  return CaseOf("bookshop-orders", TestData() / "bookshop-orders",
                {"amount > 100", "amount >= 79.5", "amount < 10", "amount != 40", "amount = 100",
                 "amount > 100 and order_id < 9", "amount > 100 or order_id < 9"});
}

std::vector<TableCase> TableCases() {
  std::vector<fs::path> folders = {TestData() / "iceberg"};
  if (const char* corpus = std::getenv("NUNATAK_CORPUS")) {
    folders.push_back(fs::path(corpus) / "iceberg");
  }
  std::vector<TableCase> cases;
  cases.push_back(TableWithoutNanCounts());
  std::set<std::string> seen;
  for (const fs::path& folder : folders) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string file = entry.path().filename().string();
      const size_t end = file.find(".expect.json");
      if (end == std::string::npos || !seen.insert(file).second) continue;
      const auto want = nlohmann::json::parse(std::ifstream(entry.path()));
      const std::string name = file.substr(0, end);
      const std::string metadata = want.value("metadata_file", "");
      cases.push_back(CaseOf(name, folder / name / metadata, FiltersOf(want)));
    }
  }
  return cases;
}

std::optional<BoundFilter> BindIfItFits(const std::string& filter, const Schema& schema) {
  try {
    return BindFilter(filter, schema);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Calls `check` for each table and filter.
template <typename Check>
void ForEachFilter(Check check) {
  size_t checked = 0;
  for (const TableCase& c : TableCases()) {
    for (const std::string& text : c.filters) {
      const std::optional<BoundFilter> filter = BindIfItFits(text, c.source->schema());
      if (!filter) continue;
      SCOPED_TRACE(c.name + ": " + text);
      check(c, *filter);
      ++checked;
    }
  }
  EXPECT_GT(checked, 50U);
}

void ExpectToAddUp(const ScanLayer& layer) {
  Amount sum = layer.out;
  for (const PrunedAmount& part : layer.pruned) {
    EXPECT_GT(part.amount.count, 0);
    sum += part.amount;
  }
  EXPECT_EQ(sum, layer.in) << layer.name;
}

TEST(ExplainReplay, LayersAddUpToThePlan) {
  ForEachFilter([](const TableCase& c, const BoundFilter& filter) {
    const ScanExplanation explanation = ExplainScan({}, c.source, filter);
    const TableScan::Result plan = TableScan(c.source, filter).PlanFiles({});
    for (const ScanLayer* layer : {&explanation.manifests, &explanation.files}) {
      ExpectToAddUp(*layer);
    }
    EXPECT_EQ(explanation.manifests.out.count, plan.counts.data_groups_read);
    EXPECT_EQ(explanation.files.in.count, plan.counts.data_files);
    EXPECT_EQ(explanation.files.out.count, plan.counts.planned_files);
    EXPECT_EQ(explanation.files.out.bytes, plan.counts.planned_bytes);
    EXPECT_EQ(explanation.deletes.references, plan.counts.delete_references);
    EXPECT_GE(explanation.splits.in.count, explanation.files.out.count);
    EXPECT_EQ(explanation.splits.in.bytes, explanation.files.out.bytes);
  });
}

std::set<std::string> Paths(const std::vector<FileScanTask>& tasks) {
  std::set<std::string> paths;
  for (const FileScanTask& task : tasks) paths.insert(task.data_file->file_path);
  return paths;
}

/// The rows of one file that pass, found by reading all of it.
int64_t MatchingRows(const TableCase& c, FileScanTask task, const BoundFilter& filter) {
  ReadRequest request{
      .schema = c.source->schema(),
      .projection = c.source->schema(),
      .past_schema = [&c](int32_t id) { return iceberg::PastSchemaWith(*c.table.metadata, id); },
      .options = {.prune = false}};
  const auto mapping = c.table.metadata->FindProperty(kNameMappingProperty);
  if (mapping) request.name_mapping = NameMapping::Parse(*mapping);
  task.residual = std::make_shared<const BoundFilter>(filter);
  return CountRows(c.table.io, {}, request, TasksInOrder({std::move(task)}));
}

void ExpectTrueReasons(const FileExplanation& explanation) {
  bool says_why = false;
  for (const std::string_view level : explanation.pruned_by) {
    if (level == "no-rows" || level == "partition-value") says_why = true;
    for (const LeafExplanation& leaf : explanation.leaves) {
      for (const LeafVerdict& verdict : leaf.verdicts) {
        if (verdict.level == level && !verdict.may_match) says_why = true;
      }
    }
  }
  EXPECT_TRUE(says_why);
}

TEST(ExplainReplay, AFileIsLeftOutExactlyWhenThePlanLeavesItOutAndThenHasNoRow) {
  ForEachFilter([](const TableCase& c, const BoundFilter& filter) {
    const std::set<std::string> planned = Paths(TableScan(c.source, filter).PlanFiles({}).tasks);
    const TableScan::Result every = TableScan(c.source, BoundFilter()).PlanFiles({});
    for (const FileScanTask& task : every.tasks) {
      const std::string& path = task.data_file->file_path;
      const FileExplanation explanation = ExplainFile({}, c.source, filter, path);
      EXPECT_EQ(explanation.planned(), planned.contains(path)) << path;
      if (explanation.planned()) continue;
      ExpectTrueReasons(explanation);
      if (c.name == "primitives-v3-orc") continue;  // its timestamps are not read
      EXPECT_EQ(MatchingRows(c, task, filter), 0) << path;
    }
  });
}

/// Whether one leaf would leave a file out if the metrics that lack a NaN count had one of zero.
bool LeftOutWithNanCounts(const TableCase& c, DataFile file, const BoundFilter& leaf) {
  for (const BoundFilter::Column& column : leaf.columns) {
    const auto at = std::lower_bound(
        file.metrics.begin(), file.metrics.end(), column.field_id,
        [](const ColumnMetrics& metrics, int32_t id) { return metrics.field_id < id; });
    const bool known = at != file.metrics.end() && at->field_id == column.field_id;
    ColumnMetrics& metrics =
        known ? *at : *file.metrics.insert(at, ColumnMetrics{.field_id = column.field_id});
    if (!metrics.nan_value_count) metrics.nan_value_count = 0;
  }
  const MetricsLayout layout(leaf.columns, c.source->schema());
  return !Evaluate(leaf, DataFileStats(layout, file), Mode::kInclusive);
}

TEST(ExplainReplay, AFileThatIsKeptForWantOfNanCountsSaysSo) {
  size_t kept = 0;
  ForEachFilter([&kept](const TableCase& c, const BoundFilter& filter) {
    const std::vector<BoundFilter> leaves = LeavesOf(filter);
    PlanOptions options;
    options.column_metrics = true;
    for (const FileScanTask& task : TableScan(c.source, filter, options).PlanFiles({}).tasks) {
      const FileExplanation explanation =
          ExplainFile({}, c.source, filter, task.data_file->file_path);
      for (size_t i = 0; i < leaves.size(); ++i) {
        const LeafVerdict& verdict = explanation.leaves[i].verdicts.back();
        ASSERT_EQ(verdict.level, "metrics");
        const bool says_so = verdict.missing && verdict.missing->kind == MetricsKind::kNanCounts;
        EXPECT_EQ(says_so, verdict.may_match && LeftOutWithNanCounts(c, *task.data_file, leaves[i]))
            << task.data_file->file_path << " " << explanation.leaves[i].leaf;
        if (says_so) ++kept;
      }
    }
  });
  EXPECT_GT(kept, 0U);
}

TEST(ExplainReplay, TheDeletesThatApplyAreThoseOfTheTask) {
  for (const TableCase& c : TableCases()) {
    for (const FileScanTask& task : TableScan(c.source, BoundFilter()).PlanFiles({}).tasks) {
      const FileExplanation explanation =
          ExplainFile({}, c.source, BoundFilter(), task.data_file->file_path);
      std::multiset<std::string> applying;
      for (const DeleteVerdict& verdict : explanation.deletes) {
        EXPECT_FALSE(verdict.reason.empty());
        if (verdict.applies) applying.insert(verdict.file->file.file_path);
      }
      std::multiset<std::string> attached;
      for (const auto& deletes : task.deletes) attached.insert(deletes->file.file_path);
      EXPECT_EQ(applying, attached) << c.name << " " << task.data_file->file_path;
    }
  }
}

}  // namespace
}  // namespace nunatak
