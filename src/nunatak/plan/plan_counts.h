#pragma once

#include <cstdint>

#include "nunatak/base/export.h"

namespace nunatak {

/// What a plan looked at, what it left out and why, and what it took.
struct NUNATAK_EXPORT PlanCounts {
  int64_t data_groups = 0;  ///< Groups of data files in the snapshot.
  int64_t delete_groups = 0;
  int64_t data_groups_read = 0;  ///< Those that the partition summaries did not rule out.
  int64_t delete_groups_read = 0;
  int64_t data_files = 0;  ///< Live data files in the groups that were read.
  int64_t pruned_by_partition = 0;
  int64_t pruned_by_metrics = 0;
  int64_t planned_files = 0;
  int64_t planned_bytes = 0;    ///< Of the planned data files.
  int64_t planned_records = 0;  ///< In the planned data files.
  int64_t delete_files = 0;     ///< Delete files among which those of each task were looked for.
  int64_t delete_files_pruned = 0;
  int64_t delete_references = 0;  ///< Pairs of a task and a delete file.

  int64_t peak_window_bytes = 0;   ///< The most that groups read ahead held at once.
  int64_t delete_index_bytes = 0;  ///< What the delete files hold, about.
  double delete_seconds = 0;       ///< Wall time of reading the deletes.
  double fetch_seconds = 0;        ///< Of getting the groups' bytes, over all threads together.
  double decode_seconds = 0;       ///< Of decoding them, likewise.
  double select_seconds = 0;       ///< Of pruning their files and making tasks, likewise.
  double seconds = 0;              ///< Wall time in all, the caller's own work between tasks too.

  /// Adds what was counted of the files of one more group.
  void AddFiles(const PlanCounts& group) {
    data_files += group.data_files;
    pruned_by_partition += group.pruned_by_partition;
    pruned_by_metrics += group.pruned_by_metrics;
    planned_files += group.planned_files;
    planned_bytes += group.planned_bytes;
    planned_records += group.planned_records;
    delete_references += group.delete_references;
  }
};

}  // namespace nunatak
