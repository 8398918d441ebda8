// A set of scan tasks in binary form, its checksums not looked at. What is accepted can be shown as
// JSON, and written and read again it is the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/plan/file_scan_task_json.h"
#include "nunatak/plan/task_binary.h"

namespace nunatak {
namespace {

bool SameDeletes(const FileScanTask& a, const FileScanTask& b) {
  if (a.deletes.size() != b.deletes.size()) return false;
  for (size_t i = 0; i < a.deletes.size(); ++i) {
    const DeleteFile& x = *a.deletes[i];
    const DeleteFile& y = *b.deletes[i];
    if (!(x.file == y.file) || x.data_sequence_number != y.data_sequence_number) return false;
  }
  return true;
}

bool Same(const FileScanTask& a, const FileScanTask& b) {
  return *a.data_file == *b.data_file && a.data_sequence_number == b.data_sequence_number &&
         *a.spec == *b.spec && *a.residual == *b.residual && a.start == b.start &&
         a.length == b.length && SameDeletes(a, b);
}

void Read(ByteSpan bytes) {
  TaskSetReader reader(bytes, {.verify_checksums = false});
  std::vector<FileScanTask> tasks;
  DeleteReferences references;
  while (std::optional<FileScanTask> task = reader.Next()) {
    if (task->start < 0 || task->length < 0) std::abort();
    TaskToJson(*task, reader.header().definitions, &references);
    tasks.push_back(std::move(*task));
  }
  const std::string written = TasksToBinary(reader.header(), tasks);
  const std::vector<FileScanTask> again = TasksFromBinary(AsBytes(written));
  if (again.size() != tasks.size()) std::abort();
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (!Same(tasks[i], again[i])) std::abort();
  }
}

}  // namespace
}  // namespace nunatak

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    nunatak::Read(nunatak::ByteSpan(data, size));
  } catch (const nunatak::Error&) {
  }
  return 0;
}
