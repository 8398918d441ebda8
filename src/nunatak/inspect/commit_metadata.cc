#include "nunatak/inspect/commit_metadata.h"

#include <algorithm>

#include "nunatak/base/error.h"

namespace nunatak {

namespace {

/// A commit's metadata file is the first that is not older than its snapshot.
std::string LocationOfCommit(const iceberg::Table& table, const iceberg::Snapshot& snapshot) {
  const std::vector<iceberg::MetadataLogEntry>& log = table.metadata->metadata_log;
  const auto entry =
      std::find_if(log.begin(), log.end(), [&](const iceberg::MetadataLogEntry& candidate) {
        return candidate.timestamp_ms >= snapshot.timestamp_ms;
      });
  return entry == log.end() ? table.metadata_location : entry->metadata_file;
}

}  // namespace

CommitMetadata MetadataOfCommit(const iceberg::Table& table, const iceberg::Snapshot& snapshot) {
  CommitMetadata commit{
      .metadata = table.metadata, .location = LocationOfCommit(table, snapshot), .unknown = ""};
  if (commit.location == table.metadata_location) return commit;
  try {
    commit.metadata = iceberg::OpenTable(table.io, commit.location).metadata;
  } catch (const Error& error) {
    return {.metadata = nullptr, .location = "", .unknown = error.message()};
  }
  if (commit.metadata->FindSnapshot(snapshot.snapshot_id)) return commit;
  return {.metadata = nullptr,
          .location = "",
          .unknown = "the metadata log does not reach back to the commit"};
}

}  // namespace nunatak
