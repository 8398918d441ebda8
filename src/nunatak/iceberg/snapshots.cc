#include "nunatak/iceberg/snapshots.h"

#include <utility>

namespace nunatak::iceberg {

void Snapshots::Add(Snapshot snapshot) {
  heads_.push_back({snapshot.parent_snapshot_id, snapshot.timestamp_ms});
  const int64_t id = snapshot.snapshot_id;
  LazyList::Add(id, std::move(snapshot));
}

void Snapshots::AddText(const Snapshot& decoded, std::string_view json) {
  heads_.push_back({decoded.parent_snapshot_id, decoded.timestamp_ms});
  LazyList::AddText(decoded.snapshot_id, json);
}

std::optional<int64_t> Snapshots::ParentOf(int64_t id) const {
  const std::optional<size_t> i = IndexOf(id);
  return i ? heads_[*i].parent_id : std::nullopt;
}

std::set<int64_t> Snapshots::AncestorIds(int64_t id) const {
  std::set<int64_t> ids;
  for (std::optional<int64_t> next = id; next && IndexOf(*next); next = ParentOf(*next)) {
    if (!ids.insert(*next).second) break;
  }
  return ids;
}

}  // namespace nunatak::iceberg
