#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/delta/actions.h"
#include "nunatak/delta/add_files.h"
#include "nunatak/delta/log_listing.h"
#include "nunatak/delta/table.h"
#include "nunatak/delta/table_schema.h"
#include "nunatak/plan/snapshot_source.h"
#include "nunatak/read/read_request.h"

namespace nunatak::delta {

/// A Parquet file that holds `add` actions: of a checkpoint, or a sidecar.
struct AddsFile {
  std::string location;
  int64_t size = 0;
};

/// One version of a table: what its log says beside its files, and where those are found.
struct NUNATAK_EXPORT Snapshot {
  int64_t version = 0;
  LogSegment segment;
  Protocol protocol;
  Metadata metadata;
  TableSchema table_schema;
  std::map<std::string, Transaction> transactions;
  /// Without those that were removed.
  std::map<std::string, DomainMetadata> domains;

  /// Parts of the checkpoint that are read when they are planned.
  std::vector<AddsFile> checkpoint_adds;
  /// Files that the checkpoint holds as JSON; may be null.
  std::shared_ptr<const AddFiles> checkpoint_json_adds;
  /// Files that the commits after the checkpoint added, oldest first.
  std::shared_ptr<const AddFiles> commit_adds;
  /// What those commits speak of: it replaces what the checkpoint says of the same files.
  std::shared_ptr<const FileKeys> commit_keys;

  const Schema& schema() const { return table_schema.schema; }
};

/// Reads the log up to a version; the latest one when absent. Commits after the checkpoint are read
/// whole, and of the checkpoint what is not about files. When a checkpoint turns out to be damaged,
/// an older one is used, or all commits. Throws what `LogListing::SegmentsFor` throws, `kInvalid`
/// for a malformed log (file, and line or column), and `kUnsupported` for what readers of the table
/// must know and this build does not.
NUNATAK_EXPORT Snapshot LoadSnapshot(const Table& table, const Context& context,
                                     std::optional<int64_t> version = std::nullopt);

/// The files of a version for the planner: each part of a checkpoint is a group, and so are the
/// commits after it.
NUNATAK_EXPORT std::shared_ptr<const SnapshotSource> MakeSnapshotSource(const Table& table,
                                                                        const Snapshot& snapshot);

/// How the data files of a version are read: columns by what they are called there.
NUNATAK_EXPORT ReadRequest ReadRequestOf(const Snapshot& snapshot, Schema schema);

}  // namespace nunatak::delta
