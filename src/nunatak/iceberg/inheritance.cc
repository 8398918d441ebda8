#include "nunatak/iceberg/inheritance.h"

#include "nunatak/base/error.h"

namespace nunatak::iceberg {

Inheritance::Inheritance(const ManifestFile& manifest, int32_t format_version,
                         bool has_sequence_numbers)
    : sequence_number_(manifest.sequence_number),
      all_zero_(format_version == 1 && !has_sequence_numbers),
      added_snapshot_id_(manifest.added_snapshot_id) {
  if (!manifest.is_delete_manifest()) next_row_id_ = manifest.first_row_id;
}

std::optional<int64_t> Inheritance::SequenceNumber(EntryStatus status,
                                                   std::optional<int64_t> own) const {
  if (all_zero_) return 0;
  if (own) return own;
  if (status == EntryStatus::kAdded || sequence_number_ == 0) return sequence_number_;
  return std::nullopt;
}

std::optional<int64_t> Inheritance::FirstRowId(EntryStatus status, std::optional<int64_t> own,
                                               int64_t record_count) {
  if (!next_row_id_) return std::nullopt;
  if (own || status == EntryStatus::kDeleted) return own;
  const int64_t id = *next_row_id_;
  int64_t next = 0;
  if (__builtin_add_overflow(id, record_count, &next)) {
    ThrowInvalid("record counts overflow the row ids of the manifest");
  }
  next_row_id_ = next;
  return id;
}

}  // namespace nunatak::iceberg
