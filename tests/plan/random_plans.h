#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "nunatak/plan/table_scan.h"
#include "random_table.h"

namespace nunatak {

/// Plans random filters over random tables, files with their column metrics, and calls
/// `visit(table, plan)` with each; what the plans hold is not next to nothing.
template <typename Visit>
void ForRandomPlans(Visit visit) {
  size_t tasks = 0;
  size_t metrics = 0;
  for (uint32_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomTable table(seed);
    FilterGenerator filters(
        table.columns(), [&](size_t column) { return table.LiteralFor(column); }, table.random());
    for (int n = 0; n < 10; ++n) {
      const BoundFilter filter =
          Bind(ToExpr(filters.Next(), table.columns()), table.source()->schema());
      const TableScan scan(table.source(), filter, {.column_metrics = true});
      const TableScan::Result plan = scan.PlanFiles({});
      for (const FileScanTask& task : plan.tasks) metrics += task.data_file->metrics.size();
      tasks += plan.tasks.size();
      visit(table, plan);
    }
  }
  EXPECT_GT(tasks, 500u);
  EXPECT_GT(metrics, 500u);
}

}  // namespace nunatak
