#pragma once

#include <string>
#include <vector>

#include "nunatak/delta/add_files.h"
#include "nunatak/delta/checkpoint_file.h"
#include "nunatak/delta/file_statistics.h"
#include "nunatak/delta/table_schema.h"
#include "nunatak/plan/file_batch.h"

namespace nunatak::delta {

/// The `add` actions of a Parquet file of a checkpoint or of a sidecar. What rules files out is
/// decoded first (partition values, then statistics), and the rest of those alone that are left.
class CheckpointAdds {
 public:
  /// Chooses the columns: of the statistics those alone that `statistics` wants, from
  /// `stats_parsed` where every file has them there, else from the JSON of `stats` too. `table` and
  /// `request` must outlive it.
  CheckpointAdds(CheckpointFile file, const TableSchema& table, const FileRequest& request,
                 const std::vector<StatisticsColumn>& statistics);

  void Fetch(const Context& context) { file_.Fetch(context); }
  /// Appends the files that are wanted and that `keys`, which hold all that newer commits speak of,
  /// does not know, and what is said of each to `statistics`; returns how many were not wanted.
  /// After `Fetch`, once. Throws `ErrorCode::kInvalid` naming file and column.
  LeftOutFiles Read(const Context& context, const FileKeys& keys, AddFiles* files,
                    FileStatistics* statistics);

 private:
  CheckpointFile file_;
  const TableSchema& table_;
  const FileRequest& request_;
  std::vector<std::string> columns_;
  /// The top-level file of a checkpoint with sidecars need not have the column.
  bool has_adds_;
};

}  // namespace nunatak::delta
