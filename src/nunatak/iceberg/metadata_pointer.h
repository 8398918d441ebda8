#pragma once

#include <string>

#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"

namespace nunatak::iceberg {

/// Which metadata file a table directory says is the current one.
struct MetadataPointer {
  std::string location;
  /// No version hint said so: it is the file of the highest version.
  bool guessed = false;
};

/// Chooses among the files of a table's metadata directory as `OpenTable` describes; `files` is
/// what `FileIO::List` gave. Throws `ErrorCode::kNotFound` when no metadata file is among them.
NUNATAK_EXPORT MetadataPointer FindMetadataPointer(FileIO& io, const std::string& directory,
                                                   const std::vector<FileInfo>& files);

}  // namespace nunatak::iceberg
