#include "nunatak/read/supported.h"

#include <fmt/format.h>

#include "nunatak/base/error.h"
#include "nunatak/plan/encryption.h"

namespace nunatak {

void RefuseUnsupportedDeletes(const FileScanTask& task) {
  for (const auto& deletes : task.deletes) RefuseEncrypted(deletes->file);
}

void RefuseUnsupportedTask(const FileScanTask& task) {
  const DataFile& file = *task.data_file;
  RefuseEncrypted(file);
  if (file.file_format == FileFormat::kPuffin) {
    ThrowUnsupported(fmt::format("data files in {} are not supported: {}",
                                 ToString(file.file_format), file.file_path));
  }
  RefuseUnsupportedDeletes(task);
}

}  // namespace nunatak
