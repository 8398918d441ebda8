#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/plan/task_set_header.h"

namespace nunatak {

/// Writes scan tasks in a compact binary form (docs/plan-binary.md), as they come: the header once,
/// then each delete file, residual and data file when the first task refers to it. Holds the delete
/// files and the distinct residuals that it has written, and the last 64 data files. Not
/// thread-safe.
class NUNATAK_EXPORT TaskSetWriter {
 public:
  using Sink = std::function<void(std::string_view bytes)>;

  /// Calls `sink` with the beginning of the task set.
  TaskSetWriter(const TaskSetHeader& header, Sink sink);
  ~TaskSetWriter();
  TaskSetWriter(TaskSetWriter&&) noexcept;
  TaskSetWriter& operator=(TaskSetWriter&&) noexcept;

  /// The task must be of the header's table: its spec one of `header.definitions`, its residual
  /// bound to that schema.
  void Add(const FileScanTask& task);
  /// Call once, after the last task: a task set without its end is damaged.
  void Finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

struct TaskSetReadOptions {
  /// Each record ends with a checksum. Turning this off is for tests that damage what lies below.
  bool verify_checksums = true;
};

/// Reads what `TaskSetWriter` wrote. Allocates at most 100 bytes for each byte of the input, beside
/// what parsing the header's schema takes. Not thread-safe; the tasks own what they refer to.
///
/// Errors are `ErrorCode::kInvalid` and name the byte, or `kUnsupported` for a version or a kind of
/// record that this build does not know, by its number.
class NUNATAK_EXPORT TaskSetReader {
 public:
  /// Reads the header. `bytes` must outlive the reader.
  explicit TaskSetReader(ByteSpan bytes, const TaskSetReadOptions& options = {});
  ~TaskSetReader();
  TaskSetReader(TaskSetReader&&) noexcept;
  TaskSetReader& operator=(TaskSetReader&&) noexcept;

  const TaskSetHeader& header() const;
  /// The next task; nullopt after the last, once the end was found and right.
  std::optional<FileScanTask> Next();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// `TaskSetWriter` and `TaskSetReader` for what fits in memory.
NUNATAK_EXPORT std::string TasksToBinary(const TaskSetHeader& header,
                                         std::span<const FileScanTask> tasks);
NUNATAK_EXPORT std::vector<FileScanTask> TasksFromBinary(ByteSpan bytes);

}  // namespace nunatak
