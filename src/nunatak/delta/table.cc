#include "nunatak/delta/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/io/location.h"

namespace nunatak::delta {

namespace {

[[noreturn]] void ThrowNoTable(std::string_view location, std::string_view why) {
  throw Error(ErrorCode::kNotFound, fmt::format("no Delta table at {}: {}", location, why),
              "give the table's directory, which holds _delta_log/");
}

std::vector<FileInfo> ListLog(FileIO& io, const std::string& location) {
  try {
    return io.List(JoinLocation(location, kLogFolder));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotFound) throw;
    ThrowNoTable(location, "the directory has no _delta_log directory");
  }
}

}  // namespace

std::string Table::log_location() const { return JoinLocation(location, kLogFolder); }

bool HasLog(std::span<const FileInfo> directory) {
  return std::any_of(directory.begin(), directory.end(), [](const FileInfo& file) {
    const std::string_view name = file.location;
    return file.is_directory && name.substr(name.rfind('/') + 1) == kLogFolder;
  });
}

Table OpenTable(std::shared_ptr<FileIO> io, std::string_view location) {
  Table table{.io = std::move(io), .location = CanonicalLocation(location), .log = nullptr};
  while (table.location.size() > 1 && table.location.ends_with('/')) table.location.pop_back();
  table.log = std::make_shared<const LogListing>(ListLog(*table.io, table.location));
  if (table.log->empty()) ThrowNoTable(table.location, "its _delta_log holds no version");
  return table;
}

}  // namespace nunatak::delta
