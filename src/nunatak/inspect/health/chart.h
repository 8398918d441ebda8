#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/inspect/health/table_figures.h"

namespace nunatak {

struct ChartBar {
  std::string label;
  double value = 0;
};

/// Numbers to be drawn as bars, side by side in a given order.
struct Chart {
  /// In kebab-case; stable.
  std::string_view name;
  std::string_view title;
  /// What a bar's value counts.
  std::string_view unit;
  std::vector<ChartBar> bars;
};

/// file-sizes, files-per-partition (the 20 partitions with most files), commits (over time),
/// overlap-depth (by column), delete-debt (data files by their number of delete files). A chart of
/// what a table does not have has no bars.
NUNATAK_EXPORT std::vector<Chart> ChartsOf(const TableFigures& figures);

}  // namespace nunatak
