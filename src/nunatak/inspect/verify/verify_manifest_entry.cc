#include "nunatak/inspect/verify/verify_manifest_entry.h"

#include <algorithm>

#include "nunatak/base/error.h"
#include "nunatak/base/json.h"
#include "nunatak/iceberg/manifest_reader.h"
#include "nunatak/table/schema_json.h"

namespace nunatak {

using iceberg::EntryStatus;
using iceberg::ManifestContent;
using iceberg::ManifestFile;

namespace {

const char* NameOf(ManifestContent content) {
  return content == ManifestContent::kData ? "data" : "deletes";
}

bool IsSameField(const PartitionField& a, const PartitionField& b) {
  return a.source_ids == b.source_ids && a.transform == b.transform;
}

/// Whether a header's `partition-spec` is the table's spec. Version 1 kept no field ids, and names
/// say nothing.
bool IsSameSpec(const std::vector<PartitionField>& header, const PartitionSpec& spec) {
  return std::equal(header.begin(), header.end(), spec.fields.begin(), spec.fields.end(),
                    IsSameField);
}

void CheckHeaderSpec(const SpecFacts& spec, const avro::Container& container, FileReport* report) {
  const std::optional<ByteSpan> text = container.FindMetadata("partition-spec");
  if (!text) return;
  const JsonDocument json = JsonDocument::Parse(AsText(*text));
  if (IsSameSpec(PartitionFieldsFromJson(json.root().Array()), spec.spec)) return;
  report->Add(Check::kManifestHeader, "partition-spec",
              {std::string(AsText(*text)), fmt::format("spec {} of the table", spec.spec.spec_id)},
              fmt::format("the partition spec in the header is not spec {} of the table",
                          spec.spec.spec_id));
}

}  // namespace

void CheckHeader(const TableFacts& facts, const ManifestFile& file, const SpecFacts& spec,
                 const avro::Container& container, FileReport* report) {
  const iceberg::ManifestHeader header = iceberg::ReadManifestHeader(container);
  if (header.content && *header.content != file.content) {
    report->Add(Check::kManifestHeader, "content", {NameOf(*header.content), NameOf(file.content)},
                fmt::format("the manifest says that it lists {}, its manifest list {}",
                            NameOf(*header.content), NameOf(file.content)));
  }
  if (header.partition_spec_id && *header.partition_spec_id != file.partition_spec_id) {
    report->Add(Check::kManifestHeader, "partition-spec-id",
                Compared(*header.partition_spec_id, file.partition_spec_id),
                fmt::format("the manifest is of spec {}, its manifest list says {}",
                            *header.partition_spec_id, file.partition_spec_id));
  }
  const int version = facts.metadata().format_version;
  if (header.format_version && *header.format_version > version) {
    report->Add(Check::kManifestHeader, "format-version",
                {fmt::format("{}", *header.format_version), fmt::format("at most {}", version)},
                fmt::format("a manifest of version {} in a table of version {}",
                            *header.format_version, version));
  }
  CheckHeaderSpec(spec, container, report);
}

namespace {

/// Checks one entry of a manifest list, field by field.
class ListEntryCheck {
 public:
  ListEntryCheck(const TableFacts& facts, const iceberg::Snapshot& snapshot,
                 const ManifestFile& file, const ManifestContents& contents, FileReport* report)
      : facts_(facts), snapshot_(snapshot), file_(file), contents_(contents), report_(report) {}

  void Run() {
    CheckStatus(EntryStatus::kAdded, "added", file_.added_files_count, file_.added_rows_count);
    CheckStatus(EntryStatus::kExisting, "existing", file_.existing_files_count,
                file_.existing_rows_count);
    CheckStatus(EntryStatus::kDeleted, "deleted", file_.deleted_files_count,
                file_.deleted_rows_count);
    CheckMinSequenceNumber();
    CheckSequenceNumber();
    CheckRowIds();
  }

 private:
  /// Version 1 may leave the counts out.
  bool counts_are_required() const {
    return facts_.metadata().format_version >= 2 && snapshot_.sequence_number > 0;
  }

  void CheckStatus(EntryStatus status, std::string_view name, std::optional<int32_t> files,
                   std::optional<int64_t> rows) {
    const StatusCounts& counts = contents_.by_status[static_cast<size_t>(status)];
    CheckCount(fmt::format("{}_files_count", name), files, counts.files);
    CheckCount(fmt::format("{}_rows_count", name), rows, counts.rows);
  }

  void CheckCount(std::string field, std::optional<int64_t> recorded, int64_t found) {
    if (recorded ? *recorded == found : !counts_are_required()) return;
    std::string message =
        fmt::format("the manifest list has {} {}, the manifest {}", field,
                    recorded ? NumberOrNull(recorded) : "null or negative", found);
    report_->Add(Check::kManifestCounts, std::move(field),
                 {NumberOrNull(recorded), fmt::format("{}", found)}, std::move(message));
  }

  void CheckMinSequenceNumber() {
    if (!contents_.least_sequence_number) return;
    const int64_t expected = *contents_.least_sequence_number;
    if (file_.min_sequence_number == expected) return;
    report_->Add(Check::kManifestMinSequence, "min_sequence_number",
                 Compared(file_.min_sequence_number, expected),
                 fmt::format("min_sequence_number is {}, the least of its live files {}",
                             file_.min_sequence_number, expected));
  }

  void CheckSequenceNumber() {
    if (!file_.added_snapshot_id) {
      return report_->Add(Check::kManifestSnapshot, "added_snapshot_id", {"null", "a snapshot id"},
                          "the manifest list does not say which snapshot added the manifest");
    }
    const std::optional<int64_t> expected = facts_.SequenceOf(*file_.added_snapshot_id);
    const int64_t most = snapshot_.sequence_number;
    if (expected ? file_.sequence_number == *expected : file_.sequence_number <= most) return;
    report_->Add(
        Check::kManifestSequence, "sequence_number",
        {fmt::format("{}", file_.sequence_number),
         expected ? fmt::format("{}", *expected) : fmt::format("at most {}", most)},
        fmt::format("sequence_number is {}, where snapshot {} has {}", file_.sequence_number,
                    expected ? *file_.added_snapshot_id : snapshot_.snapshot_id,
                    expected.value_or(most)));
  }

  void CheckRowIds() {
    const auto wrong = [this](std::string expected, std::string message) {
      report_->Add(Check::kManifestRowIds, "first_row_id",
                   {NumberOrNull(file_.first_row_id), std::move(expected)}, std::move(message));
    };
    if (file_.is_delete_manifest()) {
      if (file_.first_row_id) wrong("null", "a manifest of delete files has a first_row_id");
      return;
    }
    if (!snapshot_.first_row_id) return;
    if (!file_.first_row_id) {
      return wrong("a row id", "a data manifest of a snapshot with row ids has no first_row_id");
    }
    // Those of other snapshots' manifests are checked file by file.
    if (file_.added_snapshot_id != snapshot_.snapshot_id) return;
    const int64_t least = *snapshot_.first_row_id;
    int64_t most = 0;
    const bool overflows = __builtin_add_overflow(least, snapshot_.added_rows.value_or(0), &most) ||
                           __builtin_sub_overflow(most, contents_.unnumbered_rows, &most);
    if (!overflows && *file_.first_row_id >= least && *file_.first_row_id <= most) return;
    wrong(fmt::format("{} to {}", least, most),
          fmt::format("first_row_id is {}, where the snapshot's {} row ids begin at {}",
                      *file_.first_row_id, snapshot_.added_rows.value_or(0), least));
  }

  const TableFacts& facts_;
  const iceberg::Snapshot& snapshot_;
  const ManifestFile& file_;
  const ManifestContents& contents_;
  FileReport* report_;
};

}  // namespace

void CheckListEntry(const TableFacts& facts, const ManifestScope& scope, const ManifestFile& file,
                    const ManifestContents& contents, FileReport* report) {
  ListEntryCheck(facts, scope.snapshot, file, contents, report).Run();
}

}  // namespace nunatak
