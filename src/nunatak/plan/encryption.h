#pragma once

#include <fmt/format.h>

#include "nunatak/base/error.h"
#include "nunatak/table/data_file.h"

namespace nunatak {

/// Throws `ErrorCode::kUnsupported`, naming the file, when it has encryption key metadata.
inline void RefuseEncrypted(const DataFile& file) {
  if (!file.key_metadata) return;
  ThrowUnsupported(fmt::format("encrypted file (it has key_metadata): {}", file.file_path),
                   "encryption is not supported");
}

}  // namespace nunatak
