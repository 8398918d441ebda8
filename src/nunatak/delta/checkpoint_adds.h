#pragma once

#include <string>
#include <vector>

#include "nunatak/delta/add_files.h"
#include "nunatak/delta/checkpoint_file.h"
#include "nunatak/delta/file_statistics.h"

namespace nunatak::delta {

/// The `add` actions of a Parquet file of a checkpoint or of a sidecar.
class CheckpointAdds {
 public:
  /// Chooses the columns: of the statistics those alone that `statistics` wants, from
  /// `stats_parsed` where every file has them there, else from the JSON of `stats` too. `columns`
  /// are the physical names of the partition columns.
  CheckpointAdds(CheckpointFile file, std::vector<std::string> columns,
                 const std::vector<StatisticsColumn>& statistics);

  void Fetch(const Context& context) { file_.Fetch(context); }
  /// Appends the files that `keys`, which hold all that newer commits speak of, does not know, and
  /// what is said of each to `statistics`. After `Fetch`, once. Throws `ErrorCode::kInvalid` naming
  /// file and column.
  void Read(const Context& context, const FileKeys& keys, AddFiles* files,
            FileStatistics* statistics);

 private:
  CheckpointFile file_;
  std::vector<std::string> columns_;
};

}  // namespace nunatak::delta
