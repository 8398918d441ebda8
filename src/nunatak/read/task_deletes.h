#pragma once

#include <memory>
#include <vector>

#include "nunatak/iceberg/position_set.h"
#include "nunatak/read/equality_key_table.h"
#include "nunatak/read/key_scope.h"

namespace nunatak {

/// The equality deletes of one scope that a task has.
struct KeyDeletes {
  std::shared_ptr<const KeyScope> scope;
  /// Those of the scope's files that are the task's; their keys are in its table.
  DeleteFileSet files;
};

/// What the deletes of one task remove from its file.
struct TaskDeletes {
  /// Null for none.
  std::shared_ptr<const iceberg::PositionSet> positions = nullptr;
  std::vector<KeyDeletes> keys = {};

  bool empty() const { return positions == nullptr && keys.empty(); }
};

}  // namespace nunatak
