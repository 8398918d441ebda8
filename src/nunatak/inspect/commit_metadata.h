#pragma once

#include <memory>
#include <string>

#include "nunatak/iceberg/snapshots.h"
#include "nunatak/iceberg/table.h"
#include "nunatak/iceberg/table_metadata.h"

namespace nunatak {

/// What a table's metadata was when a snapshot was committed.
struct CommitMetadata {
  /// Null when that is not known.
  std::shared_ptr<const iceberg::TableMetadata> metadata;
  std::string location;
  /// Why it is not known.
  std::string unknown;
};

/// Looks for the metadata file of the commit in the table's metadata log, and reads it: log entries
/// and files may have expired.
CommitMetadata MetadataOfCommit(const iceberg::Table& table, const iceberg::Snapshot& snapshot);

}  // namespace nunatak
