#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/delta/log_listing.h"
#include "nunatak/io/file_io.h"

namespace nunatak::delta {

/// A table as its log was when it was opened. Cheap enough to copy; thread-safe once opened.
struct NUNATAK_EXPORT Table {
  std::shared_ptr<FileIO> io;
  /// The table's directory.
  std::string location;
  std::shared_ptr<const LogListing> log;

  std::string log_location() const;
};

/// Whether the directory holds a log, by its listing.
NUNATAK_EXPORT bool HasLog(std::span<const FileInfo> directory);

/// Opens the table in a directory: its log is listed, and nothing else read. Throws
/// `ErrorCode::kNotFound` when there is no log in it, or no version in the log.
NUNATAK_EXPORT Table OpenTable(std::shared_ptr<FileIO> io, std::string_view location);

}  // namespace nunatak::delta
