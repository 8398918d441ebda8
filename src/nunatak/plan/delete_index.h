#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/base/hash.h"
#include "nunatak/plan/equality_deletes.h"
#include "nunatak/plan/file_batch.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/plan/metrics_stats.h"
#include "nunatak/plan/position_deletes.h"
#include "nunatak/plan/snapshot_source.h"

namespace nunatak {

/// The live delete files of a snapshot, arranged so that the few that apply to a data file are
/// found without looking at the rest (specification, "Scan Planning"):
///
///   deletion vector    by the path of its data file        sequence number ≥ the data file's
///   position deletes   by path when they say that all are
///                      of one file, else by spec and
///                      partition, and there by the bounds
///                      of their path column                ≥
///   equality deletes   by spec and partition, those of an
///                      unpartitioned spec for all, and
///                      there by the ranges of a column     >
///
/// A deletion vector replaces the position deletes of its file. Position deletes whose path bounds
/// exclude a file, and equality deletes whose own columns' metrics cannot meet the file's, are left
/// out. Immutable and thread-safe once arranged.
class NUNATAK_EXPORT DeleteIndex {
 public:
  using FilePtr = std::shared_ptr<const DeleteFile>;

  /// `source` must outlive the index.
  explicit DeleteIndex(const SnapshotSource& source);
  DeleteIndex(DeleteIndex&&) = default;
  DeleteIndex& operator=(DeleteIndex&&) = default;

  /// Adds a file; `paths` are the bounds of a position delete file's path column, as far as it has
  /// them, and are copied. Throws `ErrorCode::kInvalid` for a second deletion vector of a data file
  /// or one that names none, and `kUnsupported` for an encrypted file.
  void Add(FilePtr file, const PathBounds& paths);
  /// To be called once, after the last `Add` and before any lookup.
  void Arrange();

  bool empty() const { return by_path_.empty() && by_partition_.empty() && global_.empty(); }

  /// The columns whose metrics of a data file can rule equality deletes out.
  std::vector<BoundFilter::Column> key_columns() const;
  /// What the delete files and the index of them hold in memory, about.
  int64_t memory_bytes() const { return memory_bytes_; }

 private:
  friend class DeleteLookup;

  /// Lets a map of strings be searched by a view.
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return HashBytes(AsBytes(text)); }
  };
  struct PartitionDeletes {
    PositionDeletes position;
    EqualityDeletes equality;
  };
  /// A delete file of one data file, and the partition that both must be in.
  struct PathDelete {
    FilePtr file;
    const PartitionDeletes* partition = nullptr;
  };
  struct PathDeletes {
    PathDelete vector;
    /// Those whose `referenced_data_file` is this path.
    std::vector<PathDelete> referencing;
  };

  void AddVector(FilePtr file);
  PartitionDeletes& PartitionOf(const DataFile& file);
  PathBounds Keep(const PathBounds& paths);

  const SnapshotSource* source_;
  /// What the path bounds point to.
  std::unique_ptr<std::pmr::monotonic_buffer_resource> texts_;
  std::unordered_map<std::string, PathDeletes, TextHash, std::equal_to<>> by_path_;
  /// Keyed by `PartitionKey`; has the partition of each file that is not global.
  std::unordered_map<std::string, PartitionDeletes, TextHash, std::equal_to<>> by_partition_;
  /// Where the key of the file at hand is made.
  std::string key_;
  EqualityDeletes global_;
  int64_t memory_bytes_ = 0;
};

/// Looks up the deletes of the files of one batch; what depends on their partitions alone is found
/// once. Refers to its arguments. For one thread.
class NUNATAK_EXPORT DeleteLookup {
 public:
  /// `layout` is the one that the batch was requested with.
  DeleteLookup(const DeleteIndex& index, const FileBatch& batch, const MetricsLayout& layout);

  /// The deletes that apply to data file `i`, ascending by data sequence number, path and offset.
  /// Throws `ErrorCode::kInvalid` when one that names the file's path has another partition than
  /// the file.
  std::vector<std::shared_ptr<const DeleteFile>> DeletesFor(size_t i) const;

  /// How many delete files were compared with data files so far, and steps of searches taken.
  int64_t looked_at() const { return looked_at_; }

 private:
  using FilePtr = std::shared_ptr<const DeleteFile>;

  void RequirePartitionOf(const DeleteIndex::PathDelete& deletes, size_t i) const;
  void AppendReferencing(size_t i, const DeleteIndex::PathDeletes& by_path,
                         std::vector<FilePtr>* out) const;
  void AppendPositions(size_t i, std::vector<FilePtr>* out) const;

  const DeleteIndex& index_;
  const FileBatch& batch_;
  const MetricsLayout& layout_;
  /// Per partition tuple of the batch; null where there are no deletes.
  std::vector<const DeleteIndex::PartitionDeletes*> partitions_;
  mutable int64_t looked_at_ = 0;
};

}  // namespace nunatak
