#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "nunatak/inspect/verify/verify_manifest.h"
#include "nunatak/inspect/verify/verify_report.h"

namespace nunatak {

/// Gives the path of an entry's file: digests keep no more than its hash.
using PathOfEntry = std::function<std::string(size_t manifest, uint32_t entry)>;

/// The manifests of one snapshot, in the order of its manifest list, as far as they could be read.
struct SnapshotContents {
  const iceberg::Snapshot& snapshot;
  std::vector<iceberg::ManifestFile> manifests;
  /// Of each of the manifests; null where one could not be read.
  std::vector<std::shared_ptr<const ManifestDigest>> digests;
  PathOfEntry path_of;

  /// Whether every manifest could be read: totals say nothing otherwise.
  bool complete() const;
};

/// Checks a snapshot as a whole: its summary and operation, files that are listed twice, row ids
/// that overlap, and what its delete files apply to. Findings about files name their manifest.
void CheckSnapshotContents(const TableFacts& facts, const SnapshotContents& contents,
                           const std::string& metadata_location, std::vector<Finding>* findings);

}  // namespace nunatak
