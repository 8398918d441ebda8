/// Explanations of random tables, held against their rows.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "nunatak/inspect/explain/file_explanation.h"
#include "nunatak/inspect/explain/filter_terms.h"
#include "nunatak/inspect/explain/scan_explanation.h"
#include "nunatak/plan/table_scan.h"
#include "plan/random_table.h"

namespace nunatak {
namespace {

bool Passes(const BoundFilter& filter, const TestRow& row, const std::vector<TestColumn>& columns) {
  std::vector<ValueView> values;
  for (const BoundFilter::Column& column : filter.columns) {
    const auto at = std::find_if(columns.begin(), columns.end(),
                                 [&](const TestColumn& c) { return c.id == column.field_id; });
    values.push_back(row[static_cast<size_t>(at - columns.begin())].view());
  }
  return EvaluateRow(filter, values);
}

/// Calls `check(table, filter, planned paths)` for random tables and filters.
template <typename Check>
void ForRandomPlans(uint32_t tables, int filters, Check check) {
  for (uint32_t seed = 0; seed < tables; ++seed) {
    RandomTable table(seed);
    FilterGenerator generator(
        table.columns(), [&](size_t column) { return table.LiteralFor(column); }, table.random());
    for (int n = 0; n < filters; ++n) {
      const TestFilter test = generator.Next();
      const BoundFilter filter = Bind(ToExpr(test, table.columns()), table.source()->schema());
      SCOPED_TRACE(std::to_string(seed) + ": " + FilterToText(filter));
      check(table, filter, TableScan(table.source(), filter).PlanFiles({}));
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(ExplainRandom, WhatIsLeftOutAndWhatIsLeftAddUp) {
  std::set<PruningReason> reasons;
  ForRandomPlans(
      30, 30,
      [&](const RandomTable& table, const BoundFilter& filter, const TableScan::Result& plan) {
        const ScanExplanation explanation = ExplainScan({}, table.source(), filter);
        for (const ScanLayer* layer : {&explanation.manifests, &explanation.files}) {
          Amount sum = layer->out;
          for (const PrunedAmount& part : layer->pruned) {
            sum += part.amount;
            reasons.insert(part.reason);
          }
          EXPECT_EQ(sum, layer->in) << layer->name;
        }
        EXPECT_EQ(explanation.manifests.out.count, plan.counts.data_groups_read);
        EXPECT_EQ(explanation.files.out.count, static_cast<int64_t>(plan.tasks.size()));
      });
  for (const PruningReason reason :
       {PruningReason::kPartitionSummary, PruningReason::kPartitionValue, PruningReason::kBounds,
        PruningReason::kNullCounts}) {
    EXPECT_TRUE(reasons.contains(reason)) << ToString(reason);
  }
}

TEST(ExplainRandom, ATermThatCannotMatchAFileMatchesNoRowOfIt) {
  int verdicts = 0;
  ForRandomPlans(
      12, 12,
      [&](const RandomTable& table, const BoundFilter& filter, const TableScan::Result& plan) {
        std::set<std::string> planned;
        for (const FileScanTask& task : plan.tasks) planned.insert(task.data_file->file_path);
        const std::vector<BoundFilter> leaves = LeavesOf(filter);
        for (const auto& [path, rows] : table.rows()) {
          const FileExplanation explanation = ExplainFile({}, table.source(), filter, path);
          EXPECT_EQ(explanation.planned(), planned.contains(path)) << path;
          ASSERT_EQ(explanation.leaves.size(), leaves.size());
          for (size_t i = 0; i < leaves.size(); ++i) {
            const auto& levels = explanation.leaves[i].verdicts;
            const bool may_match = std::all_of(levels.begin(), levels.end(),
                                               [](const LeafVerdict& v) { return v.may_match; });
            if (may_match) continue;
            ++verdicts;
            for (const TestRow& row : rows) {
              EXPECT_FALSE(Passes(leaves[i], row, table.columns()))
                  << path << ": " << explanation.leaves[i].leaf;
            }
          }
        }
      });
  EXPECT_GT(verdicts, 500);
}

}  // namespace
}  // namespace nunatak
