#include "nunatak/iceberg/change_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "iceberg/corpus.h"
#include "iceberg/errors.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/plan/table_scan.h"

namespace nunatak::iceberg {
namespace {

/// 1 (expired) ← 2 append ← 3 replace ← 4 overwrite ← 5 of an unknown operation.
TableMetadata Metadata() {
  TableMetadata metadata;
  const auto add = [&](int64_t id, std::optional<std::string> operation) {
    Snapshot snapshot;
    snapshot.snapshot_id = id;
    snapshot.parent_snapshot_id = id - 1;
    snapshot.operation = std::move(operation);
    metadata.snapshots.Add(std::move(snapshot));
  };
  add(2, "append");
  add(3, "replace");
  add(4, "overwrite");
  add(5, std::nullopt);
  return metadata;
}

TEST(ChangedSnapshots, AreNumberedFromTheBeginningOfTheRangeWithoutReplacements) {
  const TableMetadata metadata = Metadata();
  std::vector<std::tuple<int64_t, int64_t, int32_t>> found;
  for (const ChangedSnapshot& changed : ChangedSnapshots(metadata, {2, 5})) {
    found.emplace_back(changed.snapshot->snapshot_id, changed.parent->snapshot_id, changed.ordinal);
  }
  EXPECT_EQ(found, (std::vector<std::tuple<int64_t, int64_t, int32_t>>{{4, 3, 0}, {5, 4, 1}}));
  EXPECT_TRUE(ChangedSnapshots(metadata, {4, 4}).empty());
}

TEST(ChangedSnapshots, AnExpiredBeginningIsAnError) {
  const TableMetadata metadata = Metadata();
  EXPECT_NE(ErrorOf(ErrorCode::kNotFound, [&] { ChangedSnapshots(metadata, {1, 4}); })
                .find("snapshot 1, after which the changes begin, has expired"),
            std::string::npos);
  EXPECT_NE(ErrorOf(ErrorCode::kNotFound, [&] { ChangedSnapshots(metadata, {std::nullopt, 4}); })
                .find("does not reach back to its beginning: snapshot 1 has expired"),
            std::string::npos);
  EXPECT_THROW(ChangedSnapshots(metadata, {7, 4}), Error);
}

using Files = std::map<std::string, std::vector<std::string>>;

/// The data files of a snapshot, each with its deletes.
Files FilesOf(const Table& table, const Snapshot* snapshot, const Schema& schema) {
  Files files;
  const TableScan scan(MakeSnapshotSource(table, {snapshot, schema}), BoundFilter());
  for (const FileScanTask& task : scan.PlanFiles({}).tasks) {
    std::vector<std::string>& deletes = files[task.data_file->file_path];
    for (const auto& file : task.deletes) {
      deletes.push_back(file->file.file_path +
                        std::to_string(file->file.content_offset.value_or(0)));
    }
  }
  return files;
}

std::vector<std::string> NamesOf(const FileScanTask& task) {
  std::vector<std::string> names;
  for (const auto& file : task.deletes) {
    names.push_back(file->file.file_path + std::to_string(file->file.content_offset.value_or(0)));
  }
  return names;
}

/// Puts each file on its sides; fails when a file comes twice.
std::pair<Files, Files> SidesOf(const std::vector<FileChange>& changes) {
  std::pair<Files, Files> sides;
  for (const FileChange& change : changes) {
    if (change.before) {
      EXPECT_TRUE(
          sides.first.emplace(change.before->data_file->file_path, NamesOf(*change.before)).second);
    }
    if (change.after) {
      EXPECT_TRUE(
          sides.second.emplace(change.after->data_file->file_path, NamesOf(*change.after)).second);
    }
    EXPECT_TRUE(change.before || change.after);
  }
  return sides;
}

/// Files that are the same on both sides are no changes.
std::pair<Files, Files> Differing(Files before, Files after) {
  for (auto file = before.begin(); file != before.end();) {
    const auto same = after.find(file->first);
    if (same == after.end() || same->second != file->second) {
      ++file;
      continue;
    }
    after.erase(same);
    file = before.erase(file);
  }
  return {std::move(before), std::move(after)};
}

TEST(PlanFileChanges, HasTheFilesThatAreNotTheSameWithTheSameDeletesOnBothSides) {
  int compared = 0;
  for (const std::filesystem::path& directory : TablesAtHand()) {
    const Table table = OpenTable(MakeLocalFileIO(), directory.string(), {.moved = true});
    const Schema& schema = table.metadata->current_schema();
    const auto cache = std::make_shared<ManifestCache>();
    for (size_t i = 0; i < table.metadata->snapshots.size(); ++i) {
      const Snapshot* snapshot = table.metadata->FindSnapshot(table.metadata->snapshots.id(i));
      const std::optional<int64_t> parent_id = snapshot->parent_snapshot_id;
      const Snapshot* parent = parent_id ? table.metadata->FindSnapshot(*parent_id) : nullptr;
      if (parent_id && !parent) continue;
      SCOPED_TRACE(directory.string() + " " + std::to_string(snapshot->snapshot_id));
      const auto expected =
          Differing(FilesOf(table, parent, schema), FilesOf(table, snapshot, schema));
      const ChangeScan scan{.schema = schema, .filter = {}};
      EXPECT_EQ(SidesOf(PlanFileChanges(table, {}, {snapshot, parent, 0}, scan, nullptr)),
                expected);
      EXPECT_EQ(SidesOf(PlanFileChanges(table, {}, {snapshot, parent, 0}, scan, cache)), expected);
      ++compared;
    }
  }
  EXPECT_GE(compared, CorpusDirectory().empty() ? 50 : 300);
}

}  // namespace
}  // namespace nunatak::iceberg
