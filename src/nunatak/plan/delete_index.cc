#include "nunatak/plan/delete_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/plan/encryption.h"
#include "nunatak/plan/partition_key.h"

namespace nunatak {
namespace {

using FilePtr = std::shared_ptr<const DeleteFile>;

bool IsOlder(const FilePtr& a, const FilePtr& b) {
  return a->data_sequence_number < b->data_sequence_number;
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

DeleteIndex::DeleteIndex(const SnapshotSource& source)
    : source_(&source), texts_(std::make_unique<std::pmr::monotonic_buffer_resource>()) {}

void DeleteIndex::Add(FilePtr file, const PathBounds& paths) {
  RefuseEncrypted(file->file);
  memory_bytes_ += MemoryOf(*file);
  if (file->file.is_data()) {
    ThrowInvalid(fmt::format("data file listed among the delete files: {}", file->file.file_path));
  }
  if (file->file.is_deletion_vector()) {
    AddVector(std::move(file));
  } else if (file->file.is_equality_delete()) {
    const bool global = source_->spec(file->file.partition_spec_id).IsUnpartitioned();
    (global ? global_ : PartitionOf(file->file).equality).Add(std::move(file), *source_);
  } else if (file->file.referenced_data_file) {
    const PartitionDeletes& partition = PartitionOf(file->file);
    by_path_[*file->file.referenced_data_file].referencing.push_back({std::move(file), &partition});
  } else {
    PartitionOf(file->file).position.Add(std::move(file), Keep(paths));
  }
}

PathBounds DeleteIndex::Keep(const PathBounds& paths) {
  const auto keep = [this](std::optional<std::string_view> text) {
    if (!text) return text;
    auto* to = static_cast<char*>(texts_->allocate(text->size() + 1, 1));
    std::copy(text->begin(), text->end(), to);
    memory_bytes_ += static_cast<int64_t>(text->size());
    return std::optional(std::string_view(to, text->size()));
  };
  return {.lower = keep(paths.lower), .upper = keep(paths.upper)};
}

void DeleteIndex::AddVector(FilePtr file) {
  if (!file->file.referenced_data_file) {
    ThrowInvalid(
        fmt::format("deletion vector without referenced_data_file in {}", file->file.file_path));
  }
  PathDelete& slot = by_path_[*file->file.referenced_data_file].vector;
  if (slot.file) {
    const DataFile& other = slot.file->file;
    ThrowInvalid(fmt::format("two deletion vectors for data file {}: {} at {} and {} at {}",
                             *file->file.referenced_data_file, other.file_path,
                             other.content_offset.value_or(0), file->file.file_path,
                             file->file.content_offset.value_or(0)),
                 "a snapshot may have one deletion vector per data file");
  }
  slot.partition = &PartitionOf(file->file);
  slot.file = std::move(file);
}

DeleteIndex::PartitionDeletes& DeleteIndex::PartitionOf(const DataFile& file) {
  key_.clear();
  AppendPartitionKey(file.partition_spec_id, file.partition, &key_);
  const auto found = by_partition_.find(std::string_view(key_));
  return found != by_partition_.end() ? found->second : by_partition_[key_];
}

void DeleteIndex::Arrange() {
  for (auto& [path, deletes] : by_path_) {
    std::stable_sort(
        deletes.referencing.begin(), deletes.referencing.end(),
        [](const PathDelete& a, const PathDelete& b) { return IsOlder(a.file, b.file); });
  }
  for (auto& [key, deletes] : by_partition_) {
    deletes.position.Arrange();
    deletes.equality.Arrange();
    memory_bytes_ += deletes.position.memory_bytes() + deletes.equality.memory_bytes();
  }
  global_.Arrange();
  memory_bytes_ += global_.memory_bytes();
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
  std::string key;
  for (size_t tuple = 0; tuple < batch.tuple_count; ++tuple) {
    key.clear();
    AppendPartitionKey(batch, tuple, &key);
    const auto at = index.by_partition_.find(std::string_view(key));
    if (at != index.by_partition_.end()) partitions_[tuple] = &at->second;
  }
}

/// A delete that names a data file of another partition: to drop it would bring deleted rows back,
/// and to apply it would break the scope rule.
void DeleteLookup::RequirePartitionOf(const DeleteIndex::PathDelete& deletes, size_t i) const {
  if (deletes.partition == partitions_[batch_.tuple_numbers[i]]) return;
  const DataFile& file = deletes.file->file;
  ThrowInvalid(fmt::format("delete file {} names data file {}, but has another partition (spec {} "
                           "against {}, or other values)",
                           file.file_path, batch_.file_paths[i], file.partition_spec_id,
                           batch_.partition_spec_id),
               "the table's metadata is damaged; check what wrote the delete file");
}

void DeleteLookup::AppendReferencing(size_t i, const DeleteIndex::PathDeletes& by_path,
                                     std::vector<FilePtr>* out) const {
  auto at = std::partition_point(by_path.referencing.begin(), by_path.referencing.end(),
                                 [&](const DeleteIndex::PathDelete& deletes) {
                                   return deletes.file->data_sequence_number <
                                          batch_.data_sequence_numbers[i];
                                 });
  for (; at != by_path.referencing.end(); ++at) {
    RequirePartitionOf(*at, i);
    out->push_back(at->file);
  }
}

/// Appends the deletion vector of a data file, or else its position deletes.
void DeleteLookup::AppendPositions(size_t i, std::vector<FilePtr>* out) const {
  const std::string_view path = batch_.file_paths[i];
  const int64_t data_sequence_number = batch_.data_sequence_numbers[i];
  const auto by_path = index_.by_path_.find(path);
  if (by_path != index_.by_path_.end()) {
    const DeleteIndex::PathDelete& vector = by_path->second.vector;
    if (vector.file && vector.file->data_sequence_number >= data_sequence_number) {
      RequirePartitionOf(vector, i);
      out->push_back(vector.file);
      return;
    }
    AppendReferencing(i, by_path->second, out);
  }
  if (const DeleteIndex::PartitionDeletes* partition = partitions_[batch_.tuple_numbers[i]]) {
    partition->position.AppendFor(path, data_sequence_number, out, &looked_at_);
  }
}

std::vector<FilePtr> DeleteLookup::DeletesFor(size_t i) const {
  std::vector<FilePtr> out;
  if (index_.empty()) return out;
  AppendPositions(i, &out);
  if (const DeleteIndex::PartitionDeletes* partition = partitions_[batch_.tuple_numbers[i]]) {
    partition->equality.AppendFor(batch_, i, layout_, &out, &looked_at_);
  }
  index_.global_.AppendFor(batch_, i, layout_, &out, &looked_at_);
  std::sort(out.begin(), out.end(), [](const FilePtr& a, const FilePtr& b) {
    return std::tie(a->data_sequence_number, a->file.file_path, a->file.content_offset) <
           std::tie(b->data_sequence_number, b->file.file_path, b->file.content_offset);
  });
  return out;
}

}  // namespace nunatak
