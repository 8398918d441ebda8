#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/iceberg/disk_manifest.h"
#include "nunatak/iceberg/manifest_cache.h"
#include "nunatak/iceberg/manifest_columns.h"

namespace nunatak::iceberg {

/// What a cache directory holds of ours.
struct DiskUsage {
  int64_t files = 0;
  int64_t bytes = 0;
};

/// Decoded manifests as images (`manifest_image.h`) in a directory of this machine, one file each,
/// named by a hash of its key. Any number of processes may share the directory: files are written
/// under another name first, and never changed. Files of any other name are left alone. Nothing
/// that is wrong with the directory or a file in it is an error: what cannot be read is a miss, and
/// what cannot be written is left out. Whoever may write into the directory is trusted with what
/// plans contain. Thread-safe.
class NUNATAK_EXPORT DiskManifestCache : public std::enable_shared_from_this<DiskManifestCache> {
 public:
  DiskManifestCache(std::string directory, int64_t max_bytes);

  /// Null when there is none, or it is damaged or of something else.
  std::shared_ptr<const DecodedManifest> Find(const ExpectedManifest& expected,
                                              const FileRequest& request);

  /// Writes the manifest, later on the context's executor if it has one, and then makes room if
  /// that is needed. What waits to be written is bounded: beyond it, this writes at once.
  void Keep(const Context& context, const std::string& key,
            std::shared_ptr<const ManifestColumns> columns);

  int64_t hits() const { return hits_; }
  int64_t writes() const { return writes_; }

  static DiskUsage Usage(const std::string& directory);
  /// Removes what `Usage` counts, and says what that was.
  static DiskUsage Clear(const std::string& directory);

 private:
  void Write(const std::string& key, const ManifestColumns& columns);
  /// Whether it is time to look at the whole directory, which happens once in a while.
  bool SweepIsDue(int64_t written);
  std::string PathOf(const std::string& key) const;

  const std::string directory_;
  const int64_t max_bytes_;
  std::atomic<int64_t> hits_{0};
  std::atomic<int64_t> writes_{0};
  std::atomic<int64_t> waiting_bytes_{0};
  std::mutex sweep_mutex_;
  bool has_written_ = false;
  int64_t written_since_sweep_ = 0;
};

}  // namespace nunatak::iceberg
