#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/read/file_tails.h"
#include "nunatak/read/read_request.h"
#include "nunatak/read/task_deletes.h"

namespace nunatak {

/// A data file between opening and decoding: its footer is parsed, and the projection, deletes and
/// residual are resolved against it. Reading goes window by window, a window being some consecutive
/// row groups of the task:
///
///     while (!file.done()) {
///       std::vector<ByteRange> needed = file.Needed();
///       file.Fill(<the bytes of each>);
///       while (auto batch = file.Next()) …
///     }
///
/// (`DataFileStream` is that loop.) Nothing here does I/O. Used by one thread at a time.
class NUNATAK_EXPORT OpenDataFile {
 public:
  ~OpenDataFile();
  OpenDataFile(OpenDataFile&&) noexcept;
  OpenDataFile& operator=(OpenDataFile&&) noexcept;

  /// Whether every window was decoded.
  bool done() const;
  /// The byte ranges of the next window; may be empty, when no column of the file is needed. Empty
  /// when done.
  std::vector<ByteRange> Needed() const;
  /// Hands over the bytes of each range of `Needed()`, in that order.
  void Fill(std::vector<Buffer> buffers);
  /// The next surviving rows of the filled window, at least one; null when the window is exhausted,
  /// whose bytes are then released. An error names the file.
  std::shared_ptr<arrow::RecordBatch> Next();

 private:
  friend OpenDataFile OpenTask(FileIO& io, const Context& context, const ReadRequest& request,
                               const FileScanTask& task, TaskDeletes deletes, FileTails* tails);
  friend OpenDataFile OpenTask(FileIO& io, const Context& context, const ReadRequest& request,
                               const FileScanTask& task, TaskDeletes deletes, Buffer tail);
  /// `tails` may be null.
  static OpenDataFile Open(FileIO& io, const Context& context, const ReadRequest& request,
                           const FileScanTask& task, TaskDeletes deletes, FileTails* tails);
  class Impl;
  explicit OpenDataFile(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Opens the data file of a task, of whose rows `deletes` are left out (`ScanDeletes::For`).
/// Throws `ErrorCode::kInvalid` for a missing or malformed file, a column that cannot be read as
/// its type, and a required column that neither file nor table gives a value; `kUnsupported` for an
/// encrypted file. Splits of one file that are given the same `tails` fetch its footer once.
NUNATAK_EXPORT OpenDataFile OpenTask(FileIO& io, const Context& context, const ReadRequest& request,
                                     const FileScanTask& task, TaskDeletes deletes,
                                     FileTails* tails = nullptr);

/// The same for a caller who has the last bytes of the file: what a footer needs beyond them is
/// fetched, and nothing when they suffice (512 KiB of them mostly do). Less than a KiB of a larger
/// file, more than 4 MiB, and the last bytes of an Avro file, which has no footer, are ignored.
NUNATAK_EXPORT OpenDataFile OpenTask(FileIO& io, const Context& context, const ReadRequest& request,
                                     const FileScanTask& task, TaskDeletes deletes, Buffer tail);

}  // namespace nunatak
