#include "nunatak/plan/file_scan_task_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/expr/expr.h"
#include "nunatak/plan/content_file_json.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

using DeleteFiles = std::vector<std::shared_ptr<const DeleteFile>>;

std::shared_ptr<const DeleteFile> DeleteFileFromJson(Json json,
                                                     const TaskDefinitions& definitions) {
  auto file = std::make_shared<DeleteFile>();
  file->file = ContentFileFromJson(json, definitions);
  file->data_sequence_number = json.Object().FindInt64("data-sequence-number").value_or(0);
  return file;
}

/// Without `start`, the file from its beginning; without `length`, to its end.
void ReadRange(const JsonObject& object, int64_t file_size, FileScanTask* task) {
  const auto not_negative = [&](std::string_view key, int64_t otherwise) {
    const int64_t value = object.FindInt64(key).value_or(otherwise);
    if (value < 0) ThrowInvalid(fmt::format("{} is {}, below 0", key, value));
    return value;
  };
  task->start = not_negative("start", 0);
  task->length = not_negative("length", std::max<int64_t>(file_size - task->start, 0));
  if (task->length > std::numeric_limits<int64_t>::max() - task->start) {
    ThrowInvalid(fmt::format("length is {}, which is too long", task->length));
  }
}

FileScanTask TaskFromJson(Json json, const DeleteFiles& deletes,
                          const TaskDefinitions& definitions) {
  const JsonObject object = json.Object();
  FileScanTask task;
  auto file = std::make_shared<DataFile>(WithContext(
      "data-file", [&] { return ContentFileFromJson(object.At("data-file"), definitions); }));
  task.spec = definitions.spec(file->partition_spec_id);
  object.ForEachIn("delete-file-references", [&](Json reference) {
    const int64_t index = reference.Int64();
    if (index < 0 || index >= static_cast<int64_t>(deletes.size())) {
      ThrowInvalid(fmt::format("there is no delete file {}", index));
    }
    task.deletes.push_back(deletes[static_cast<size_t>(index)]);
  });
  if (const std::optional<Json> residual = object.Find("residual-filter")) {
    task.residual = WithContext("residual-filter",
                                [&] { return ResidualFromJson(*residual, definitions.schema()); });
  } else {
    task.residual = std::make_shared<const BoundFilter>();
  }
  ReadRange(object, file->file_size_in_bytes, &task);
  task.data_sequence_number = object.FindInt64("data-sequence-number").value_or(0);
  task.data_file = std::move(file);
  return task;
}

}  // namespace

size_t DeleteReferences::IndexOf(const std::shared_ptr<const DeleteFile>& file) {
  const auto [at, is_new] = positions_.try_emplace(file.get(), files_.size());
  if (is_new) files_.push_back(file);
  return at->second;
}

std::shared_ptr<const BoundFilter> ResidualFromJson(Json json, const Schema& schema) {
  try {
    return std::make_shared<const BoundFilter>(Bind(ParseFilterJson(json.ToText()), schema));
  } catch (const Error& error) {
    // Here it is no caller who said something wrong.
    if (error.code() != ErrorCode::kUsage) throw;
    ThrowInvalid(error.message(), error.hint());
  }
}

ordered_json DeleteFileToJson(const DeleteFile& file, const TaskDefinitions& definitions) {
  ordered_json out = ContentFileToJson(file.file, definitions);
  out["data-sequence-number"] = file.data_sequence_number;
  return out;
}

ordered_json TaskToJson(const FileScanTask& task, const TaskDefinitions& definitions,
                        DeleteReferences* references) {
  ordered_json out;
  out["data-file"] = ContentFileToJson(*task.data_file, definitions);
  ordered_json deletes = ordered_json::array();
  for (const std::shared_ptr<const DeleteFile>& file : task.deletes) {
    deletes.push_back(references->IndexOf(file));
  }
  out["delete-file-references"] = std::move(deletes);
  out["residual-filter"] = FilterToJson(*task.residual);
  out["start"] = task.start;
  out["length"] = task.length;
  out["data-sequence-number"] = task.data_sequence_number;
  return out;
}

ordered_json PlanSummaryToJson(const PlanCounts& counts, const SnapshotSource& source) {
  ordered_json out;
  const std::optional<int64_t> snapshot_id = source.snapshot_id();
  out["snapshot-id"] = snapshot_id ? ordered_json(*snapshot_id) : ordered_json(nullptr);
  out["files"] = counts.planned_files;
  out["records"] = counts.planned_records;
  out["bytes"] = counts.planned_bytes;
  out["manifests"] = {{"total", counts.data_groups + counts.delete_groups},
                      {"read", counts.data_groups_read + counts.delete_groups_read}};
  return out;
}

ordered_json PlanToJson(const TableScan::Result& plan, const SnapshotSource& source) {
  const TaskDefinitions definitions = TaskDefinitions::Of(source);
  DeleteReferences references;
  ordered_json tasks = ordered_json::array();
  for (const FileScanTask& task : plan.tasks) {
    tasks.push_back(TaskToJson(task, definitions, &references));
  }
  ordered_json delete_files = ordered_json::array();
  for (const std::shared_ptr<const DeleteFile>& file : references.files()) {
    delete_files.push_back(DeleteFileToJson(*file, definitions));
  }
  ordered_json out = PlanSummaryToJson(plan.counts, source);
  out["delete-files"] = std::move(delete_files);
  out["tasks"] = std::move(tasks);
  return out;
}

std::vector<FileScanTask> TasksFromJson(Json plan, const TaskDefinitions& definitions) {
  const JsonObject object = plan.Object();
  DeleteFiles deletes;
  object.ForEachIn("delete-files",
                   [&](Json file) { deletes.push_back(DeleteFileFromJson(file, definitions)); });
  std::vector<FileScanTask> tasks;
  object.ForEachIn("tasks",
                   [&](Json task) { tasks.push_back(TaskFromJson(task, deletes, definitions)); });
  return tasks;
}

}  // namespace nunatak
