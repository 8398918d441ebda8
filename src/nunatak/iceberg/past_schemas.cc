#include "nunatak/iceberg/past_schemas.h"

#include <set>
#include <unordered_set>
#include <utility>

namespace nunatak::iceberg {

namespace {

std::set<int32_t> MissingIds(const Schema& schema, std::span<const FileScanTask> tasks) {
  std::set<int32_t> missing;
  std::unordered_set<const DeleteFile*> seen;
  for (const FileScanTask& task : tasks) {
    for (const auto& deletes : task.deletes) {
      if (!deletes->file.equality_ids || !seen.insert(deletes.get()).second) continue;
      for (const int32_t id : *deletes->file.equality_ids) {
        if (schema.FindField(id) == nullptr) missing.insert(id);
      }
    }
  }
  return missing;
}

}  // namespace

std::optional<Schema> PastSchemaWith(const TableMetadata& metadata, int32_t field_id) {
  for (size_t i = metadata.schemas.size(); i > 0; --i) {
    Schema schema = metadata.schemas.At(i - 1);
    if (schema.FindField(field_id) != nullptr) return schema;
  }
  return std::nullopt;
}

std::vector<Schema> PastSchemas(const TableMetadata& metadata, const Schema& schema,
                                std::span<const FileScanTask> tasks) {
  std::set<int32_t> missing = MissingIds(schema, tasks);
  std::vector<Schema> past;
  for (size_t i = metadata.schemas.size(); i > 0 && !missing.empty(); --i) {
    Schema candidate = metadata.schemas.At(i - 1);
    const size_t found =
        std::erase_if(missing, [&](int32_t id) { return candidate.FindField(id) != nullptr; });
    if (found > 0) past.push_back(std::move(candidate));
  }
  return past;
}

}  // namespace nunatak::iceberg
