#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <unordered_map>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/base/json.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/plan/table_scan.h"
#include "nunatak/plan/task_definitions.h"

namespace nunatak {

/// The delete files that a set of tasks refers to, each once, in the order of first reference.
class NUNATAK_EXPORT DeleteReferences {
 public:
  /// The position of a file in `files()`; appends it when it is new.
  size_t IndexOf(const std::shared_ptr<const DeleteFile>& file);
  const std::vector<std::shared_ptr<const DeleteFile>>& files() const { return files_; }

 private:
  std::vector<std::shared_ptr<const DeleteFile>> files_;
  std::unordered_map<const DeleteFile*, size_t> positions_;
};

/// A ContentFile with its `data-sequence-number`.
NUNATAK_EXPORT nlohmann::ordered_json DeleteFileToJson(const DeleteFile& file,
                                                       const TaskDefinitions& definitions);

/// A residual as JSON, bound to the schema again. Throws `ErrorCode::kInvalid` when it does not
/// fit.
NUNATAK_EXPORT std::shared_ptr<const BoundFilter> ResidualFromJson(Json json, const Schema& schema);

/// The REST specification's FileScanTask with our additions (docs/plan-json.md); deletes are
/// indices into `references`.
NUNATAK_EXPORT nlohmann::ordered_json TaskToJson(const FileScanTask& task,
                                                 const TaskDefinitions& definitions,
                                                 DeleteReferences* references);

/// The object of a plan without its tasks and delete files.
NUNATAK_EXPORT nlohmann::ordered_json PlanSummaryToJson(const PlanCounts& counts,
                                                        const SnapshotSource& source);

/// A whole plan as one object (docs/plan-json.md).
NUNATAK_EXPORT nlohmann::ordered_json PlanToJson(const TableScan::Result& plan,
                                                 const SnapshotSource& source);

/// The tasks of a plan's JSON (`tasks` and the `delete-files` that they refer to; the rest is not
/// looked at). Throws `ErrorCode::kInvalid` with the path inside the JSON.
NUNATAK_EXPORT std::vector<FileScanTask> TasksFromJson(Json plan,
                                                       const TaskDefinitions& definitions);

}  // namespace nunatak
