#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <cstdio>
#include <memory>

namespace nunatak::cli {

/// Writes record batches as they come. Whoever calls it closes the stream. What cannot be written
/// is an error, or `BrokenPipe`.
class BatchWriter {
 public:
  virtual ~BatchWriter() = default;
  virtual void Write(const arrow::RecordBatch& batch) = 0;
  /// Writes what is still held back, and the end of the format: call once.
  virtual void Finish() = 0;
};

enum class ArrowForm {
  kStream,  ///< IPC streaming format, which can be read while it is written.
  kFile,    ///< IPC file format (Feather), which can be read at any place once it is whole.
};

std::unique_ptr<BatchWriter> MakeArrowWriter(std::FILE* stream,
                                             const std::shared_ptr<arrow::Schema>& schema,
                                             ArrowForm form);

/// A row group ends when its batches took about `row_group_bytes` in memory, which is what the
/// writer holds. Field ids are kept, and the Arrow schema is embedded.
std::unique_ptr<BatchWriter> MakeParquetWriter(std::FILE* stream,
                                               const std::shared_ptr<arrow::Schema>& schema,
                                               int64_t row_group_bytes);

}  // namespace nunatak::cli
