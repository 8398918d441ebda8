#pragma once

#include <cstdint>

#include "nunatak/base/ascii_case.h"
#include "nunatak/iceberg/entry_walk.h"

namespace nunatak {

/// The kinds of files that manifests list.
enum class FileKind : uint8_t { kData, kPositionDeletes, kDeletionVector, kEqualityDeletes };

/// Deletion vectors are position deletes in Puffin files.
inline FileKind KindOf(const iceberg::WalkedEntry& entry) {
  switch (entry.head.content) {
    case FileContent::kData:
      return FileKind::kData;
    case FileContent::kEqualityDeletes:
      return FileKind::kEqualityDeletes;
    case FileContent::kPositionDeletes:
      break;
  }
  const bool puffin = ToLowerAscii(entry.slots[iceberg::kFileFormat].text()) == "puffin";
  return puffin ? FileKind::kDeletionVector : FileKind::kPositionDeletes;
}

}  // namespace nunatak
