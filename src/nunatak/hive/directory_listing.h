#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/hive/partition_path.h"
#include "nunatak/io/file_io.h"

namespace nunatak::hive {

/// A directory that holds data files.
struct ListedDirectory {
  /// The partition parts of its path, from the outside in.
  std::vector<PartitionPart> parts;
  /// Sorted by name, hidden ones left out; summary files are not among them.
  std::vector<FileInfo> files;
};

struct DirectoryListing {
  /// Sorted by location.
  std::vector<ListedDirectory> directories;
  /// `_metadata` and `_common_metadata` of the root.
  std::vector<FileInfo> summaries;
  /// How many directories were listed.
  int64_t list_calls = 0;
};

/// Lists everything below a directory, or finds the one file that the location names, one level
/// after the other, with as many requests in flight as the context allows where they wait for a
/// network. Throws `ErrorCode::kNotFound` when there is no such directory, and `kInvalid` when
/// directories are nested too deep, as by a link to themselves.
NUNATAK_EXPORT DirectoryListing ListDirectories(FileIO& io, const Context& context,
                                                const std::string& root);

}  // namespace nunatak::hive
