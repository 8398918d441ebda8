#include "nunatak/delta/change_plan.h"

#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/delta/action_lines.h"
#include "nunatak/delta/add_batch.h"
#include "nunatak/delta/commit_texts.h"

namespace nunatak::delta {

namespace {

bool IsFileAction(std::string_view name) {
  return name == "add" || name == "remove" || name == "cdc";
}

/// The file actions of a commit that changed data, by kind.
struct ChangedFiles {
  explicit ChangedFiles(size_t partition_columns)
      : added(partition_columns), removed(partition_columns), written(partition_columns) {}

  AddFiles added;
  AddFiles removed;
  AddFiles written;
};

/// Tasks that read files whole.
std::vector<FileScanTask> TasksOf(const Table& table, const Snapshot& last, AddFiles files) {
  FileStatistics statistics({});
  StatisticsReader reader(statistics.columns());
  for (size_t i = 0; i < files.size(); ++i) {
    statistics.BeginFile(files.VectorOf(i) != nullptr);
    if (files.stats[i].data() != nullptr) reader.Read(files.stats[i], &statistics);
    statistics.EndFile();
  }
  statistics.Finish();
  const AddBatch batch(table.location, last.table_schema,
                       std::make_shared<const AddFiles>(std::move(files)), std::move(statistics),
                       {.column_metrics = false});
  std::vector<uint32_t> all(batch.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<DataFile> data_files;
  batch.AppendFiles(all, /*column_metrics=*/false, &data_files);
  const auto spec = std::make_shared<const PartitionSpec>(last.table_schema.spec);
  const auto no_filter = std::make_shared<const BoundFilter>();
  std::vector<FileScanTask> tasks(all.size());
  for (size_t i = 0; i < tasks.size(); ++i) {
    FileScanTask& task = tasks[i];
    task.data_sequence_number = batch.data_sequence_numbers[i];
    task.spec = spec;
    task.residual = no_filter;
    if (auto own = batch.OwnDeletes(i)) task.deletes.push_back(std::move(own));
    task.length = data_files[i].file_size_in_bytes;
    task.data_file = std::make_shared<const DataFile>(std::move(data_files[i]));
  }
  return tasks;
}

/// Removed and added files side by side where they are the same file with other deletes.
std::vector<iceberg::FileChange> PairByPath(std::vector<FileScanTask> removed,
                                            std::vector<FileScanTask> added) {
  std::vector<iceberg::FileChange> changes;
  std::map<std::string, size_t> by_path;
  for (FileScanTask& task : removed) {
    by_path[task.data_file->file_path] = changes.size();
    changes.push_back({.before = std::move(task), .after = std::nullopt});
  }
  for (FileScanTask& task : added) {
    const auto before = by_path.find(task.data_file->file_path);
    if (before == by_path.end()) {
      changes.push_back({.before = std::nullopt, .after = std::move(task)});
    } else {
      changes[before->second].after = std::move(task);
    }
  }
  return changes;
}

}  // namespace

VersionChanges PlanChanges(const Table& table, const Snapshot& last, int64_t version) {
  const std::string& location = table.log->FindCommit(version)->info.location;
  const Buffer text = ReadLogFile(*table.io, location);
  const std::vector<std::string> columns = PartitionColumnsOf(last.table_schema);
  return WithContext(location, [&] {
    ChangedFiles files(columns.size());
    ForEachAction(AsText(text.bytes), LineOrder::kForward, IsFileAction,
                  [&](std::string_view name, Json value) {
                    const JsonObject action = value.Object();
                    const FileAction file = FileActionFromJson(action);
                    if (name == "cdc") return AppendAdd(action, file, columns, &files.written);
                    // Otherwise rows were only moved to other files.
                    if (!action.FindBool("dataChange").value_or(true)) return;
                    const bool removed = name == "remove";
                    AppendAdd(action, file, columns, removed ? &files.removed : &files.added,
                              removed);
                  });
    VersionChanges changes;
    if (files.written.size() > 0) {
      changes.written = TasksOf(table, last, std::move(files.written));
    } else {
      changes.files = PairByPath(TasksOf(table, last, std::move(files.removed)),
                                 TasksOf(table, last, std::move(files.added)));
    }
    return changes;
  });
}

}  // namespace nunatak::delta
