#include "nunatak/read/next_task.h"

#include <memory>
#include <utility>

namespace nunatak {

NextTask TasksInOrder(std::vector<FileScanTask> tasks) {
  // Copyable, as functions must be.
  const auto shared = std::make_shared<std::vector<FileScanTask>>(std::move(tasks));
  return [shared, next = size_t{0}]() mutable -> std::optional<FileScanTask> {
    if (next == shared->size()) return std::nullopt;
    return std::move((*shared)[next++]);
  };
}

}  // namespace nunatak
