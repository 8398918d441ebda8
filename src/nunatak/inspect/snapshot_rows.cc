#include <numeric>
#include <set>
#include <utility>

#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/inspect/json_values.h"
#include "nunatak/inspect/metadata_rows.h"

namespace nunatak {

using nlohmann::ordered_json;

MetadataRows SnapshotRows(const iceberg::Table& table) {
  return {{"committed_at", "snapshot_id", "parent_id", "operation", "manifest_list", "summary"},
          [metadata = table.metadata](const MetadataRows::Sink& sink) {
            for (const iceberg::Snapshot& s : metadata->snapshots) {
              sink({{"committed_at", TimeJson(s.timestamp_ms)},
                    {"snapshot_id", s.snapshot_id},
                    {"parent_id", OrNull(s.parent_snapshot_id)},
                    {"operation", OrNull(s.operation)},
                    {"manifest_list", OrNull(s.manifest_list)},
                    {"summary", ordered_json(s.summary)}});
            }
          }};
}

MetadataRows HistoryRows(const iceberg::Table& table) {
  return {{"made_current_at", "snapshot_id", "parent_id", "is_current_ancestor"},
          [metadata = table.metadata](const MetadataRows::Sink& sink) {
            const std::set<int64_t> ancestors = metadata->AncestorIds(metadata->current_snapshot());
            for (const iceberg::SnapshotLogEntry& entry : metadata->snapshot_log) {
              sink({{"made_current_at", TimeJson(entry.timestamp_ms)},
                    {"snapshot_id", entry.snapshot_id},
                    {"parent_id", OrNull(metadata->snapshots.ParentOf(entry.snapshot_id))},
                    {"is_current_ancestor", ancestors.contains(entry.snapshot_id)}});
            }
          }};
}

MetadataRows RefRows(const iceberg::Table& table) {
  return {{"name", "type", "snapshot_id", "max_reference_age_in_ms", "min_snapshots_to_keep",
           "max_snapshot_age_in_ms"},
          [metadata = table.metadata](const MetadataRows::Sink& sink) {
            for (const auto& [name, ref] : metadata->refs) {
              sink({{"name", name},
                    {"type", ref.is_branch() ? "BRANCH" : "TAG"},
                    {"snapshot_id", ref.snapshot_id},
                    {"max_reference_age_in_ms", OrNull(ref.max_ref_age_ms)},
                    {"min_snapshots_to_keep", OrNull(ref.min_snapshots_to_keep)},
                    {"max_snapshot_age_in_ms", OrNull(ref.max_snapshot_age_ms)}});
            }
          }};
}

namespace {

struct FileCounts {
  int64_t metadata_files = 0;
  int64_t manifest_lists = 0;
  int64_t manifests = 0;
  int64_t data_files = 0;
  int64_t delete_files = 0;

  int64_t sum() const {
    return metadata_files + manifest_lists + manifests + data_files + delete_files;
  }
};

/// Adds what the commit of a snapshot wrote.
void AddSnapshotFiles(const iceberg::Table& table, const iceberg::Snapshot& snapshot,
                      FileCounts* counts) {
  if (snapshot.manifest_list) ++counts->manifest_lists;
  for (const iceberg::ManifestFile& file : iceberg::ReadManifests(table, &snapshot)) {
    if (file.added_snapshot_id != snapshot.snapshot_id) continue;
    ++counts->manifests;
    for (const iceberg::ManifestEntry& entry : iceberg::ReadManifest(table, file).entries) {
      const bool added =
          entry.status == iceberg::EntryStatus::kAdded && entry.snapshot_id == snapshot.snapshot_id;
      if (added) ++(entry.data_file.is_data() ? counts->data_files : counts->delete_files);
    }
  }
}

}  // namespace

MetadataRows CommitFileRows(const iceberg::Table& table) {
  std::vector<std::string> columns = {"committed_at",   "metadata_file",  "snapshot_id",
                                      "metadata_files", "manifest_lists", "manifests",
                                      "data_files",     "delete_files",   "total_files"};
  return {std::move(columns), [&table](const MetadataRows::Sink& sink) {
            std::vector<iceberg::MetadataLogEntry> log = table.metadata->metadata_log;
            log.push_back({table.metadata->last_updated_ms, table.metadata_location});
            std::vector<size_t> uncounted(table.metadata->snapshots.size());
            std::iota(uncounted.begin(), uncounted.end(), 0);
            int64_t total = 0;
            for (const iceberg::MetadataLogEntry& entry : log) {
              FileCounts counts{.metadata_files = 1};
              ordered_json last;
              std::erase_if(uncounted, [&](size_t i) {
                const iceberg::Snapshots& snapshots = table.metadata->snapshots;
                if (snapshots.timestamp_ms(i) > entry.timestamp_ms) return false;
                AddSnapshotFiles(table, snapshots.At(i), &counts);
                last = snapshots.id(i);
                return true;
              });
              total += counts.sum();
              sink({{"committed_at", TimeJson(entry.timestamp_ms)},
                    {"metadata_file", entry.metadata_file},
                    {"snapshot_id", last},
                    {"metadata_files", counts.metadata_files},
                    {"manifest_lists", counts.manifest_lists},
                    {"manifests", counts.manifests},
                    {"data_files", counts.data_files},
                    {"delete_files", counts.delete_files},
                    {"total_files", total}});
            }
          }};
}

}  // namespace nunatak
