#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/iceberg/table_metadata.h"
#include "nunatak/inspect/health/table_figures.h"
#include "nunatak/plan/metrics_stats.h"
#include "nunatak/table/data_file.h"

namespace nunatak {

/// What a writer keeps of a column's bounds, by `write.metadata.metrics.column.<name>` or else
/// `write.metadata.metrics.default`.
struct MetricsMode {
  bool bounds = true;
  /// How many characters or bytes of a bound are kept; all when absent.
  std::optional<int64_t> truncated_to = 16;

  /// "none", "counts", "full", "truncate(16)"; the default for anything else.
  static MetricsMode Parse(std::string_view text);
  friend bool operator==(const MetricsMode&, const MetricsMode&) = default;
};

/// A column whose metrics are looked at.
struct SampledColumn {
  BoundFilter::Column column;
  MetricsMode mode;
  /// Whether no schema of the table lacks it: then a file that says nothing of it lacks metrics,
  /// and was not written before the column was added.
  bool is_original = true;
  /// The specs that partition by the column itself: their files' values say what bounds would.
  std::set<int32_t> identity_specs = {};
  bool leads_sort_order = false;
};

/// The first 100 columns of the schema that can have bounds, those that writers keep metrics of
/// unless they are told otherwise: of comparable types, outside of lists and maps.
NUNATAK_EXPORT std::vector<SampledColumn> ColumnsToSample(const iceberg::TableMetadata& metadata,
                                                          const Schema& schema);

/// The same for tables whose writers have no such modes: nothing is known but the schema.
NUNATAK_EXPORT std::vector<SampledColumn> ColumnsToSample(const Schema& schema);

/// The metrics of some files, column by column. What is held is 16 bytes for each column and file.
class NUNATAK_EXPORT ColumnSampler {
 public:
  /// Both must outlive the sampler.
  ColumnSampler(const std::vector<SampledColumn>& columns, const MetricsLayout& layout)
      : columns_(&columns), layout_(&layout), samples_(columns.size()) {}

  /// A data file with its column metrics.
  void Add(const DataFile& file);
  void Merge(const ColumnSampler& other);
  int64_t files() const { return files_; }
  /// `data_files`: how many the table has, of which those that were added are a sample.
  std::vector<ColumnFigures> Finish(int64_t data_files) const;

 private:
  struct Sample {
    std::vector<ValueRange> ranges;
    int64_t without_values = 0;
    int64_t missing = 0;
    int64_t truncated = 0;
  };
  void Add(const SampledColumn& column, const DataFile& file, Sample* sample) const;

  const std::vector<SampledColumn>* columns_;
  const MetricsLayout* layout_;
  std::vector<Sample> samples_;
  int64_t files_ = 0;
};

}  // namespace nunatak
