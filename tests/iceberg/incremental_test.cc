#include "nunatak/iceberg/incremental.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "iceberg/corpus.h"
#include "iceberg/errors.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/io/file_io.h"
#include "nunatak/plan/table_scan.h"

namespace nunatak::iceberg {
namespace {

/// Snapshots 2 → 3 → 4, of which 2's parent 1 has expired, and 5, a branch from 3.
std::vector<Snapshot> FourSnapshots() {
  std::vector<Snapshot> snapshots;
  const auto add = [&](int64_t id, int64_t parent, const char* operation) {
    Snapshot& snapshot = snapshots.emplace_back();
    snapshot.snapshot_id = id;
    snapshot.parent_snapshot_id = parent;
    snapshot.operation = operation;
  };
  add(2, 1, "append");
  add(3, 2, "overwrite");
  add(4, 3, "append");
  add(5, 3, "append");
  return snapshots;
}

TableMetadata Metadata(const std::vector<Snapshot>& snapshots = FourSnapshots()) {
  TableMetadata metadata;
  for (const Snapshot& snapshot : snapshots) metadata.snapshots.Add(snapshot);
  return metadata;
}

std::vector<int64_t> Ids(const TableMetadata& metadata, std::optional<int64_t> from, int64_t to) {
  std::vector<int64_t> ids;
  for (const Snapshot* snapshot : SnapshotsIn(metadata, {from, to})) {
    ids.push_back(snapshot->snapshot_id);
  }
  return ids;
}

struct RangeCase {
  std::optional<int64_t> from;
  int64_t to;
  std::vector<int64_t> snapshots;
};

TEST(SnapshotsIn, FromExclusiveToInclusiveAlongTheAncestry) {
  const RangeCase cases[] = {
      {std::nullopt, 4, {2, 3, 4}},
      {1, 4, {2, 3, 4}},  // The parent of an ancestor counts, even when it has expired.
      {2, 4, {3, 4}},
      {3, 4, {4}},
      {4, 4, {}},
      {3, 5, {5}},
      {std::nullopt, 2, {2}},
  };
  const TableMetadata metadata = Metadata();
  for (const RangeCase& c : cases) {
    EXPECT_EQ(Ids(metadata, c.from, c.to), c.snapshots) << c.from.value_or(0) << " to " << c.to;
  }
}

TEST(SnapshotsIn, EndsThatDoNotFitAreErrors) {
  const TableMetadata metadata = Metadata();
  const auto range = [&](int64_t from, int64_t to) {
    return [&metadata, from, to] { SnapshotsIn(metadata, {from, to}); };
  };
  EXPECT_NE(ErrorOf(ErrorCode::kNotFound, range(2, 9)).find("no snapshot 9"), std::string::npos);
  EXPECT_NE(ErrorOf(ErrorCode::kNotFound, range(1, 1)).find("no snapshot 1"), std::string::npos);
  EXPECT_NE(ErrorOf(ErrorCode::kNotFound, range(9, 4)).find("no snapshot 9"), std::string::npos);
  EXPECT_NE(ErrorOf(ErrorCode::kNotFound, range(0, 4)).find("no snapshot 0"), std::string::npos);
  const std::pair<int64_t, int64_t> unrelated[] = {{4, 3}, {4, 5}};
  for (const auto& [from, to] : unrelated) {
    EXPECT_NE(ErrorOf(ErrorCode::kUsage, range(from, to)).find("is no ancestor of snapshot"),
              std::string::npos);
  }
}

TEST(SnapshotsIn, ParentsInACircleEnd) {
  std::vector<Snapshot> snapshots = FourSnapshots();
  snapshots[0].parent_snapshot_id = 4;
  const TableMetadata metadata = Metadata(snapshots);
  EXPECT_EQ(Ids(metadata, std::nullopt, 4), (std::vector<int64_t>{2, 3, 4}));
  EXPECT_THROW(SnapshotsIn(metadata, {9, 4}), Error);
}

TEST(Incremental, ASnapshotWithoutOperationIsNoAppendAndNoOther) {
  std::vector<Snapshot> snapshots = FourSnapshots();
  snapshots[2].operation = std::nullopt;
  const Table table{.io = MakeLocalFileIO(),
                    .metadata = std::make_shared<const TableMetadata>(Metadata(snapshots))};
  EXPECT_NE(ErrorOf(ErrorCode::kInvalid, [&] { MakeAppendSource(table, {3, 4}, Schema()); })
                .find("snapshot 4"),
            std::string::npos);
}

Table OpenMoved(const std::filesystem::path& directory) {
  return OpenTable(MakeLocalFileIO(), directory.string(), {.moved = true});
}

/// Paths relative to the table, as the expectations have them.
std::string Relative(const Table& table, const DataFile& file) {
  return file.file_path.substr(table.metadata->location.size() + 1);
}

std::multiset<std::string> PlannedFiles(const Table& table, const SnapshotRange& range,
                                        std::shared_ptr<ManifestCache> cache) {
  const auto source = MakeAppendSource(table, range, table.metadata->current_schema(), cache);
  EXPECT_EQ(source->snapshot_id(), range.to_inclusive);
  const TableScan scan(source, BoundFilter());
  std::multiset<std::string> files;
  for (const FileScanTask& task : scan.PlanFiles({}).tasks) {
    files.insert(Relative(table, *task.data_file));
    EXPECT_TRUE(task.deletes.empty());
  }
  return files;
}

TEST(IncrementalCorpus, AppendedFilesAreThoseOfJava) {
  if (CorpusDirectory().empty()) GTEST_SKIP() << "no corpus";
  size_t compared = 0;
  for (const std::string& name : CorpusTables()) {
    const nlohmann::json expectation = Expectation(name);
    if (!expectation.contains("incremental_append")) continue;
    const Table table = OpenMoved(CorpusDirectory() / name);
    for (const auto& scan : expectation["incremental_append"]) {
      SnapshotRange range{.from_exclusive = {}, .to_inclusive = scan["to_inclusive"]};
      if (!scan["from_exclusive"].is_null()) range.from_exclusive = scan["from_exclusive"];
      const auto expected = scan["files"].get<std::multiset<std::string>>();
      const auto cache = std::make_shared<ManifestCache>();
      EXPECT_EQ(PlannedFiles(table, range, nullptr), expected) << name;
      EXPECT_EQ(PlannedFiles(table, range, cache), expected) << name;
      EXPECT_EQ(PlannedFiles(table, range, cache), expected) << name << ", warm";
      ++compared;
    }
  }
  EXPECT_GE(compared, 9u);
}

// Manifests that were merged hold what earlier snapshots added, as existing files.
TEST(Incremental, AppendsAreWhatTheChangesOfAppendSnapshotsAdded) {
  size_t carried_over = 0;
  for (const std::filesystem::path& directory : TablesAtHand()) {
    const Table table = OpenMoved(directory);
    if (!table.metadata->current_snapshot_id) continue;
    SCOPED_TRACE(directory.string());
    const SnapshotRange all{{}, *table.metadata->current_snapshot_id};
    std::multiset<std::string> expected;
    bool complete = true;
    for (const Snapshot* snapshot : SnapshotsIn(*table.metadata, all)) {
      complete = complete && snapshot->manifest_list && table.io->Exists(*snapshot->manifest_list);
      if (!complete || snapshot->operation != "append") continue;
      for (const ManifestEntry& entry : ReadFileChanges(table, {}, *snapshot).added_data_files) {
        expected.insert(Relative(table, entry.data_file));
      }
      for (const ManifestFile& file : ReadManifests(table, snapshot)) {
        carried_over += file.existing_files_count.value_or(0) > 0 ? 1 : 0;
      }
    }
    if (!complete) continue;
    EXPECT_EQ(PlannedFiles(table, all, nullptr), expected);
  }
  EXPECT_GT(carried_over, 0u);
}

/// A change of a data file: what, by which snapshot, which file.
using Change = std::tuple<std::string, int64_t, std::string>;

TEST(IncrementalCorpus, ChangesOfDataFilesAreTheChangelogTasksOfJava) {
  if (CorpusDirectory().empty()) GTEST_SKIP() << "no corpus";
  size_t compared = 0;
  for (const std::string& name : CorpusTables()) {
    const nlohmann::json expectation = Expectation(name);
    const nlohmann::json tasks = expectation.value("changelog_tasks", nlohmann::json());
    if (!tasks.is_array()) continue;
    const Table table = OpenMoved(CorpusDirectory() / name);
    std::multiset<Change> expected;
    for (const auto& task : tasks) {
      expected.emplace(task["op"].get<std::string>(), task["snapshot"].get<int64_t>(),
                       task["file"].get<std::string>());
    }
    std::multiset<Change> found;
    const SnapshotRange all{{}, *table.metadata->current_snapshot_id};
    for (const FileChanges& changes : ReadFileChanges(table, {}, all)) {
      // A changelog has no rows of a snapshot that only rewrote files.
      if (table.metadata->FindSnapshot(changes.snapshot_id)->operation == "replace") continue;
      for (const ManifestEntry& entry : changes.added_data_files) {
        found.emplace("INSERT", changes.snapshot_id, Relative(table, entry.data_file));
      }
      for (const ManifestEntry& entry : changes.removed_data_files) {
        found.emplace("DELETE", changes.snapshot_id, Relative(table, entry.data_file));
      }
    }
    EXPECT_EQ(found, expected) << name;
    ++compared;
  }
  EXPECT_GE(compared, 2u);
}

// A snapshot's summary counts what its writer added and removed.
TEST(Incremental, ChangesOfEverySnapshotAreThoseThatItsSummaryCounts) {
  size_t compared = 0;
  for (const std::filesystem::path& directory : TablesAtHand()) {
    const Table table = OpenMoved(directory);
    for (const Snapshot& snapshot : table.metadata->snapshots) {
      SCOPED_TRACE(directory.string() + " " + std::to_string(snapshot.snapshot_id));
      if (!snapshot.manifest_list || !table.io->Exists(*snapshot.manifest_list)) continue;
      const FileChanges changes = ReadFileChanges(table, {}, snapshot);
      const std::pair<const char*, size_t> counts[] = {
          {"added-data-files", changes.added_data_files.size()},
          {"deleted-data-files", changes.removed_data_files.size()},
          {"added-delete-files", changes.added_delete_files.size()},
          {"removed-delete-files", changes.removed_delete_files.size()}};
      for (const auto& [key, count] : counts) {
        const auto at = snapshot.summary.find(key);
        EXPECT_EQ(std::to_string(count), at == snapshot.summary.end() ? "0" : at->second) << key;
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 20u);
}

}  // namespace
}  // namespace nunatak::iceberg
