#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/iceberg/lazy_list.h"

namespace nunatak::iceberg {

using StringMap = std::map<std::string, std::string>;

/// The state of a table at one time (specification, "Snapshots").
struct NUNATAK_EXPORT Snapshot {
  int64_t snapshot_id = 0;
  /// May name a snapshot that has expired.
  std::optional<int64_t> parent_snapshot_id;
  /// 0 for snapshots written by version 1.
  int64_t sequence_number = 0;
  /// Milliseconds since 1970-01-01 UTC.
  int64_t timestamp_ms = 0;
  /// The location of the manifest list; absent when `manifests` are listed inline (version 1).
  std::optional<std::string> manifest_list;
  std::vector<std::string> manifests;
  /// "append", "replace", "overwrite" or "delete"; writers may leave it out.
  std::optional<std::string> operation;
  /// The summary without its `operation`.
  StringMap summary;
  std::optional<int32_t> schema_id;
  /// v3 row lineage.
  std::optional<int64_t> first_row_id;
  std::optional<int64_t> added_rows;

  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

/// The snapshots of a table.
class NUNATAK_EXPORT Snapshots : public LazyList<Snapshot> {
 public:
  void Add(Snapshot snapshot);
  /// `json` is the text that the snapshot was decoded from.
  void AddText(const Snapshot& decoded, std::string_view json);

  /// Milliseconds since 1970-01-01 UTC.
  int64_t timestamp_ms(size_t i) const { return heads_[i].timestamp_ms; }
  /// Null when there is no such snapshot, or it has no parent.
  std::optional<int64_t> ParentOf(int64_t id) const;
  /// A snapshot and its ancestors, as far as the table still has them.
  std::set<int64_t> AncestorIds(int64_t id) const;

 private:
  /// What walks over all snapshots ask for.
  struct Head {
    std::optional<int64_t> parent_id;
    int64_t timestamp_ms = 0;
  };

  std::vector<Head> heads_;
};

}  // namespace nunatak::iceberg
