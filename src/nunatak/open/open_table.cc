#include "nunatak/open/open_table.h"

#include <fmt/format.h>

#include <utility>

#include "nunatak/base/error.h"

namespace nunatak {

namespace {

[[noreturn]] void ThrowNoSuchChoice(TableFormat format, std::string_view option,
                                    std::string_view hint) {
  ThrowUsage(fmt::format("{}: it has no meaning for a {}", option, NounOf(format)),
             std::string(hint));
}

IcebergTable OpenIcebergTable(std::shared_ptr<FileIO> io, const std::string& location,
                              const OpenOptions& options) {
  const VersionChoice& version = options.version;
  if (version.version) {
    ThrowNoSuchChoice(TableFormat::kIceberg, "--version",
                      "snapshots have ids: --snapshot ID, --ref NAME or --as-of TIME");
  }
  IcebergTable opened;
  opened.table = iceberg::OpenTable(std::move(io), location, {.moved = options.moved});
  opened.snapshot = iceberg::ChooseSnapshot(
      *opened.table.metadata,
      {.snapshot_id = version.snapshot_id, .ref = version.ref, .as_of_ms = version.as_of_ms});
  return opened;
}

}  // namespace

const std::shared_ptr<FileIO>& OpenedTable::io() const {
  return std::get<IcebergTable>(table).table.io;
}

const Schema& OpenedTable::schema() const { return std::get<IcebergTable>(table).snapshot.schema; }

std::optional<std::string> TableUuid(const OpenedTable& opened) {
  return std::get<IcebergTable>(opened.table).table.metadata->table_uuid;
}

OpenedTable OpenTable(std::shared_ptr<FileIO> io, const std::string& location,
                      const OpenOptions& options) {
  const TableFormat format = options.format ? *options.format : DetectTableFormat(*io, location);
  switch (format) {
    case TableFormat::kIceberg:
      return {OpenIcebergTable(std::move(io), location, options)};
    case TableFormat::kDelta:
    case TableFormat::kHive:
      break;
  }
  ThrowUnsupported(fmt::format("{}: a {}, which is not read yet", location, NounOf(format)));
}

}  // namespace nunatak
