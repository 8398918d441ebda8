#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/plan/equality_deletes.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/plan/snapshot_source.h"

namespace nunatak {

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

  /// The deletes that apply to a data file, ascending by data sequence number, path and offset.
  /// Throws `ErrorCode::kInvalid` when one that names the file's path has another partition than
  /// the file.
  std::vector<std::shared_ptr<const DeleteFile>> DeletesFor(const DataFile& file,
                                                            int64_t data_sequence_number) const;

 private:
  using FilePtr = std::shared_ptr<const DeleteFile>;

  struct PathDeletes {
    FilePtr vector;
    /// Those whose `referenced_data_file` is this path.
    std::vector<FilePtr> referencing;
    /// Those whose lower and upper path bounds are both this text: the path itself, or what a
    /// writer's truncation left of longer ones.
    std::vector<FilePtr> bounded;
  };
  struct PartitionDeletes {
    std::vector<FilePtr> position;
    EqualityDeletes equality;
  };

  void Add(FilePtr file, const SnapshotSource& source);
  void AddVector(FilePtr file);
  void AddPosition(FilePtr file);
  void SortBySequenceNumber();
  FilePtr VectorFor(const DataFile& file, int64_t data_sequence_number) const;
  void AppendPathDeletes(const DataFile& file, int64_t data_sequence_number,
                         std::vector<FilePtr>* out) const;

  std::unordered_map<std::string, PathDeletes> by_path_;
  /// The lengths of the texts that have `bounded` deletes: the prefixes of a path worth looking up.
  std::set<size_t> bounded_lengths_;
  /// Keyed by `PartitionKey`.
  std::unordered_map<std::string, PartitionDeletes> by_partition_;
  EqualityDeletes global_;
};

}  // namespace nunatak
