#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string_view>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/plan/file_scan_task.h"

namespace nunatak {

/// How files are cut into splits, and splits combined into groups: the meaning and the defaults of
/// the table properties `read.split.*`.
struct NUNATAK_EXPORT SplitOptions {
  /// Bytes; above 0. What a group weighs at most, unless it is one split that cannot be cut
  /// further, and the length of splits of files without split offsets.
  int64_t target_size = int64_t{128} << 20;
  /// How many groups may be open at once; above 0. Bounds the memory.
  int32_t lookback = 10;
  /// Bytes that opening a file costs; a split weighs at least this much for its data file and for
  /// each of its delete files.
  int64_t open_file_cost = int64_t{4} << 20;

  /// Looks up a table property; null when the table does not set it.
  using FindProperty = std::function<std::optional<std::string_view>(std::string_view key)>;
  /// `read.split.target-size`, `read.split.planning-lookback`, `read.split.open-file-cost`. Throws
  /// `ErrorCode::kInvalid` for a value that is not an integer in range, naming the property.
  static SplitOptions FromProperties(const FindProperty& find);
};

/// Tasks that are meant to be read by one worker.
struct NUNATAK_EXPORT ScanTaskGroup {
  /// No two in a row continue each other: adjoining splits of a file are one task again.
  std::vector<FileScanTask> tasks;
  /// The sum of the weights of the splits that were combined, in bytes.
  int64_t weight = 0;
};

/// What a task weighs when groups are formed: its bytes and those of its deletes (of a deletion
/// vector, its blob alone), and at least `open_file_cost` per file.
NUNATAK_EXPORT int64_t SplitWeight(const FileScanTask& task, int64_t open_file_cost);

using ScanTaskSink = std::function<void(FileScanTask)>;

/// Cuts a task that holds a whole data file into splits, in the order of the file. The splits
/// adjoin and cover the file exactly, so that each row group, which belongs to the split that holds
/// its first byte, belongs to one split.
///
/// A file is cut at each of its `split_offsets` but the first, when they are valid: strictly
/// ascending, not negative, the last within the file. Java's reference implementation starts the
/// first split at the first offset instead of at 0; what lies before it holds no row group unless
/// the offset is wrong, and then no row is lost here. Without valid offsets, a file is cut every
/// `target_size` bytes. A task that is a part of a file already, or whose format cannot be split,
/// is passed on as it is.
///
/// Throws `ErrorCode::kInvalid` when a file would be cut into more than 2^24 splits.
NUNATAK_EXPORT void SplitTask(const FileScanTask& task, int64_t target_size,
                              const ScanTaskSink& sink);

/// Splits tasks and combines the splits into groups, as they come: each split goes into the first
/// open group that has room for it, else into a new one; when more than `lookback` groups are open,
/// the heaviest is handed out. This is the bin packing of Java's `TableScanUtil.planTaskGroups`;
/// only that a file's first split weighs the few bytes before the first offset too. Not
/// thread-safe.
class NUNATAK_EXPORT TaskGrouper {
 public:
  using Sink = std::function<void(ScanTaskGroup)>;

  /// Throws `ErrorCode::kUsage` for options out of range.
  TaskGrouper(const SplitOptions& options, Sink sink);

  void Add(const FileScanTask& task);
  /// Hands out the groups that are still open: call once, after the last task.
  void Finish();

 private:
  void Place(FileScanTask split);
  void HandOut(std::list<ScanTaskGroup>::iterator group);

  SplitOptions options_;
  Sink sink_;
  std::list<ScanTaskGroup> open_;
};

/// `TaskGrouper`, collected.
NUNATAK_EXPORT std::vector<ScanTaskGroup> GroupTasks(const std::vector<FileScanTask>& tasks,
                                                     const SplitOptions& options);

}  // namespace nunatak
