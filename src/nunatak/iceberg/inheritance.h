#pragma once

#include <cstdint>
#include <optional>

#include "nunatak/base/export.h"
#include "nunatak/iceberg/manifest.h"

namespace nunatak::iceberg {

/// The three inheritance rules of a manifest's entries (specification, "Sequence Number
/// Inheritance", "Snapshot ID" and "First Row ID Inheritance"), which silently mis-plan a scan when
/// wrong:
///
///  - A null data or file sequence number is the manifest's own, when the entry is ADDED or when
///  the
///    manifest's is 0. In a manifest of format version 1 without such columns all are 0. A null
///    that may not be inherited stays null: EXISTING and DELETED entries must carry both.
///  - A null snapshot id is the manifest's `added_snapshot_id`.
///  - A null `first_row_id` of a live data file is the manifest's `first_row_id` plus the record
///    counts of the preceding live data files that were null too; DELETED entries neither receive
///    nor advance ids. Without a `first_row_id` on the manifest, no file has one.
class NUNATAK_EXPORT Inheritance {
 public:
  /// `has_sequence_numbers`: whether the manifest's schema has the two columns at all.
  Inheritance(const ManifestFile& manifest, int32_t format_version, bool has_sequence_numbers);

  std::optional<int64_t> SequenceNumber(EntryStatus status, std::optional<int64_t> own) const;

  std::optional<int64_t> SnapshotId(std::optional<int64_t> own) const {
    return own ? own : added_snapshot_id_;
  }

  /// Whether data files can have row ids at all.
  bool has_row_ids() const { return next_row_id_.has_value(); }

  /// Call for every entry, in the manifest's order: it counts.
  std::optional<int64_t> FirstRowId(EntryStatus status, std::optional<int64_t> own,
                                    int64_t record_count);

 private:
  int64_t sequence_number_;
  bool all_zero_;
  std::optional<int64_t> added_snapshot_id_;
  std::optional<int64_t> next_row_id_;
};

}  // namespace nunatak::iceberg
