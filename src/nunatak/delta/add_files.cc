#include "nunatak/delta/add_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/delta/file_path.h"

namespace nunatak::delta {

namespace {

DeletionVectorDescriptor VectorFromJson(Json json) {
  const JsonObject object = json.Object();
  const std::string_view storage =
      WithContext("storageType", [&] { return object.At("storageType").String(); });
  if (storage.size() != 1) ThrowInvalid(fmt::format("storageType: '{}' is no letter", storage));
  return {.storage_type = storage[0],
          .path_or_inline =
              WithContext("pathOrInlineDv", [&] { return object.At("pathOrInlineDv").String(); }),
          .offset = object.FindInt32("offset"),
          .size_in_bytes = object.Int32("sizeInBytes"),
          .cardinality = object.Int64("cardinality")};
}

/// The text of a partition value; null data for null, and for a column that the action lacks.
std::string_view PartitionTextOf(const JsonObject& values, const std::string& column,
                                 TextArena* texts) {
  const std::optional<Json> value = values.Find(column);
  if (!value) return {};
  return WithContext(column, [&] { return texts->Keep(value->String()); });
}

}  // namespace

bool FileKeys::Insert(std::string_view path, const DeletionVectorDescriptor* vector) {
  std::string key;
  MakeKey(path, vector, &key);
  const auto size = static_cast<int64_t>(key.size());
  marks_[MarkOf(path)] = true;
  const bool is_new = keys_.insert(std::move(key)).second;
  if (is_new) bytes_ += size + static_cast<int64_t>(sizeof(std::string)) + 16;
  return is_new;
}

/// Names are told apart by what is inside of them.
size_t FileKeys::MarkOf(std::string_view path) {
  uint64_t mark = path.size();
  for (const size_t at : {path.size() / 4, path.size() / 2, path.size() / 4 * 3}) {
    uint64_t word = 0;
    std::memcpy(&word, path.data() + at, std::min(sizeof(word), path.size() - at));
    mark = (mark ^ word) * 0x9E3779B97F4A7C15;
  }
  return mark >> (64 - kMarkBits);
}

bool FileKeys::Contains(std::string_view path, const DeletionVectorDescriptor* vector) const {
  if (keys_.empty() || !marks_[MarkOf(path)]) return false;
  if (vector == nullptr) return keys_.contains(path);
  std::string key;
  MakeKey(path, vector, &key);
  return keys_.contains(key);
}

void FileKeys::MakeKey(std::string_view path, const DeletionVectorDescriptor* vector,
                       std::string* key) {
  key->assign(path);
  if (vector == nullptr) return;
  // No path holds a zero byte.
  key->push_back('\0');
  AppendUniqueId(*vector, key);
}

void AddFiles::AppendVector(const DeletionVectorDescriptor* vector) {
  vector_numbers.push_back(vector ? static_cast<int32_t>(vectors.size()) : -1);
  if (vector == nullptr) return;
  vectors.push_back(*vector);
  vectors.back().path_or_inline = texts.Keep(vector->path_or_inline);
}

int64_t AddFiles::memory_bytes() const {
  const size_t per_file = (2 + partition_values.size()) * sizeof(std::string_view) +
                          4 * sizeof(int64_t) + sizeof(int32_t);
  return static_cast<int64_t>(texts.bytes() + size() * per_file +
                              vectors.capacity() * sizeof(DeletionVectorDescriptor));
}

FileAction FileActionFromJson(const JsonObject& action) {
  FileAction file{
      .path = WithContext("path", [&] { return DecodePath(action.At("path").String()); }),
      .vector = std::nullopt};
  if (const std::optional<Json> vector = action.Find("deletionVector")) {
    file.vector = WithContext("deletionVector", [&] { return VectorFromJson(*vector); });
  }
  return file;
}

void AppendAdd(const JsonObject& action, const FileAction& file,
               const std::vector<std::string>& columns, AddFiles* files, bool removed) {
  const int64_t size = removed ? action.FindInt64("size").value_or(0) : action.Int64("size");
  const int64_t modified = action.FindInt64("modificationTime").value_or(0);
  const int64_t base_row_id = action.FindInt64("baseRowId").value_or(AddFiles::kNone);
  const int64_t commit_version =
      action.FindInt64("defaultRowCommitVersion").value_or(AddFiles::kNone);
  const std::optional<Json> stats = action.Find("stats");
  std::optional<JsonObject> values;
  if (!removed || !columns.empty()) {
    values = WithContext("partitionValues", [&] { return action.At("partitionValues").Object(); });
  }
  if (size < 0 || size > AddFiles::kMostBytes)
    ThrowInvalid(fmt::format("size is {}, which no file has", size));
  for (size_t c = 0; c < columns.size(); ++c) {
    files->partition_values[c].push_back(PartitionTextOf(*values, columns[c], &files->texts));
  }
  files->paths.push_back(files->texts.Keep(file.path));
  files->sizes.push_back(size);
  files->modification_times.push_back(modified);
  files->base_row_ids.push_back(base_row_id);
  files->commit_versions.push_back(commit_version);
  // Statistics of another form than text say nothing.
  files->stats.push_back(stats && stats->IsString() ? files->texts.Keep(stats->String())
                                                    : std::string_view());
  files->AppendVector(file.vector ? &*file.vector : nullptr);
}

}  // namespace nunatak::delta
