#pragma once

#include <string>

#include "nunatak/plan/task_bytes.h"
#include "nunatak/plan/task_definitions.h"
#include "nunatak/table/data_file.h"

namespace nunatak {

/// Writes the content files of a task set (docs/plan-binary.md): every field. Paths share what they
/// begin with, so that files must be read in the order in which they were written.
class ContentFileEncoder {
 public:
  /// Throws `ErrorCode::kInvalid` for a nested partition value, which no transform yields.
  void Append(const DataFile& file, std::string* out);

 private:
  std::string previous_path_;
};

class ContentFileDecoder {
 public:
  /// Partition tuples must fit the specs of `definitions`, which must outlive the decoder.
  explicit ContentFileDecoder(const TaskDefinitions& definitions) : definitions_(definitions) {}

  /// Allocates at most 80 bytes for each byte that it reads, and 512.
  DataFile Read(TaskBytesReader* in);

 private:
  const TaskDefinitions& definitions_;
  std::string previous_path_;
};

}  // namespace nunatak
