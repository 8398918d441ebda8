#include "nunatak/plan/task_definitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nunatak/base/error.h"

namespace nunatak {

TaskDefinitions TaskDefinitions::Of(const SnapshotSource& source, Schema schema) {
  TaskDefinitions definitions(std::move(schema));
  for (const FileGroup& group : source.groups()) {
    const int32_t id = group.partition_spec_id;
    if (definitions.specs_.contains(id)) continue;
    definitions.AddSpec(std::make_shared<const PartitionSpec>(source.spec(id)));
  }
  return definitions;
}

void TaskDefinitions::AddSpec(std::shared_ptr<const PartitionSpec> spec) {
  Type type = spec->PartitionType(schema_);
  const int32_t id = spec->spec_id;
  specs_.insert_or_assign(id, Entry{std::move(spec), std::move(type)});
}

std::vector<int32_t> TaskDefinitions::spec_ids() const {
  std::vector<int32_t> ids;
  for (const auto& [id, entry] : specs_) ids.push_back(id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

const TaskDefinitions::Entry& TaskDefinitions::Find(int32_t spec_id) const {
  const auto at = specs_.find(spec_id);
  if (at == specs_.end()) ThrowInvalid(fmt::format("no partition spec has the id {}", spec_id));
  return at->second;
}

const std::shared_ptr<const PartitionSpec>& TaskDefinitions::spec(int32_t spec_id) const {
  return Find(spec_id).spec;
}

const Type& TaskDefinitions::partition_type(int32_t spec_id) const {
  return Find(spec_id).partition_type;
}

}  // namespace nunatak
