#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/iceberg/table_metadata.h"
#include "nunatak/io/file_io.h"

namespace nunatak::iceberg {

struct OpenOptions {
  /// The table was copied as a whole: what it records under its `location` lies where it was
  /// opened.
  bool moved = false;
};

/// A table as of one metadata file. Cheap to copy; what it points to is immutable and thread-safe.
struct NUNATAK_EXPORT Table {
  /// Resolves the locations that the table records.
  std::shared_ptr<FileIO> io;
  std::shared_ptr<const TableMetadata> metadata;
  /// The metadata file that was opened.
  std::string metadata_location;
  /// The table directory that was opened: the parent of the metadata file's directory.
  std::string base_location;
  /// The table was opened by its directory, and no version hint named the metadata file: it is the
  /// one of the highest version, which need not be what a catalog points to.
  bool pointer_guessed = false;
};

/// Opens a table by the location of a metadata file, whatever its name, or of the table's
/// directory.
///
/// In a directory, `metadata/version-hint.text` names the metadata file: a number is that version,
/// or the last of the consecutive versions that were committed after it, and other text is the name
/// of the file, with or without ".metadata.json". Without a hint, the highest version counts.
///
/// Throws `ErrorCode::kNotFound` when there is no table at the location, `kInvalid` when two files
/// have the version that counts or the file that the hint names is missing, and what
/// `ParseTableMetadata` throws, with the file's name.
NUNATAK_EXPORT Table OpenTable(std::shared_ptr<FileIO> io, std::string_view location,
                               const OpenOptions& options = {});

}  // namespace nunatak::iceberg
