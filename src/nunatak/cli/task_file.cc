#include "nunatak/cli/task_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <functional>
#include <memory>
#include <system_error>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/cli/output.h"
#include "nunatak/iceberg/past_schemas.h"
#include "nunatak/plan/file_scan_task_json.h"
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

/// Has `write` write to the named file.
void WriteTo(const std::string& name, const std::function<void(std::FILE*)>& write) {
  if (name == "-") return write(stdout);
  OwnedFile file(std::fopen(name.c_str(), "wb"));
  if (!file) ThrowSystem(name);
  write(file.get());
  if (std::fclose(file.release()) != 0) ThrowSystem(name);
}

TaskFile ReadTaskJson(std::string_view text) {
  const JsonDocument document = JsonDocument::Parse(text);
  TaskFile file{TaskSetHeaderFromJson(document.root()), {}};
  file.tasks = TasksFromJson(document.root(), file.header.definitions);
  return file;
}

TaskFile ReadTaskBytes(ByteSpan bytes) {
  TaskSetReader reader(bytes);
  TaskFile file{reader.header(), {}};
  while (std::optional<FileScanTask> task = reader.Next()) file.tasks.push_back(std::move(*task));
  return file;
}

}  // namespace

TaskSetHeader HeaderOf(const OpenedScan& scan, const std::vector<FileScanTask>& tasks) {
  const SnapshotSource& source = *scan.input.source;
  const ReadRequest& request = scan.input.request;
  TaskSetHeader header{.table_uuid = TableUuid(scan.opened),
                       .snapshot_id = source.snapshot_id(),
                       .definitions = TaskDefinitions::Of(source, request.schema),
                       .projection = source.schema(),
                       .ignore_file_ids = request.ignore_file_ids,
                       .with_deleted = request.with_deleted};
  if (request.name_mapping) header.name_mapping = request.name_mapping->ToJson();
  if (const auto* opened = std::get_if<IcebergTable>(&scan.opened.table)) {
    header.past_schemas = iceberg::PastSchemas(*opened->table.metadata, request.schema, tasks);
  }
  return header;
}

void WriteTaskFile(const std::string& name, const TaskSetHeader& header,
                   const std::vector<FileScanTask>& tasks) {
  WriteTo(name, [&](std::FILE* file) {
    std::string pending;
    TaskSetWriter writer(header, [&](std::string_view bytes) {
      pending += bytes;
      if (pending.size() < kWriteBytes) return;
      WriteAll(file, pending);
      pending.clear();
    });
    for (const FileScanTask& task : tasks) writer.Add(task);
    writer.Finish();
    WriteAll(file, pending);
  });
}

void WriteTaskFile(const std::string& name, const nlohmann::ordered_json& tasks) {
  WriteTo(name, [&](std::FILE* file) { WriteAll(file, ToText(tasks, 2) + "\n"); });
}

TaskFile ReadTaskFile(const std::string& name, const OpenedTable& table) {
  const Buffer bytes = MakeLocalFileIO()->ReadAll(name);
  return WithContext(name, [&] {
    const bool json = AsText(bytes.bytes).starts_with('{');
    TaskFile file = json ? ReadTaskJson(AsText(bytes.bytes)) : ReadTaskBytes(bytes.bytes);
    if (file.header.table_uuid != TableUuid(table)) {
      ThrowUsage(fmt::format("the tasks are of another table, of the UUID {}",
                             file.header.table_uuid.value_or("(none)")));
    }
    return file;
  });
}

}  // namespace nunatak::cli
