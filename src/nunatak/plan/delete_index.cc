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

int64_t MemoryOf(const DeleteFile& file) {
  size_t bytes = sizeof(DeleteFile) + file.file.file_path.size();
  for (const ColumnMetrics& column : file.file.metrics) {
    bytes += sizeof(ColumnMetrics);
    if (column.lower_bound) bytes += column.lower_bound->size();
    if (column.upper_bound) bytes += column.upper_bound->size();
  }
  return static_cast<int64_t>(bytes);
}

}  // namespace

bool PathBounds::Admit(std::string_view path) const {
  if (lower && upper && *lower > *upper && !lower->starts_with(*upper)) return true;
  if (lower && path < *lower) return false;
  return !upper || path <= *upper || path.starts_with(*upper);
}

DeleteIndex::DeleteIndex(std::vector<FilePtr> files, const SnapshotSource& source) {
  for (FilePtr& file : files) Add(std::move(file), source);
  SortBySequenceNumber();
}

void DeleteIndex::Add(FilePtr file, const SnapshotSource& source) {
  RefuseEncrypted(file->file);
  memory_bytes_ += MemoryOf(*file);
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
    by_partition_[key].position.push_back({.file = std::move(file), .paths = bounds});
  }
}

void DeleteIndex::SortBySequenceNumber() {
  for (auto& [path, deletes] : by_path_) {
    SortFiles(&deletes.referencing);
    SortFiles(&deletes.bounded);
  }
  for (auto& [key, deletes] : by_partition_) {
    std::stable_sort(deletes.position.begin(), deletes.position.end(),
                     [](const PositionDeletes& a, const PositionDeletes& b) {
                       return a.file->data_sequence_number < b.file->data_sequence_number;
                     });
    deletes.equality.SortBySequenceNumber();
  }
  global_.SortBySequenceNumber();
}

std::vector<BoundFilter::Column> DeleteIndex::key_columns() const {
  std::vector<BoundFilter::Column> columns;
  global_.AppendColumns(&columns);
  for (const auto& [key, deletes] : by_partition_) deletes.equality.AppendColumns(&columns);
  return columns;
}

DeleteLookup::DeleteLookup(const DeleteIndex& index, const FileBatch& batch,
                           const MetricsLayout& layout)
    : index_(index), batch_(batch), layout_(layout), partitions_(batch.tuple_count) {
  if (index.by_partition_.empty()) return;
  for (size_t tuple = 0; tuple < batch.tuple_count; ++tuple) {
    const auto at = index.by_partition_.find(PartitionKey(batch, tuple));
    if (at != index.by_partition_.end()) partitions_[tuple] = &at->second;
  }
}

bool DeleteLookup::HasPartitionOf(const DeleteFile& deletes, size_t i) const {
  return PartitionKey(deletes.file.partition_spec_id, deletes.file.partition) ==
         PartitionKey(batch_, batch_.tuple_numbers[i]);
}

/// A delete that names a data file of another partition: to drop it would bring deleted rows back,
/// and to apply it would break the scope rule.
void DeleteLookup::RequirePartitionOf(const DeleteFile& deletes, size_t i) const {
  if (HasPartitionOf(deletes, i)) return;
  ThrowInvalid(fmt::format("delete file {} names data file {}, but has another partition (spec {} "
                           "against {}, or other values)",
                           deletes.file.file_path, batch_.file_paths[i],
                           deletes.file.partition_spec_id, batch_.partition_spec_id),
               "the table's metadata is damaged; check what wrote the delete file");
}

FilePtr DeleteLookup::VectorFor(size_t i) const {
  if (index_.by_path_.empty()) return nullptr;
  const auto at = index_.by_path_.find(batch_.file_paths[i]);
  if (at == index_.by_path_.end() || !at->second.vector) return nullptr;
  const FilePtr& vector = at->second.vector;
  if (vector->data_sequence_number < batch_.data_sequence_numbers[i]) return nullptr;
  RequirePartitionOf(*vector, i);
  return vector;
}

void DeleteLookup::AppendPathDeletes(size_t i, std::vector<FilePtr>* out) const {
  if (index_.by_path_.empty()) return;
  const std::string_view path = batch_.file_paths[i];
  const int64_t data_sequence_number = batch_.data_sequence_numbers[i];
  const auto exact = index_.by_path_.find(path);
  if (exact != index_.by_path_.end()) {
    const std::vector<FilePtr>& deletes = exact->second.referencing;
    for (auto at = FirstThatApplies(deletes, data_sequence_number); at != deletes.end(); ++at) {
      RequirePartitionOf(**at, i);
      out->push_back(*at);
    }
  }
  for (size_t length : index_.bounded_lengths_) {
    if (length > path.size()) break;
    const auto found = index_.by_path_.find(path.substr(0, length));
    if (found == index_.by_path_.end()) continue;
    const std::vector<FilePtr>& deletes = found->second.bounded;
    for (auto at = FirstThatApplies(deletes, data_sequence_number); at != deletes.end(); ++at) {
      if (HasPartitionOf(**at, i)) out->push_back(*at);
    }
  }
}

void DeleteLookup::AppendPartitionDeletes(size_t i, std::vector<FilePtr>* out) const {
  const DeleteIndex::PartitionDeletes* partition = partitions_[batch_.tuple_numbers[i]];
  if (!partition) return;
  auto at = std::lower_bound(
      partition->position.begin(), partition->position.end(), batch_.data_sequence_numbers[i],
      [](const DeleteIndex::PositionDeletes& deletes, int64_t sequence_number) {
        return deletes.file->data_sequence_number < sequence_number;
      });
  for (; at != partition->position.end(); ++at) {
    if (at->paths.Admit(batch_.file_paths[i])) out->push_back(at->file);
  }
}

std::vector<FilePtr> DeleteLookup::DeletesFor(size_t i) const {
  std::vector<FilePtr> out;
  if (index_.empty()) return out;
  if (FilePtr vector = VectorFor(i)) {
    out.push_back(std::move(vector));
  } else {
    AppendPathDeletes(i, &out);
    AppendPartitionDeletes(i, &out);
  }
  if (const DeleteIndex::PartitionDeletes* partition = partitions_[batch_.tuple_numbers[i]]) {
    partition->equality.AppendFor(batch_, i, layout_, &out);
  }
  index_.global_.AppendFor(batch_, i, layout_, &out);
  std::sort(out.begin(), out.end(), [](const FilePtr& a, const FilePtr& b) {
    return std::tie(a->data_sequence_number, a->file.file_path, a->file.content_offset) <
           std::tie(b->data_sequence_number, b->file.file_path, b->file.content_offset);
  });
  return out;
}

}  // namespace nunatak
