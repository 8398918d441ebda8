#pragma once

#include <cstdint>
#include <vector>

#include "nunatak/delta/checkpoint_columns.h"
#include "nunatak/delta/checkpoint_file.h"
#include "nunatak/delta/file_statistics.h"

namespace nunatak::delta {

/// Chooses the columns of `stats_parsed` that the statistics of these columns are in.
void SelectParsedStatistics(const std::vector<StatisticsColumn>& columns, CheckpointFile* file);

/// The statistics of some of the rows at hand that are columns themselves.
class ParsedStatistics {
 public:
  ParsedStatistics(CheckpointFile* file, const RowSelection& rows,
                   const std::vector<StatisticsColumn>& columns);

  /// Adds what is said of the file in one of the rows, which `statistics` has begun; false when
  /// that is nothing.
  bool Read(int64_t row, FileStatistics* statistics) const;

 private:
  struct Bounds {
    Type type;
    CheckpointColumn lower;
    CheckpointColumn upper;
    CheckpointColumn nulls;
  };

  CheckpointColumn record_count_;
  CheckpointColumn tight_bounds_;
  std::vector<Bounds> bounds_;
};

}  // namespace nunatak::delta
