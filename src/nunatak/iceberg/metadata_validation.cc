#include "nunatak/iceberg/metadata_validation.h"

#include <fmt/format.h>

#include <functional>
#include <unordered_set>

#include "nunatak/base/error.h"

namespace nunatak::iceberg {

namespace {

template <typename List, typename GetId>
std::unordered_set<int64_t> UniqueIds(std::string_view list_name, const List& list, GetId get_id) {
  std::unordered_set<int64_t> ids;
  for (const auto& item : list) {
    const int64_t id = get_id(item);
    if (!ids.insert(id).second)
      ThrowInvalid(fmt::format("{}: id {} is there twice", list_name, id));
  }
  return ids;
}

void CheckExists(const std::unordered_set<int64_t>& ids, int64_t id, std::string_view field,
                 std::string_view list_name) {
  if (!ids.contains(id)) ThrowInvalid(fmt::format("{}: {} is not in '{}'", field, id, list_name));
}

/// Only the default order is bound: older ones may name columns that were dropped since.
void CheckDefaultSortOrder(const TableMetadata& metadata) {
  for (const SortField& field : metadata.default_sort_order().fields) {
    for (const int32_t source_id : field.source_ids) {
      if (metadata.current_schema().FindField(source_id)) continue;
      ThrowInvalid(
          fmt::format("default-sort-order-id: order {} sorts by field {}, which the current "
                      "schema does not have",
                      metadata.default_sort_order_id, source_id));
    }
  }
}

void CheckMainBranch(const TableMetadata& metadata) {
  const SnapshotRef* main = metadata.FindRef(kMainBranch);
  if (!main) return;
  if (!main->is_branch()) ThrowInvalid("refs: 'main' is a tag, but must be a branch");
  if (!metadata.current_snapshot_id) {
    ThrowInvalid(fmt::format("refs: 'main' points to snapshot {}, but there is no current snapshot",
                             main->snapshot_id));
  }
  if (main->snapshot_id != *metadata.current_snapshot_id) {
    ThrowInvalid(fmt::format("refs: 'main' points to snapshot {}, but current-snapshot-id is {}",
                             main->snapshot_id, *metadata.current_snapshot_id));
  }
}

void CheckSnapshots(const TableMetadata& metadata) {
  const auto ids = UniqueIds("snapshots", metadata.snapshots.ids(), std::identity());
  if (metadata.current_snapshot_id) {
    CheckExists(ids, *metadata.current_snapshot_id, "current-snapshot-id", "snapshots");
  }
  for (const auto& [name, ref] : metadata.refs) {
    CheckExists(ids, ref.snapshot_id, fmt::format("refs: {}: snapshot-id", name), "snapshots");
  }
  CheckMainBranch(metadata);
}

}  // namespace

void ValidateTableMetadata(const TableMetadata& metadata) {
  CheckExists(UniqueIds("schemas", metadata.schemas.ids(), std::identity()),
              metadata.current_schema_id, "current-schema-id", "schemas");
  CheckExists(UniqueIds("partition-specs", metadata.partition_specs,
                        [](const PartitionSpec& s) { return s.spec_id; }),
              metadata.default_spec_id, "default-spec-id", "partition-specs");
  CheckExists(
      UniqueIds("sort-orders", metadata.sort_orders, [](const SortOrder& s) { return s.order_id; }),
      metadata.default_sort_order_id, "default-sort-order-id", "sort-orders");
  CheckDefaultSortOrder(metadata);
  CheckSnapshots(metadata);
}

}  // namespace nunatak::iceberg
