#include "nunatak/cli/task_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/cli/output.h"
#include "nunatak/plan/task_binary.h"
#include "nunatak/read/name_mapping.h"

namespace nunatak::cli {

namespace {

constexpr size_t kWriteBytes = size_t{64} << 10;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OwnedFile = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void ThrowSystem(const std::string& name) {
  throw Error(ErrorCode::kIo, fmt::format("{}: {}", name, std::system_category().message(errno)));
}

TaskSetHeader HeaderOf(const iceberg::Table& table, const SnapshotSource& source) {
  TaskSetHeader header{.table_uuid = table.metadata->table_uuid,
                       .snapshot_id = source.snapshot_id(),
                       .definitions = TaskDefinitions::Of(source),
                       .projection = source.schema(),
                       .name_mapping = {}};
  if (const auto mapping = table.metadata->FindProperty(kNameMappingProperty)) {
    header.name_mapping = std::string(*mapping);
  }
  return header;
}

}  // namespace

void WriteTaskFile(const std::string& name, const iceberg::Table& table,
                   const SnapshotSource& source, const std::vector<FileScanTask>& tasks) {
  OwnedFile owned(name == "-" ? nullptr : std::fopen(name.c_str(), "wb"));
  if (name != "-" && !owned) ThrowSystem(name);
  std::FILE* file = owned ? owned.get() : stdout;
  std::string pending;
  TaskSetWriter writer(HeaderOf(table, source), [&](std::string_view bytes) {
    pending += bytes;
    if (pending.size() < kWriteBytes) return;
    WriteAll(file, pending);
    pending.clear();
  });
  for (const FileScanTask& task : tasks) writer.Add(task);
  writer.Finish();
  WriteAll(file, pending);
  if (owned && std::fclose(owned.release()) != 0) ThrowSystem(name);
}

TaskFile ReadTaskFile(const std::string& name, const iceberg::Table& table) {
  const Buffer bytes = MakeLocalFileIO()->ReadAll(name);
  return WithContext(name, [&] {
    TaskSetReader reader(bytes.bytes);
    TaskFile file{reader.header(), {}};
    if (file.header.table_uuid != table.metadata->table_uuid) {
      ThrowUsage(fmt::format("the tasks are of another table, of the UUID {}",
                             file.header.table_uuid.value_or("(none)")));
    }
    while (std::optional<FileScanTask> task = reader.Next()) file.tasks.push_back(std::move(*task));
    return file;
  });
}

}  // namespace nunatak::cli
