#pragma once

#include <vector>

#include "nunatak/avro/decode_plan.h"

namespace nunatak::testing {

/// Slots of `ManifestEntryFields`.
enum EntrySlot {
  kStatus,
  kSnapshotId,
  kSequenceNumber,
  kContent,
  kFilePath,
  kRecordCount,
  kFileSize,
  kValueCounts,
  kLowerBounds,
  kUpperBounds,
  kSplitOffsets,
  kKeyMetadata,
};

/// A good part of `manifest_entry` (Iceberg specification, "Manifests").
inline std::vector<avro::Wanted> ManifestEntryFields() {
  using avro::Wanted;
  using avro::WantedKind;
  const auto scalar = [](int id, const char* name, WantedKind kind, int slot) {
    return Wanted{.field_id = id, .names = {name}, .kind = kind, .slot = slot};
  };
  const auto map = [&](int id, const char* name, int key_id, int value_id, WantedKind kind,
                       int slot) {
    Wanted wanted = scalar(id, name, WantedKind::kMap, slot);
    wanted.children = {scalar(key_id, "key", WantedKind::kInteger, 0),
                       scalar(value_id, "value", kind, 1)};
    return wanted;
  };
  Wanted offsets = scalar(132, "split_offsets", WantedKind::kList, kSplitOffsets);
  offsets.children = {scalar(133, "element", WantedKind::kInteger, 0)};
  Wanted file{.field_id = 2, .names = {"data_file"}, .kind = WantedKind::kRecord};
  file.children = {
      scalar(134, "content", WantedKind::kInteger, kContent),
      scalar(100, "file_path", WantedKind::kBytes, kFilePath),
      scalar(103, "record_count", WantedKind::kInteger, kRecordCount),
      scalar(104, "file_size_in_bytes", WantedKind::kInteger, kFileSize),
      map(109, "value_counts", 119, 120, WantedKind::kInteger, kValueCounts),
      map(125, "lower_bounds", 126, 127, WantedKind::kBytes, kLowerBounds),
      map(128, "upper_bounds", 129, 130, WantedKind::kBytes, kUpperBounds),
      offsets,
      scalar(131, "key_metadata", WantedKind::kBytes, kKeyMetadata),
  };
  return {scalar(0, "status", WantedKind::kInteger, kStatus),
          scalar(1, "snapshot_id", WantedKind::kInteger, kSnapshotId),
          scalar(3, "sequence_number", WantedKind::kInteger, kSequenceNumber), file};
}

}  // namespace nunatak::testing
