#include "nunatak/inspect/table_diff.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/partition_types.h"
#include "nunatak/inspect/commit_metadata.h"
#include "nunatak/inspect/json_values.h"
#include "nunatak/inspect/metadata_diff.h"
#include "nunatak/inspect/schema_diff.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

using iceberg::ManifestFile;
using nlohmann::ordered_json;

namespace {

constexpr std::array<const char*, 4> kKinds = {"data", "position_deletes", "deletion_vectors",
                                               "equality_deletes"};

size_t KindOf(const DataFile& file) {
  if (file.is_data()) return 0;
  if (file.is_equality_delete()) return 3;
  return file.is_deletion_vector() ? 2 : 1;
}

ordered_json SideJson(const DiffSide& side) {
  const iceberg::Snapshot* snapshot = side.snapshot.snapshot;
  return {{"metadata_file",
           side.metadata_file.empty() ? side.table->metadata_location : side.metadata_file},
          {"snapshot_id", snapshot ? ordered_json(snapshot->snapshot_id) : ordered_json()},
          {"timestamp", snapshot ? TimeJson(snapshot->timestamp_ms) : ordered_json()},
          {"operation", snapshot ? OrNull(snapshot->operation) : ordered_json()},
          {"schema_id", side.snapshot.schema.schema_id()}};
}

/// The identifier fields by their names; null when both are the same.
ordered_json IdentifierChange(const Schema& from, const Schema& to) {
  if (from.identifier_field_ids() == to.identifier_field_ids()) return nullptr;
  const auto names_of = [](const Schema& schema) {
    ordered_json names = ordered_json::array();
    for (const int32_t id : schema.identifier_field_ids()) names.push_back(schema.NameOf(id));
    return names;
  };
  return {{"from", names_of(from)}, {"to", names_of(to)}};
}

/// Files of one kind.
struct Sums {
  int64_t files = 0, records = 0, bytes = 0;
};

ordered_json SumsJson(const Sums& sums) {
  return {{"files", sums.files}, {"records", sums.records}, {"bytes", sums.bytes}};
}

/// A deletion vector is a part of its file.
int64_t BytesOf(const DataFile& file) {
  return file.content_size_in_bytes.value_or(file.file_size_in_bytes);
}

/// A live file, and whose.
struct LiveFile {
  DataFile file;
  const iceberg::Table* table = nullptr;
};

auto IdentityOf(const LiveFile& live) {
  return std::tie(live.file.file_path, live.file.content_offset);
}

bool Precedes(const LiveFile& a, const LiveFile& b) { return IdentityOf(a) < IdentityOf(b); }

ordered_json PartitionJson(const LiveFile& live) {
  const iceberg::TableMetadata& metadata = *live.table->metadata;
  const PartitionSpec* spec = metadata.FindSpec(live.file.partition_spec_id);
  if (spec == nullptr) return nullptr;
  const Type type = iceberg::PartitionTypeOf(metadata, *spec);
  ordered_json partition = ordered_json::object();
  const size_t count = std::min(spec->fields.size(), live.file.partition.size());
  for (size_t i = 0; i < count; ++i) {
    partition[spec->fields[i].name] = ValueToCell(type.fields()[i].type, live.file.partition[i]);
  }
  return partition;
}

class SnapshotDiff {
 public:
  SnapshotDiff(const DiffSide& from, const DiffSide& to, const DiffOptions& options)
      : from_(from),
        to_(to),
        options_(options),
        old_(iceberg::ReadManifests(*from.table, from.snapshot.snapshot, options.cache)),
        new_(iceberg::ReadManifests(*to.table, to.snapshot.snapshot, options.cache)) {}

  void Append(ordered_json* diff) const {
    const std::vector<ManifestFile> removed = Without(old_, new_);
    const std::vector<ManifestFile> added = Without(new_, old_);
    ordered_json manifests = {{"added", ManifestSums(added)},
                              {"removed", ManifestSums(removed)},
                              {"kept", new_.size() - added.size()}};
    if (!options_.summary) {
      manifests["list"] = ordered_json::array();
      AppendManifests("add", added, &manifests["list"]);
      AppendManifests("remove", removed, &manifests["list"]);
    }
    const std::vector<LiveFile> old_files = LiveFiles(from_, removed);
    const std::vector<LiveFile> new_files = LiveFiles(to_, added);
    (*diff)["manifests"] = std::move(manifests);
    AppendFiles(old_files, new_files, diff);
  }

 private:
  static std::vector<ManifestFile> Without(const std::vector<ManifestFile>& files,
                                           const std::vector<ManifestFile>& others) {
    std::set<std::string_view> paths;
    for (const ManifestFile& file : others) paths.insert(file.manifest_path);
    std::vector<ManifestFile> left;
    for (const ManifestFile& file : files) {
      if (!paths.contains(file.manifest_path)) left.push_back(file);
    }
    return left;
  }

  static ordered_json ManifestSums(const std::vector<ManifestFile>& manifests) {
    int64_t bytes = 0;
    for (const ManifestFile& file : manifests) bytes += file.manifest_length;
    return {{"files", manifests.size()}, {"bytes", bytes}};
  }

  static void AppendManifests(const char* change, const std::vector<ManifestFile>& manifests,
                              ordered_json* list) {
    for (const ManifestFile& file : manifests) {
      list->push_back({{"change", change},
                       {"content", file.is_delete_manifest() ? "deletes" : "data"},
                       {"path", file.manifest_path},
                       {"length", file.manifest_length},
                       {"partition_spec_id", file.partition_spec_id},
                       {"live_files", OrNull(file.live_files())}});
    }
  }

  std::vector<LiveFile> LiveFiles(const DiffSide& side,
                                  const std::vector<ManifestFile>& manifests) const {
    std::vector<LiveFile> files;
    for (const ManifestFile& manifest : manifests) {
      for (auto& entry : ReadManifest(*side.table, manifest, options_.cache).live_entries()) {
        files.push_back({std::move(entry.data_file), side.table});
      }
    }
    std::sort(files.begin(), files.end(), Precedes);
    return files;
  }

  void AppendFiles(const std::vector<LiveFile>& old_files, const std::vector<LiveFile>& new_files,
                   ordered_json* diff) const {
    std::vector<LiveFile> removed, added;
    std::set_difference(old_files.begin(), old_files.end(), new_files.begin(), new_files.end(),
                        std::back_inserter(removed), Precedes);
    std::set_difference(new_files.begin(), new_files.end(), old_files.begin(), old_files.end(),
                        std::back_inserter(added), Precedes);
    const auto sums_removed = SumsOf(removed), sums_added = SumsOf(added);
    ordered_json files = ordered_json::object();
    for (size_t kind = 0; kind < kKinds.size(); ++kind) {
      files[kKinds[kind]] = {{"added", SumsJson(sums_added[kind])},
                             {"removed", SumsJson(sums_removed[kind])}};
    }
    if (!options_.summary) {
      files["list"] = ordered_json::array();
      AppendList("add", added, &files["list"]);
      AppendList("remove", removed, &files["list"]);
    }
    (*diff)["files"] = std::move(files);
  }

  static std::array<Sums, kKinds.size()> SumsOf(const std::vector<LiveFile>& files) {
    std::array<Sums, kKinds.size()> sums;
    for (const LiveFile& live : files) {
      Sums& kind = sums[KindOf(live.file)];
      ++kind.files;
      kind.records += live.file.record_count;
      kind.bytes += BytesOf(live.file);
    }
    return sums;
  }

  static void AppendList(const char* change, const std::vector<LiveFile>& files,
                         ordered_json* list) {
    for (const LiveFile& live : files) {
      list->push_back({{"change", change},
                       {"kind", kKinds[KindOf(live.file)]},
                       {"path", live.file.file_path},
                       {"content_offset", OrNull(live.file.content_offset)},
                       {"partition", PartitionJson(live)},
                       {"records", live.file.record_count},
                       {"bytes", BytesOf(live.file)}});
    }
  }

  const DiffSide& from_;
  const DiffSide& to_;
  const DiffOptions& options_;
  std::vector<ManifestFile> old_, new_;
};

const iceberg::TableMetadata& DefinitionsOf(const DiffSide& side) {
  return side.definitions ? *side.definitions : *side.table->metadata;
}

/// A snapshot with what the metadata said when it was committed.
DiffSide SideOf(const iceberg::Table& table, const iceberg::ChosenSnapshot& snapshot) {
  DiffSide side{.table = &table, .snapshot = snapshot};
  const iceberg::Snapshot* current = table.metadata->current_snapshot();
  const bool is_current =
      snapshot.snapshot && current && snapshot.snapshot->snapshot_id == current->snapshot_id;
  if (!snapshot.snapshot || is_current) return side;
  CommitMetadata commit = MetadataOfCommit(table, *snapshot.snapshot);
  side.definitions = std::move(commit.metadata);
  side.metadata_file = std::move(commit.location);
  side.unknown = std::move(commit.unknown);
  return side;
}

/// Nothing is different from what is not known.
void Share(const DiffSide& known, DiffSide* unknown) {
  unknown->definitions = known.definitions;
  unknown->metadata_file = known.metadata_file;
}

}  // namespace

std::pair<DiffSide, DiffSide> DiffSidesOf(const iceberg::Table& table,
                                          const iceberg::ChosenSnapshot& from,
                                          const iceberg::ChosenSnapshot& to) {
  DiffSide new_side = SideOf(table, to);
  DiffSide old_side = SideOf(table, from);
  if (!new_side.unknown.empty()) Share(old_side, &new_side);
  // There is nothing to hold the metadata against before the first snapshot.
  if (!old_side.unknown.empty() || !from.snapshot) Share(new_side, &old_side);
  return {std::move(old_side), std::move(new_side)};
}

ordered_json TableDiff(const DiffSide& from, const DiffSide& to, const DiffOptions& options) {
  ordered_json diff = {{"from", SideJson(from)}, {"to", SideJson(to)}};
  diff["schema"] = SchemaChanges(from.snapshot.schema, to.snapshot.schema);
  diff["identifier_fields"] = IdentifierChange(from.snapshot.schema, to.snapshot.schema);
  AppendMetadataChanges(DefinitionsOf(from), DefinitionsOf(to), &diff);
  const std::string& unknown = from.unknown.empty() ? to.unknown : from.unknown;
  diff["definitions_unknown"] = unknown.empty() ? ordered_json() : ordered_json(unknown);
  diff["manifests"] = nullptr;
  diff["files"] = nullptr;
  diff["unknown"] = nullptr;
  try {
    SnapshotDiff(from, to, options).Append(&diff);
  } catch (const Error& error) {
    // What an old metadata file names may have expired since; its definitions are still there.
    if (from.table == to.table) throw;
    diff["unknown"] = error.message();
  }
  return diff;
}

}  // namespace nunatak
