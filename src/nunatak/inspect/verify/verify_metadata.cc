#include "nunatak/inspect/verify/verify_metadata.h"

#include <algorithm>
#include <map>
#include <vector>

namespace nunatak {

using iceberg::Snapshot;
using iceberg::TableMetadata;

namespace {

/// Ids above are reserved for metadata columns (specification, "Reserved Field IDs").
constexpr int32_t kLastColumnIdAllowed = 2147483447;
/// Clocks of writers differ: what the reference implementation tolerates.
constexpr int64_t kToleratedMs = 60'000;

int32_t GreatestId(const Type& type) {
  int32_t greatest = 0;
  for (const Field& field : type.fields()) {
    greatest = std::max({greatest, field.id, GreatestId(field.type)});
  }
  return greatest;
}

void CheckColumnIds(const TableMetadata& metadata, FileReport* report) {
  for (const Schema& schema : metadata.schemas) {
    const int32_t greatest = GreatestId(schema.AsStruct());
    if (greatest > metadata.last_column_id) {
      report->Add(
          Check::kColumnId, "last-column-id",
          {fmt::format("{}", metadata.last_column_id), fmt::format("at least {}", greatest)},
          fmt::format("last-column-id is {}, but schema {} has field {}", metadata.last_column_id,
                      schema.schema_id(), greatest));
    }
    if (greatest > kLastColumnIdAllowed) {
      report->Add(Check::kColumnId, fmt::format("schemas[{}]", schema.schema_id()),
                  {fmt::format("{}", greatest), fmt::format("at most {}", kLastColumnIdAllowed)},
                  fmt::format("schema {} has field {}, an id that is reserved", schema.schema_id(),
                              greatest));
    }
  }
}

bool CanIdentify(const Schema& schema, const Field& field) {
  const bool fits = field.type.is_comparable() && field.type.id() != TypeId::kFloat &&
                    field.type.id() != TypeId::kDouble;
  return fits && !schema.IsNullable(field.id) && !schema.IsRepeated(field.id);
}

void CheckIdentifierFields(const TableMetadata& metadata, FileReport* report) {
  const Schema& schema = metadata.current_schema();
  for (const int32_t id : schema.identifier_field_ids()) {
    const Field* field = schema.FindField(id);
    if (field && CanIdentify(schema, *field)) continue;
    report->Add(Check::kIdentifierField, "identifier-field-ids",
                {fmt::format("{}", id), "a required column of a type other than float and double"},
                fmt::format("field {} {} cannot be an identifier field", id,
                            field ? field->name : "(missing)"));
  }
}

void CheckSpecs(const TableMetadata& metadata, FileReport* report) {
  for (const PartitionSpec& spec : metadata.partition_specs) {
    for (const PartitionField& field : spec.fields) {
      if (field.field_id <= metadata.last_partition_id) continue;
      report->Add(Check::kPartitionFieldId, "last-partition-id",
                  {fmt::format("{}", metadata.last_partition_id),
                   fmt::format("at least {}", field.field_id)},
                  fmt::format("last-partition-id is {}, but spec {} has field {}",
                              metadata.last_partition_id, spec.spec_id, field.field_id));
    }
  }
  for (const PartitionField& field : metadata.default_spec().fields) {
    if (field.transform.id() == TransformId::kVoid) continue;
    for (const int32_t source : field.source_ids) {
      if (metadata.current_schema().FindField(source)) continue;
      report->Add(Check::kSpecSource, "default-spec-id", {fmt::format("{}", source), "a column"},
                  fmt::format("partition field {} of the default spec is of column {}, which the "
                              "current schema does not have",
                              field.name, source));
    }
  }
}

class SnapshotChecks {
 public:
  SnapshotChecks(const TableMetadata& metadata, FileReport* report)
      : metadata_(metadata), report_(report) {}

  void Run() {
    for (const Snapshot& snapshot : metadata_.snapshots) {
      CheckSequenceNumber(snapshot);
      CheckTime(snapshot);
      CheckSchema(snapshot);
      if (snapshot.first_row_id) by_row_id_.emplace(*snapshot.first_row_id, snapshot);
    }
    CheckRowIds();
  }

 private:
  void Add(Check check, const Snapshot& snapshot, std::string_view field, Comparison compared,
           std::string_view message) {
    report_->Add(check, fmt::format("snapshots[{}].{}", snapshot.snapshot_id, field),
                 std::move(compared), fmt::format("snapshot {} {}", snapshot.snapshot_id, message));
  }

  /// Snapshots of version 1 have 0, all of them.
  void CheckSequenceNumber(const Snapshot& snapshot) {
    const int64_t number = snapshot.sequence_number;
    if (number < 0 || number > metadata_.last_sequence_number) {
      Add(Check::kSnapshotSequence, snapshot, "sequence-number",
          {fmt::format("{}", number), fmt::format("0 to {}", metadata_.last_sequence_number)},
          fmt::format("has sequence number {}, the table's last is {}", number,
                      metadata_.last_sequence_number));
    }
    if (number <= 0) return;
    const auto [at, is_first] = by_sequence_.emplace(number, snapshot.snapshot_id);
    if (!is_first) {
      Add(Check::kSnapshotSequence, snapshot, "sequence-number",
          {fmt::format("{}", number), "a number of its own"},
          fmt::format("has sequence number {}, as snapshot {} has", number, at->second));
    }
    const Snapshot* parent = ParentOf(snapshot);
    if (!parent || parent->sequence_number < number) return;
    Add(Check::kSnapshotSequence, snapshot, "sequence-number",
        {fmt::format("{}", number), fmt::format("above {}", parent->sequence_number)},
        fmt::format("has sequence number {}, its parent {}", number, parent->sequence_number));
  }

  void CheckTime(const Snapshot& snapshot) {
    const Snapshot* parent = ParentOf(snapshot);
    const int64_t least = parent ? parent->timestamp_ms : 0;
    const bool too_old = snapshot.timestamp_ms < least - kToleratedMs;
    const bool too_young = snapshot.timestamp_ms - kToleratedMs > metadata_.last_updated_ms;
    if (!too_old && !too_young) return;
    Add(Check::kSnapshotTime, snapshot, "timestamp-ms",
        {fmt::format("{}", snapshot.timestamp_ms),
         too_old ? fmt::format("at least {}", least)
                 : fmt::format("at most {}", metadata_.last_updated_ms)},
        too_old ? "is older than its parent" : "is younger than the table's last update");
  }

  void CheckSchema(const Snapshot& snapshot) {
    if (!snapshot.schema_id || metadata_.schemas.IndexOf(*snapshot.schema_id)) return;
    Add(Check::kSnapshotSchema, snapshot, "schema-id",
        {fmt::format("{}", *snapshot.schema_id), "a schema of the table"},
        fmt::format("was written with schema {}, which the table does not have",
                    *snapshot.schema_id));
  }

  void CheckRowIds() {
    for (auto at = by_row_id_.begin(); at != by_row_id_.end(); ++at) {
      const auto next = std::next(at);
      const Snapshot& snapshot = at->second;
      const int64_t most = next == by_row_id_.end() ? metadata_.next_row_id : next->first;
      const int64_t added = snapshot.added_rows.value_or(0);
      if (added >= 0 && at->first >= 0 && at->first <= most && added <= most - at->first) continue;
      Add(Check::kSnapshotRowIds, snapshot, "first-row-id",
          {fmt::format("{} + {}", at->first, added), fmt::format("at most {}", most)},
          fmt::format("has {} row ids from {} on, where {} is {}", added, at->first,
                      next == by_row_id_.end() ? "next-row-id" : "the next snapshot's first",
                      most));
    }
  }

  const Snapshot* ParentOf(const Snapshot& snapshot) const {
    return snapshot.parent_snapshot_id ? metadata_.FindSnapshot(*snapshot.parent_snapshot_id)
                                       : nullptr;
  }

  const TableMetadata& metadata_;
  FileReport* report_;
  std::map<int64_t, int64_t> by_sequence_;
  /// Snapshots that assign no ids share their first one with the next.
  std::multimap<int64_t, Snapshot> by_row_id_;
};

void CheckSnapshotLog(const TableMetadata& metadata, FileReport* report) {
  int64_t before = 0;
  for (size_t i = 0; i < metadata.snapshot_log.size(); ++i) {
    const iceberg::SnapshotLogEntry& entry = metadata.snapshot_log[i];
    const std::string field = fmt::format("snapshot-log[{}]", i);
    if (entry.timestamp_ms < before - kToleratedMs) {
      report->Add(Check::kSnapshotLog, field + ".timestamp-ms",
                  {fmt::format("{}", entry.timestamp_ms), fmt::format("at least {}", before)},
                  "the snapshot log goes back in time");
    }
    if (!metadata.snapshots.IndexOf(entry.snapshot_id)) {
      report->Add(Check::kSnapshotLog, field + ".snapshot-id",
                  {fmt::format("{}", entry.snapshot_id), "a snapshot of the table"},
                  fmt::format("the snapshot log has snapshot {}, which the table does not have",
                              entry.snapshot_id));
    }
    before = entry.timestamp_ms;
  }
  if (metadata.snapshot_log.empty() || !metadata.current_snapshot_id) return;
  const int64_t last = metadata.snapshot_log.back().snapshot_id;
  if (last == *metadata.current_snapshot_id) return;
  report->Add(Check::kSnapshotLog, "snapshot-log", Compared(last, *metadata.current_snapshot_id),
              fmt::format("the snapshot log ends in snapshot {}, but {} is the current one", last,
                          *metadata.current_snapshot_id));
}

void CheckMetadataLog(const TableMetadata& metadata, FileReport* report) {
  int64_t before = 0;
  for (size_t i = 0; i <= metadata.metadata_log.size(); ++i) {
    const bool is_last = i == metadata.metadata_log.size();
    const int64_t time = is_last ? metadata.last_updated_ms : metadata.metadata_log[i].timestamp_ms;
    if (time < before - kToleratedMs) {
      report->Add(Check::kMetadataLog,
                  is_last ? "last-updated-ms" : fmt::format("metadata-log[{}].timestamp-ms", i),
                  {fmt::format("{}", time), fmt::format("at least {}", before)},
                  "the metadata log goes back in time");
    }
    before = time;
  }
}

void CheckRefs(const TableMetadata& metadata, FileReport* report) {
  for (const auto& [name, ref] : metadata.refs) {
    const std::pair<const char*, std::optional<int64_t>> retentions[] = {
        {"min-snapshots-to-keep", ref.min_snapshots_to_keep},
        {"max-snapshot-age-ms", ref.max_snapshot_age_ms},
        {"max-ref-age-ms", ref.max_ref_age_ms}};
    for (const auto& [field, value] : retentions) {
      const bool of_branches = std::string_view(field) != "max-ref-age-ms";
      if (!value || (*value > 0 && (ref.is_branch() || !of_branches))) continue;
      report->Add(
          Check::kRefRetention, fmt::format("refs.{}.{}", name, field),
          {fmt::format("{}", *value), *value > 0 ? "none" : "above 0"},
          fmt::format("{} {} has {} {}", ref.is_branch() ? "branch" : "tag", name, field, *value));
    }
  }
}

}  // namespace

void CheckMetadata(const TableMetadata& metadata, FileReport* report) {
  CheckColumnIds(metadata, report);
  CheckIdentifierFields(metadata, report);
  CheckSpecs(metadata, report);
  SnapshotChecks(metadata, report).Run();
  CheckSnapshotLog(metadata, report);
  CheckMetadataLog(metadata, report);
  CheckRefs(metadata, report);
}

}  // namespace nunatak
