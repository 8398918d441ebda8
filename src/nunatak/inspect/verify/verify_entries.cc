#include "nunatak/inspect/verify/verify_entries.h"

#include <algorithm>
#include <iterator>

#include "nunatak/base/ascii_case.h"
#include "nunatak/iceberg/slot_values.h"

namespace nunatak {

using iceberg::EntryStatus;
using iceberg::OptionalInteger;
using iceberg::WalkedEntry;

namespace {

bool IsPuffin(const WalkedEntry& entry) {
  return ToLowerAscii(entry.slots[iceberg::kFileFormat].text()) == "puffin";
}

bool IsLive(const WalkedEntry& entry) { return entry.head.status != EntryStatus::kDeleted; }

}  // namespace

EntryChecker::EntryChecker(const TableFacts& facts, const iceberg::ManifestFile& manifest,
                           const iceberg::ManifestShape& shape)
    : facts_(facts),
      manifest_(manifest),
      has_file_numbers_(shape.plan->Has(iceberg::kFileSequenceNumber)),
      split_offsets_(shape.plan->items(iceberg::kSplitOffsets)),
      equality_ids_(shape.plan->items(iceberg::kEqualityIds)),
      metrics_(facts, shape) {}

bool EntryChecker::HasKnownFormat(const WalkedEntry& entry) {
  constexpr std::string_view kFormats[] = {"avro", "orc", "parquet", "puffin"};
  const std::string format = ToLowerAscii(entry.slots[iceberg::kFileFormat].text());
  return std::find(std::begin(kFormats), std::end(kFormats), format) != std::end(kFormats);
}

void EntryChecker::Check(const WalkedEntry& entry, FileReport* report) {
  if (!HasKnownFormat(entry)) {
    const std::string format(entry.slots[iceberg::kFileFormat].text());
    report->AddTo(entry, Check::kFileFormat, "file_format",
                  {format, "AVRO, ORC, PARQUET or PUFFIN"},
                  fmt::format("its format is {}, which the specification does not have", format));
  }
  CheckSnapshot(entry, report);
  CheckSequenceNumbers(entry, report);
  CheckRowIds(entry, report);
  CheckDeletionVector(entry, report);
  CheckSplitOffsets(entry, report);
  CheckEqualityIds(entry, report);
  CheckSortOrder(entry, report);
  metrics_.Check(entry, report);
}

void EntryChecker::CheckSnapshot(const WalkedEntry& entry, FileReport* report) const {
  const std::optional<int64_t>& id = entry.head.snapshot_id;
  if (!id) {
    return report->AddTo(entry, Check::kEntrySnapshot, "snapshot_id", {"null", "a snapshot id"},
                         "has no snapshot id, and none to inherit");
  }
  if (entry.head.status == EntryStatus::kExisting || !manifest_.added_snapshot_id) return;
  if (*id == *manifest_.added_snapshot_id) return;
  const bool added = entry.head.status == EntryStatus::kAdded;
  report->AddTo(entry, Check::kEntrySnapshot, "snapshot_id",
                Compared(*id, *manifest_.added_snapshot_id),
                fmt::format("{} by snapshot {}, in a manifest that snapshot {} added",
                            added ? "added" : "deleted", *id, *manifest_.added_snapshot_id));
}

void EntryChecker::CheckSequenceNumbers(const WalkedEntry& entry, FileReport* report) const {
  const std::optional<int64_t>& data = entry.head.sequence_number;
  std::optional<int64_t> file = entry.head.file_sequence_number;
  if (!has_file_numbers_ && !file) file = manifest_.sequence_number;
  const auto wrong = [&](std::string_view field, Comparison compared, std::string_view message) {
    report->AddTo(entry, Check::kEntrySequence, field, std::move(compared), message);
  };
  if (!data || !file) {
    return wrong(data ? "file_sequence_number" : "sequence_number", {"null", "a number"},
                 "has no sequence number of its own, and may inherit none: it is not ADDED");
  }
  if (*data < 0 || *file < 0) {
    return wrong(*data < 0 ? "sequence_number" : "file_sequence_number",
                 {fmt::format("{}", std::min(*data, *file)), "at least 0"},
                 "its sequence number is negative");
  }
  if (*data > *file) {
    wrong("sequence_number", {fmt::format("{}", *data), fmt::format("at most {}", *file)},
          fmt::format("its data sequence number {} is above its file sequence number {}", *data,
                      *file));
  }
  if (*file > manifest_.sequence_number) {
    return wrong("file_sequence_number",
                 {fmt::format("{}", *file), fmt::format("at most {}", manifest_.sequence_number)},
                 fmt::format("its file sequence number {} is above that of its manifest, {}", *file,
                             manifest_.sequence_number));
  }
  CheckAdded(entry, report);
}

void EntryChecker::CheckAdded(const WalkedEntry& entry, FileReport* report) const {
  if (!IsLive(entry) || !entry.head.snapshot_id || !entry.head.file_sequence_number) return;
  const int64_t file = *entry.head.file_sequence_number;
  // Without the snapshot, an ADDED entry still has the manifest's number.
  std::optional<int64_t> expected = facts_.SequenceOf(*entry.head.snapshot_id);
  if (!expected && entry.head.status == EntryStatus::kAdded) expected = manifest_.sequence_number;
  if (!expected || *expected == file) return;
  report->AddTo(entry, Check::kEntrySequence, "file_sequence_number", Compared(file, *expected),
                fmt::format("its file sequence number is {}, that of the snapshot that added it {}",
                            file, *expected));
}

void EntryChecker::CheckRowIds(const WalkedEntry& entry, FileReport* report) const {
  const auto wrong = [&](Comparison compared, std::string_view message) {
    report->AddTo(entry, Check::kEntryRowIds, "first_row_id", std::move(compared), message);
  };
  if (entry.head.content != FileContent::kData) {
    const avro::Slot& own = entry.slots[iceberg::kFirstRowId];
    if (own.is_null()) return;
    return wrong({fmt::format("{}", own.integer()), "null"}, "a delete file has row ids");
  }
  if (!entry.head.first_row_id) return;
  const int64_t next = facts_.metadata().next_row_id;
  int64_t end = 0;
  const bool overflows =
      __builtin_add_overflow(*entry.head.first_row_id, entry.head.record_count, &end);
  if (*entry.head.first_row_id >= 0 && !overflows && end <= next) return;
  wrong({fmt::format("{}", *entry.head.first_row_id),
         fmt::format("0 to {}", next - entry.head.record_count)},
        fmt::format("its {} row ids from {} on do not lie below next-row-id {}",
                    entry.head.record_count, *entry.head.first_row_id, next));
}

void EntryChecker::CheckDeletionVector(const WalkedEntry& entry, FileReport* report) const {
  const auto wrong = [&](std::string_view field, Comparison compared, std::string_view message) {
    report->AddTo(entry, Check::kDeletionVectorEntry, field, std::move(compared), message);
  };
  const std::optional<int64_t> offset = OptionalInteger(entry.slots[iceberg::kContentOffset]);
  const std::optional<int64_t> size = OptionalInteger(entry.slots[iceberg::kContentSize]);
  if (entry.head.content != FileContent::kPositionDeletes || !IsPuffin(entry)) {
    if (IsPuffin(entry)) {
      wrong("file_format", {"PUFFIN", "a format of rows"}, "only deletion vectors are in Puffin");
    }
    return;
  }
  if (facts_.metadata().format_version < 3) {
    wrong("file_format", {"PUFFIN", "AVRO, ORC or PARQUET"},
          fmt::format("a deletion vector in a table of version {}",
                      facts_.metadata().format_version));
  }
  if (entry.slots[iceberg::kReferencedDataFile].is_null()) {
    wrong("referenced_data_file", {"null", "a data file"}, "does not name its data file");
  }
  const bool fits = offset && size && *offset >= 0 && *size >= 0 && *size <= entry.head.file_size &&
                    *offset <= entry.head.file_size - *size;
  if (fits) return;
  wrong("content_offset",
        {fmt::format("{} + {}", NumberOrNull(offset), NumberOrNull(size)),
         fmt::format("within {} bytes", entry.head.file_size)},
        "its content_offset and content_size_in_bytes are no place in its file");
}

void EntryChecker::CheckSplitOffsets(const WalkedEntry& entry, FileReport* report) {
  split_offsets_.Reset(entry.slots[iceberg::kSplitOffsets]);
  int64_t before = -1;
  for (int64_t i = 0; split_offsets_.Next(); ++i) {
    const int64_t offset = split_offsets_.slot(iceberg::kItemElement).integer();
    if (offset <= before || offset >= entry.head.file_size) {
      return report->AddTo(entry, Check::kSplitOffsets, fmt::format("split_offsets[{}]", i),
                           {fmt::format("{}", offset),
                            fmt::format("above {}, below {}", before, entry.head.file_size)},
                           fmt::format("split offset {} follows {} in a file of {} bytes", offset,
                                       before, entry.head.file_size));
    }
    before = offset;
  }
}

void EntryChecker::CheckEqualityIds(const WalkedEntry& entry, FileReport* report) {
  const bool expected = entry.head.content == FileContent::kEqualityDeletes;
  equality_ids_.Reset(entry.slots[iceberg::kEqualityIds]);
  bool any = false;
  while (equality_ids_.Next()) {
    any = true;
    const int64_t id = equality_ids_.slot(iceberg::kItemElement).integer();
    if (!expected || facts_.FindField(static_cast<int32_t>(id))) continue;
    report->AddTo(entry, Check::kEqualityIds, "equality_ids",
                  {fmt::format("{}", id), "the id of a column"},
                  fmt::format("compares by field {}, which no schema of the table has", id));
  }
  if (any == expected) return;
  report->AddTo(entry, Check::kEqualityIds, "equality_ids",
                {any ? "some" : "none", any ? "none" : "some"},
                any ? "has equality_ids, but is no equality delete file"
                    : "is an equality delete file without equality_ids");
}

void EntryChecker::CheckSortOrder(const WalkedEntry& entry, FileReport* report) const {
  const std::optional<int64_t> id = OptionalInteger(entry.slots[iceberg::kSortOrderId]);
  if (!id || entry.head.content == FileContent::kPositionDeletes) return;
  if (facts_.metadata().FindSortOrder(static_cast<int32_t>(*id))) return;
  report->AddTo(entry, Check::kSortOrderId, "sort_order_id",
                {fmt::format("{}", *id), "a sort order of the table"},
                fmt::format("is sorted by order {}, which the table does not have", *id));
}

}  // namespace nunatak
