#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
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
#include "nunatak/plan/snapshot_source.h"

namespace nunatak {

/// What the bounds of its path column say of the data files that a position delete file names;
/// views.
struct NUNATAK_EXPORT PathBounds {
  std::optional<std::string_view> lower;
  std::optional<std::string_view> upper;

  bool are_equal() const { return lower && upper && *lower == *upper; }
  /// Whether a delete with these bounds may name `path`. A path that starts with the upper bound
  /// may be named although it is above it: some writers cut bounds without rounding the upper one
  /// up. An inverted range says nothing.
  bool Admit(std::string_view path) const;
};

/// The live delete files of a snapshot, arranged so that the few that apply to a data file are
/// found without looking at the rest (specification, "Scan Planning"):
///
///   deletion vector    by the path of its data file        sequence number ≥ the data file's
///   position deletes   by path when all are of one file,
///                      else by spec and partition          ≥
///   equality deletes   by spec and partition; those of an
///                      unpartitioned spec apply everywhere >
///
/// A deletion vector replaces the position deletes of its file. Position deletes whose path bounds
/// exclude a file, and equality deletes whose own columns' metrics cannot meet the file's, are left
/// out. Immutable and thread-safe once built.
class NUNATAK_EXPORT DeleteIndex {
 public:
  DeleteIndex() = default;
  /// Throws `ErrorCode::kInvalid` for two deletion vectors of one data file, or one that names
  /// none, and `kUnsupported` for an encrypted file.
  DeleteIndex(std::vector<std::shared_ptr<const DeleteFile>> files, const SnapshotSource& source);

  bool empty() const { return by_path_.empty() && by_partition_.empty() && global_.empty(); }

  /// The columns whose metrics of a data file can rule equality deletes out.
  std::vector<BoundFilter::Column> key_columns() const;
  /// What the delete files hold in memory, about.
  int64_t memory_bytes() const { return memory_bytes_; }

 private:
  friend class DeleteLookup;
  using FilePtr = std::shared_ptr<const DeleteFile>;

  /// Lets a map of strings be searched by a view.
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return HashBytes(AsBytes(text)); }
  };
  struct PathDeletes {
    FilePtr vector;
    /// Those whose `referenced_data_file` is this path.
    std::vector<FilePtr> referencing;
    /// Those whose lower and upper path bounds are both this text: the path itself, or what a
    /// writer's truncation left of longer ones.
    std::vector<FilePtr> bounded;
  };
  /// A position delete file of more than one data file; the bounds point into it.
  struct PositionDeletes {
    FilePtr file;
    PathBounds paths;
  };
  struct PartitionDeletes {
    std::vector<PositionDeletes> position;
    EqualityDeletes equality;
  };

  void Add(FilePtr file, const SnapshotSource& source);
  void AddVector(FilePtr file);
  void AddPosition(FilePtr file);
  void SortBySequenceNumber();

  std::unordered_map<std::string, PathDeletes, TextHash, std::equal_to<>> by_path_;
  /// The lengths of the texts that have `bounded` deletes: the prefixes of a path worth looking up.
  std::set<size_t> bounded_lengths_;
  /// Keyed by `PartitionKey`.
  std::unordered_map<std::string, PartitionDeletes> by_partition_;
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

 private:
  using FilePtr = std::shared_ptr<const DeleteFile>;

  bool HasPartitionOf(const DeleteFile& deletes, size_t i) const;
  void RequirePartitionOf(const DeleteFile& deletes, size_t i) const;
  FilePtr VectorFor(size_t i) const;
  void AppendPathDeletes(size_t i, std::vector<FilePtr>* out) const;
  void AppendPartitionDeletes(size_t i, std::vector<FilePtr>* out) const;

  const DeleteIndex& index_;
  const FileBatch& batch_;
  const MetricsLayout& layout_;
  /// Per partition tuple of the batch.
  std::vector<const DeleteIndex::PartitionDeletes*> partitions_;
};

}  // namespace nunatak
