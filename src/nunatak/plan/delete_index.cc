#include "nunatak/plan/delete_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "nunatak/base/error.h"
#include "nunatak/plan/encryption.h"
#include "nunatak/plan/partition_key.h"

namespace nunatak {
namespace {

using FilePtr = std::shared_ptr<const DeleteFile>;

/// The id of the `file_path` column of position delete files (specification, "Reserved Field IDs").
constexpr int32_t kDeletePathId = 2147483546;

struct PathBounds {
  std::optional<std::string_view> lower;
  std::optional<std::string_view> upper;

  bool are_equal() const { return lower && upper && *lower == *upper; }

  /// Whether a delete with these bounds may name `path`. A path that starts with the upper bound
  /// may be named although it is above it: some writers cut bounds without rounding the upper one
  /// up. An inverted range says nothing.
  bool Admit(std::string_view path) const {
    if (lower && upper && *lower > *upper && !lower->starts_with(*upper)) return true;
    if (lower && path < *lower) return false;
    return !upper || path <= *upper || path.starts_with(*upper);
  }
};

PathBounds PathBoundsOf(const DataFile& file) {
  PathBounds bounds;
  if (const ColumnMetrics* metrics = file.FindMetrics(kDeletePathId)) {
    if (metrics->lower_bound) bounds.lower = *metrics->lower_bound;
    if (metrics->upper_bound) bounds.upper = *metrics->upper_bound;
  }
  return bounds;
}

void SortFiles(std::vector<FilePtr>* files) {
  std::stable_sort(files->begin(), files->end(), [](const FilePtr& a, const FilePtr& b) {
    return a->data_sequence_number < b->data_sequence_number;
  });
}

/// The first of `files`, sorted, that is not older than the data file.
std::vector<FilePtr>::const_iterator FirstThatApplies(const std::vector<FilePtr>& files,
                                                      int64_t data_sequence_number) {
  return std::lower_bound(files.begin(), files.end(), data_sequence_number,
                          [](const FilePtr& file, int64_t sequence_number) {
                            return file->data_sequence_number < sequence_number;
                          });
}

bool HaveSamePartition(const DataFile& a, const DataFile& b) {
  return a.partition_spec_id == b.partition_spec_id && a.partition == b.partition;
}

/// A delete that names a data file of another partition: to drop it would bring deleted rows back,
/// and to apply it would break the scope rule.
void RequireSamePartition(const DataFile& deletes, const DataFile& file) {
  if (HaveSamePartition(deletes, file)) return;
  ThrowInvalid(fmt::format("delete file {} names data file {}, but has another partition (spec {} "
                           "against {}, or other values)",
                           deletes.file_path, file.file_path, deletes.partition_spec_id,
                           file.partition_spec_id),
               "the table's metadata is damaged; check what wrote the delete file");
}

}  // namespace

DeleteIndex::DeleteIndex(std::vector<FilePtr> files, const SnapshotSource& source) {
  for (FilePtr& file : files) Add(std::move(file), source);
  SortBySequenceNumber();
}

void DeleteIndex::Add(FilePtr file, const SnapshotSource& source) {
  RefuseEncrypted(file->file);
  if (file->file.is_data()) {
    ThrowInvalid(fmt::format("data file listed among the delete files: {}", file->file.file_path));
  }
  if (file->file.is_deletion_vector()) {
    AddVector(std::move(file));
  } else if (file->file.is_position_delete()) {
    AddPosition(std::move(file));
  } else if (source.spec(file->file.partition_spec_id).IsUnpartitioned()) {
    global_.Add(std::move(file), source);
  } else {
    const std::string key = PartitionKey(file->file.partition_spec_id, file->file.partition);
    by_partition_[key].equality.Add(std::move(file), source);
  }
}

void DeleteIndex::AddVector(FilePtr file) {
  if (!file->file.referenced_data_file) {
    ThrowInvalid(
        fmt::format("deletion vector without referenced_data_file in {}", file->file.file_path));
  }
  FilePtr& slot = by_path_[*file->file.referenced_data_file].vector;
  if (slot) {
    ThrowInvalid(fmt::format("two deletion vectors for data file {}: {} at {} and {} at {}",
                             *file->file.referenced_data_file, slot->file.file_path,
                             slot->file.content_offset.value_or(0), file->file.file_path,
                             file->file.content_offset.value_or(0)),
                 "a snapshot may have one deletion vector per data file");
  }
  slot = std::move(file);
}

void DeleteIndex::AddPosition(FilePtr file) {
  const PathBounds bounds = PathBoundsOf(file->file);
  if (file->file.referenced_data_file) {
    by_path_[*file->file.referenced_data_file].referencing.push_back(std::move(file));
  } else if (bounds.are_equal()) {
    bounded_lengths_.insert(bounds.lower->size());
    by_path_[std::string(*bounds.lower)].bounded.push_back(std::move(file));
  } else {
    const std::string key = PartitionKey(file->file.partition_spec_id, file->file.partition);
    by_partition_[key].position.push_back(std::move(file));
  }
}

void DeleteIndex::SortBySequenceNumber() {
  for (auto& [path, deletes] : by_path_) {
    SortFiles(&deletes.referencing);
    SortFiles(&deletes.bounded);
  }
  for (auto& [key, deletes] : by_partition_) {
    SortFiles(&deletes.position);
    deletes.equality.SortBySequenceNumber();
  }
  global_.SortBySequenceNumber();
}

FilePtr DeleteIndex::VectorFor(const DataFile& file, int64_t data_sequence_number) const {
  const auto at = by_path_.find(file.file_path);
  if (at == by_path_.end() || !at->second.vector) return nullptr;
  const FilePtr& vector = at->second.vector;
  if (vector->data_sequence_number < data_sequence_number) return nullptr;
  RequireSamePartition(vector->file, file);
  return vector;
}

void DeleteIndex::AppendPathDeletes(const DataFile& file, int64_t data_sequence_number,
                                    std::vector<FilePtr>* out) const {
  const auto exact = by_path_.find(file.file_path);
  if (exact != by_path_.end()) {
    const std::vector<FilePtr>& deletes = exact->second.referencing;
    for (auto at = FirstThatApplies(deletes, data_sequence_number); at != deletes.end(); ++at) {
      RequireSamePartition((*at)->file, file);
      out->push_back(*at);
    }
  }
  for (size_t length : bounded_lengths_) {
    if (length > file.file_path.size()) break;
    const auto found = by_path_.find(file.file_path.substr(0, length));
    if (found == by_path_.end()) continue;
    const std::vector<FilePtr>& deletes = found->second.bounded;
    for (auto at = FirstThatApplies(deletes, data_sequence_number); at != deletes.end(); ++at) {
      if (HaveSamePartition((*at)->file, file)) out->push_back(*at);
    }
  }
}

std::vector<FilePtr> DeleteIndex::DeletesFor(const DataFile& file,
                                             int64_t data_sequence_number) const {
  std::vector<FilePtr> out;
  if (empty()) return out;
  const PartitionDeletes* partition = nullptr;
  if (!by_partition_.empty()) {
    const auto at = by_partition_.find(PartitionKey(file.partition_spec_id, file.partition));
    if (at != by_partition_.end()) partition = &at->second;
  }
  if (FilePtr vector = VectorFor(file, data_sequence_number)) {
    out.push_back(std::move(vector));
  } else {
    AppendPathDeletes(file, data_sequence_number, &out);
    if (partition != nullptr) {
      const std::vector<FilePtr>& deletes = partition->position;
      for (auto at = FirstThatApplies(deletes, data_sequence_number); at != deletes.end(); ++at) {
        if (PathBoundsOf((*at)->file).Admit(file.file_path)) out.push_back(*at);
      }
    }
  }
  if (partition != nullptr) partition->equality.AppendFor(file, data_sequence_number, &out);
  global_.AppendFor(file, data_sequence_number, &out);
  std::sort(out.begin(), out.end(), [](const FilePtr& a, const FilePtr& b) {
    return std::tie(a->data_sequence_number, a->file.file_path, a->file.content_offset) <
           std::tie(b->data_sequence_number, b->file.file_path, b->file.content_offset);
  });
  return out;
}

}  // namespace nunatak
