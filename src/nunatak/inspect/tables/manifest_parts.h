#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "nunatak/iceberg/manifest.h"
#include "nunatak/iceberg/manifest_cache.h"
#include "nunatak/iceberg/table.h"
#include "nunatak/inspect/metadata_table.h"
#include "nunatak/inspect/tables/manifest_rows.h"

namespace nunatak {

/// Manifests as the parts of a metadata table. Thread-safe; copies share what they have fetched.
class ManifestParts {
 public:
  ManifestParts(const iceberg::Table& table, std::vector<iceberg::ManifestFile> files);

  size_t size() const { return files_->size(); }
  const iceberg::ManifestFile& file(size_t part) const { return (*files_)[part]; }
  /// The entries of a manifest, without column metrics.
  iceberg::Manifest Read(size_t part) const;
  /// All that is recorded of them, to be decoded when it is looked at.
  std::shared_ptr<const ManifestRows> Rows(size_t part) const;
  /// For `MetadataTable::fetch`.
  std::function<void(size_t part)> fetch() const;
  /// For `MetadataTable::bytes`.
  std::function<int64_t(size_t part)> bytes() const;

 private:
  iceberg::Table table_;
  std::shared_ptr<const std::vector<iceberg::ManifestFile>> files_;
  /// Shares shapes, and keeps what was fetched until it is decoded.
  std::shared_ptr<iceberg::ManifestCache> cache_;
};

enum class ManifestChoice { kAll, kData, kDeletes };

/// The manifests of one snapshot.
ManifestParts SnapshotManifests(const iceberg::Table& table, const iceberg::Snapshot* snapshot,
                                ManifestChoice choice = ManifestChoice::kAll);
/// Each manifest that any snapshot of the table has, once, in the order in which they come first.
ManifestParts AllManifests(const iceberg::Table& table,
                           ManifestChoice choice = ManifestChoice::kAll);

}  // namespace nunatak
