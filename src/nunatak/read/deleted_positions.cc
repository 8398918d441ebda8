#include "nunatak/read/deleted_positions.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>

#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/read/data_file_stream.h"
#include "nunatak/read/position_delete_file.h"

namespace nunatak {

namespace {

/// Collects rows by path; writers sort them, so that runs of one path are long.
class PathCollector {
 public:
  void Add(const arrow::RecordBatch& batch) {
    const auto& paths = static_cast<const arrow::StringArray&>(*batch.column(0));
    const auto& positions = static_cast<const arrow::Int64Array&>(*batch.column(1));
    if (paths.null_count() > 0 || positions.null_count() > 0) {
      ThrowInvalid("a position delete has no path or no position");
    }
    const int64_t* values = positions.raw_values();
    for (int64_t begin = 0; begin < batch.num_rows();) {
      int64_t end = begin + 1;
      while (end < batch.num_rows() && paths.GetView(end) == paths.GetView(begin)) ++end;
      SetOf(std::string(paths.GetView(begin)))
          .AddAll(std::span(values + begin, static_cast<size_t>(end - begin)));
      begin = end;
    }
  }

  std::unordered_map<std::string, std::shared_ptr<iceberg::PositionSet>> Take() {
    return std::move(sets_);
  }

 private:
  iceberg::PositionSet& SetOf(const std::string& path) {
    std::shared_ptr<iceberg::PositionSet>& set = sets_[path];
    if (set == nullptr) set = std::make_shared<iceberg::PositionSet>();
    return *set;
  }

  std::unordered_map<std::string, std::shared_ptr<iceberg::PositionSet>> sets_;
};

template <typename PositionsByPath>
int64_t MemoryOf(const PositionsByPath& by_path) {
  int64_t bytes = 0;
  for (const auto& [path, positions] : by_path) {
    bytes += static_cast<int64_t>(path.size()) + positions->memory_bytes();
  }
  return bytes;
}

}  // namespace

DeletedPositions::Positions DeletedPositions::For(const FileScanTask& task) {
  const std::string& path = task.data_file->file_path;
  for (const auto& deletes : task.deletes) {
    if (deletes->file.is_deletion_vector()) return Load(deletes->file, path)->begin()->second;
  }
  std::vector<Positions> found;
  for (const auto& deletes : task.deletes) {
    if (!deletes->file.is_position_delete()) continue;
    const auto by_path = Load(deletes->file, path);
    const auto positions = by_path->find(path);
    if (positions != by_path->end()) found.push_back(positions->second);
  }
  if (found.size() <= 1) return found.empty() ? nullptr : found.front();
  auto united = std::make_shared<iceberg::PositionSet>();
  for (const Positions& positions : found) united->AddAll(*positions);
  return united;
}

std::shared_ptr<const DeletedPositions::PositionsByPath> DeletedPositions::Load(
    const DataFile& delete_file, const std::string& data_path) {
  const Key key(delete_file.file_path, delete_file.content_offset.value_or(-1));
  std::promise<std::shared_ptr<const PositionsByPath>> promise;
  Loaded loaded;
  Entries::iterator entry;
  bool is_first;
  {
    std::lock_guard lock(mutex_);
    const auto known = entries_by_key_.find(key);
    is_first = known == entries_by_key_.end();
    if (is_first) {
      entry = entries_.insert(entries_.end(), {key, promise.get_future().share()});
      entries_by_key_.emplace(key, entry);
    } else {
      entry = known->second;
      entries_.splice(entries_.end(), entries_, entry);
    }
    loaded = entry->loaded;
  }
  if (is_first) {
    try {
      auto read = std::make_shared<const PositionsByPath>(ReadFor(delete_file, data_path));
      const int64_t bytes = MemoryOf(*read);
      promise.set_value(std::move(read));
      Keep(entry, bytes);
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  }
  return loaded.get();
}

void DeletedPositions::Keep(Entries::iterator entry, int64_t bytes) {
  std::lock_guard lock(mutex_);
  entry->bytes = bytes;
  bytes_ += bytes;
  for (auto at = entries_.begin(); at != entries_.end() && bytes_ > context_.memory_budget / 4;) {
    if (at->bytes < 0 || at == entry) {
      ++at;
      continue;
    }
    bytes_ -= at->bytes;
    entries_by_key_.erase(at->key);
    at = entries_.erase(at);
  }
}

DeletedPositions::PositionsByPath DeletedPositions::ReadFor(const DataFile& delete_file,
                                                            const std::string& data_path) const {
  if (!delete_file.is_deletion_vector()) return ReadDeleteFile(delete_file);
  return {{data_path, std::make_shared<iceberg::PositionSet>(
                          ReadDeletionVector(*io_, context_, delete_file))}};
}

DeletedPositions::PositionsByPath DeletedPositions::ReadDeleteFile(const DataFile& file) const {
  PathCollector collector;
  DataFileStream rows = OpenPositionDeletes(*io_, context_, PositionDeleteRequest(options_), file);
  while (const std::shared_ptr<arrow::RecordBatch> batch = rows.Next()) {
    WithContext(file.file_path, [&] { collector.Add(*batch); });
  }
  PositionsByPath result;
  for (auto& [path, positions] : collector.Take()) result.emplace(path, std::move(positions));
  return result;
}

}  // namespace nunatak
