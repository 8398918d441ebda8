#include "nunatak/iceberg/table_metadata.h"

#include <algorithm>

namespace nunatak::iceberg {

namespace {

template <typename T, typename Match>
const T* FindIn(const std::vector<T>& list, Match match) {
  const auto it = std::find_if(list.begin(), list.end(), match);
  return it == list.end() ? nullptr : &*it;
}

}  // namespace

const Schema& TableMetadata::current_schema() const { return *FindSchema(current_schema_id); }

const PartitionSpec& TableMetadata::default_spec() const { return *FindSpec(default_spec_id); }

const SortOrder& TableMetadata::default_sort_order() const {
  return *FindSortOrder(default_sort_order_id);
}

const Snapshot* TableMetadata::current_snapshot() const {
  return current_snapshot_id ? FindSnapshot(*current_snapshot_id) : nullptr;
}

const Snapshot* TableMetadata::FindSnapshot(int64_t snapshot_id) const {
  return snapshots.Find(snapshot_id);
}

const Schema* TableMetadata::FindSchema(int32_t schema_id) const { return schemas.Find(schema_id); }

const PartitionSpec* TableMetadata::FindSpec(int32_t spec_id) const {
  return FindIn(partition_specs, [&](const PartitionSpec& s) { return s.spec_id == spec_id; });
}

const SortOrder* TableMetadata::FindSortOrder(int32_t order_id) const {
  return FindIn(sort_orders, [&](const SortOrder& s) { return s.order_id == order_id; });
}

const SnapshotRef* TableMetadata::FindRef(std::string_view name) const {
  const auto it = refs.find(std::string(name));
  return it == refs.end() ? nullptr : &it->second;
}

std::optional<std::string_view> TableMetadata::FindProperty(std::string_view key) const {
  const auto it = properties.find(std::string(key));
  if (it == properties.end()) return std::nullopt;
  return it->second;
}

std::set<int64_t> TableMetadata::AncestorIds(const Snapshot* snapshot) const {
  return snapshot ? snapshots.AncestorIds(snapshot->snapshot_id) : std::set<int64_t>();
}

}  // namespace nunatak::iceberg
