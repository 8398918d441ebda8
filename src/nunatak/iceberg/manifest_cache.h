#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "nunatak/avro/container.h"
#include "nunatak/avro/decode_plan.h"
#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"
#include "nunatak/plan/file_batch.h"
#include "nunatak/table/partition_spec.h"
#include "nunatak/table/type.h"

namespace nunatak::iceberg {

class DiskManifestCache;
struct ManifestShape;

/// A decoded manifest, however it is kept. Immutable as far as callers can see, and thread-safe.
class NUNATAK_EXPORT DecodedManifest {
 public:
  virtual ~DecodedManifest() = default;
  /// The live files with the columns that are asked for; keeps `self`, which is this object, alive.
  /// Null when the columns were lost, and the manifest must be decoded again.
  virtual std::shared_ptr<const FileBatch> Batch(std::shared_ptr<const DecodedManifest> self,
                                                 const FileRequest& request) const = 0;
  virtual int64_t memory_bytes() const = 0;
};

struct ManifestCacheOptions {
  /// Bytes of manifests and manifest lists, as they are stored, that are kept by location.
  int64_t max_file_bytes = int64_t{64} << 20;
  /// Bytes of decoded manifests, kept as columns.
  int64_t max_column_bytes = int64_t{256} << 20;
  /// Where decoded manifests are kept for other processes, which may use it at the same time
  /// (iceberg/disk_cache.h); it is made when it is needed. Empty: nowhere.
  std::string disk_directory = {};
  /// Bytes of the files in it, approximately: beyond it, the least recently used are removed.
  int64_t max_disk_bytes = int64_t{1} << 30;
};

struct ManifestCacheCounters {
  /// Of lookups of shapes and of manifest lists' plans.
  int64_t hits = 0;
  int64_t misses = 0;
  /// Files that were found by location, and need no request.
  int64_t file_hits = 0;
  /// Manifests that were found decoded.
  int64_t column_hits = 0;
  /// Manifests that were found on disk, and that were written there.
  int64_t disk_hits = 0;
  int64_t disk_writes = 0;
  int64_t file_bytes = 0;
  int64_t column_bytes = 0;
};

/// What planning need not do twice, shared by the scans and threads that are given it: nothing is
/// cached anywhere else.
///
///   shapes     by the raw bytes that they derive from (`avro.schema`, `format-version`, and the
///              table's own spec): the parsed schema, the compiled decode plan, the partition type,
///              the slots. A hash of the bytes is only a filter: they are compared.
///   lists      the decode plans of manifest lists, by their raw `avro.schema`
///   files      manifests and manifest lists by location: Iceberg never rewrites one
///   columns    decoded manifests, by location and what they inherit from their manifest list;
///              also on disk, if the options say where
///
/// Files and columns are kept under a budget each, the least recently used go first; whoever uses
/// one keeps it alive. Thread-safe.
class NUNATAK_EXPORT ManifestCache {
 public:
  explicit ManifestCache(ManifestCacheOptions options = {});
  ~ManifestCache();
  ManifestCache(const ManifestCache&) = delete;
  ManifestCache& operator=(const ManifestCache&) = delete;

  /// Every lookup misses and nothing is kept: the same code path without a cache.
  static std::shared_ptr<ManifestCache> Disabled();

  /// A seam for tests: every key hashes to zero, so that comparing bytes alone tells two apart.
  void CollideAllHashes();

  ManifestCacheCounters counters() const;

  /// The shape of a manifest under the table's spec. `spec_key` stands for spec and type: equal
  /// keys mean equal ones. Throws what compiling throws.
  std::shared_ptr<const ManifestShape> Shape(const avro::Container& container,
                                             const PartitionSpec& spec, const Type& partition_type,
                                             std::string_view spec_key);
  /// The decode plan of a manifest list.
  std::shared_ptr<const avro::DecodePlan> ListPlan(const avro::Container& container);

  bool keeps_files() const;
  std::optional<Buffer> FindFile(const std::string& location);
  void KeepFile(const std::string& location, const Buffer& bytes);

  /// Whether it is worth working out a key for.
  bool keeps_columns() const;
  /// The key names the manifest, and all else that its columns depend on.
  std::shared_ptr<const DecodedManifest> FindColumns(const std::string& key);
  /// Takes the place of what was kept under the key.
  void KeepColumns(const std::string& key, std::shared_ptr<const DecodedManifest> columns);

  /// What is consulted when memory has no columns; null without a directory.
  DiskManifestCache* disk() const;

 private:
  /// Values by a few byte strings; kept until `kMaxShapes` of them are there.
  template <typename T>
  class ByBytes;
  /// Values by a text under a budget of bytes, the least recently used go first.
  template <typename T>
  class ByUse;

  struct State;
  std::unique_ptr<State> state_;
};

/// A file that is never rewritten, from the cache or else from storage.
Buffer ReadCached(FileIO& io, const std::string& location, ManifestCache* cache);

/// The cache that a caller gave, or one that keeps nothing.
class CacheOrNone {
 public:
  explicit CacheOrNone(ManifestCache* given)
      : none_(given ? nullptr : ManifestCache::Disabled()), cache_(given ? given : none_.get()) {}
  ManifestCache& operator*() const { return *cache_; }

 private:
  std::shared_ptr<ManifestCache> none_;
  ManifestCache* cache_;
};

}  // namespace nunatak::iceberg
