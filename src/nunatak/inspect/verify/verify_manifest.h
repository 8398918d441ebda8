#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nunatak/iceberg/manifest.h"
#include "nunatak/iceberg/manifest_cache.h"
#include "nunatak/inspect/file_kind.h"
#include "nunatak/inspect/table_facts.h"
#include "nunatak/inspect/verify/verify_finding.h"
#include "nunatak/table/data_file.h"

namespace nunatak {

struct KindTotals {
  int64_t files = 0;
  int64_t records = 0;
  int64_t bytes = 0;
  /// The same with the blob instead of the file for deletion vectors, several of which share one.
  int64_t content_bytes = 0;

  KindTotals& operator+=(const KindTotals& other);
};

/// By `FileKind`.
using TotalsByKind = std::array<KindTotals, 4>;

/// A live data file, as far as the checks of whole snapshots need it.
struct LiveDataFile {
  uint64_t path_hash = 0;
  uint32_t entry = 0;
  /// Among `ManifestDigest::partitions`.
  uint32_t partition = 0;
  int64_t sequence_number = 0;
  int64_t record_count = 0;
  /// −1: none.
  int64_t first_row_id = -1;
};

/// A live delete file; of metrics it has only those of the path column.
struct LiveDelete {
  DataFile file;
  uint32_t entry = 0;
  uint32_t partition = 0;
  int64_t sequence_number = 0;
  /// The one data file that it says it is of: recorded, or the bounds of its paths.
  std::optional<std::string> referenced = std::nullopt;
};

/// What is kept of a manifest that was checked: about 40 bytes for each data file.
struct ManifestDigest {
  std::string path;
  std::vector<LiveDataFile> data_files;
  std::vector<LiveDelete> deletes;
  /// The keys of the distinct partition tuples (`AppendPartitionKey`).
  std::vector<std::string> partitions;
  TotalsByKind live = {};
  TotalsByKind added = {};
  TotalsByKind removed = {};
};

/// A live file that must exist.
struct RecordedFile {
  std::string path;
  int64_t size = 0;
};

struct CheckedManifest {
  /// Null when the manifest could not be read to its end.
  std::shared_ptr<const ManifestDigest> digest;
  std::vector<Finding> findings;
  /// Only when they are asked for.
  std::vector<RecordedFile> files;
};

/// The snapshot at hand, and what is to come out.
struct ManifestScope {
  const iceberg::Snapshot& snapshot;
  bool list_files = false;
};

/// Checks one manifest against the entry of its manifest list, and its entries for themselves.
/// `bytes` is the manifest. Throws `ErrorCode::kUnsupported` for what this build does not read.
CheckedManifest CheckManifest(const TableFacts& facts, const ManifestScope& scope,
                              const iceberg::ManifestFile& file, Buffer bytes,
                              iceberg::ManifestCache& cache);

}  // namespace nunatak
