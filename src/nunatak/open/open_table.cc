#include "nunatak/open/open_table.h"

#include <fmt/format.h>

#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/delta/version_times.h"

namespace nunatak {

namespace {

[[noreturn]] void ThrowNoSuchChoice(TableFormat format, std::string_view option,
                                    std::string_view hint) {
  ThrowUsage(fmt::format("{}: it has no meaning for {}", option, NounOf(format)),
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

hive::Table OpenHiveTable(std::shared_ptr<FileIO> io, const Context& context,
                          const std::string& location, const OpenOptions& options) {
  const VersionChoice& version = options.version;
  if (version.snapshot_id || version.ref || version.as_of_ms || version.version) {
    ThrowUsage("a Hive-style directory has no versions: it is what lies in it now",
               "leave out --snapshot, --ref, --as-of and --version");
  }
  return hive::OpenTable(std::move(io), context, location, options.hive);
}

DeltaTable OpenDeltaTable(std::shared_ptr<FileIO> io, const Context& context,
                          const std::string& location, const OpenOptions& options) {
  VersionChoice choice = options.version;
  if (choice.snapshot_id || choice.ref) {
    ThrowNoSuchChoice(TableFormat::kDelta, choice.ref ? "--ref" : "--snapshot",
                      "versions have numbers: --version N or --as-of TIME");
  }
  if (choice.version && choice.as_of_ms) ThrowUsage("--version and --as-of exclude each other");
  DeltaTable opened{delta::OpenTable(std::move(io), location), nullptr};
  if (choice.as_of_ms) {
    const delta::Snapshot latest = delta::LoadSnapshot(opened.table, context);
    choice.version = delta::VersionTimes(opened.table, latest).VersionAsOf(*choice.as_of_ms);
  }
  opened.snapshot = std::make_shared<const delta::Snapshot>(
      delta::LoadSnapshot(opened.table, context, choice.version));
  return opened;
}

/// What `OpenedTable` asks of each format.
struct FormatOf {
  TableFormat operator()(const IcebergTable&) const { return TableFormat::kIceberg; }
  TableFormat operator()(const DeltaTable&) const { return TableFormat::kDelta; }
  TableFormat operator()(const hive::Table&) const { return TableFormat::kHive; }
};

struct IoOf {
  const std::shared_ptr<FileIO>& operator()(const IcebergTable& opened) const {
    return opened.table.io;
  }
  const std::shared_ptr<FileIO>& operator()(const DeltaTable& opened) const {
    return opened.table.io;
  }
  const std::shared_ptr<FileIO>& operator()(const hive::Table& table) const { return table.io; }
};

struct SchemaOf {
  const Schema& operator()(const IcebergTable& opened) const { return opened.snapshot.schema; }
  const Schema& operator()(const DeltaTable& opened) const { return opened.snapshot->schema(); }
  const Schema& operator()(const hive::Table& table) const { return table.schema; }
};

}  // namespace

TableFormat OpenedTable::format() const { return std::visit(FormatOf(), table); }
const std::shared_ptr<FileIO>& OpenedTable::io() const { return std::visit(IoOf(), table); }
const Schema& OpenedTable::schema() const { return std::visit(SchemaOf(), table); }

std::optional<std::string> TableUuid(const OpenedTable& opened) {
  if (const auto* iceberg = std::get_if<IcebergTable>(&opened.table)) {
    return iceberg->table.metadata->table_uuid;
  }
  const auto* delta = std::get_if<DeltaTable>(&opened.table);
  return delta ? std::optional(delta->snapshot->metadata.id) : std::nullopt;
}

OpenedTable OpenTable(std::shared_ptr<FileIO> io, const Context& context,
                      const std::string& location, const OpenOptions& options) {
  const TableFormat format = options.format ? *options.format : DetectTableFormat(*io, location);
  switch (format) {
    case TableFormat::kIceberg:
      return {OpenIcebergTable(std::move(io), location, options)};
    case TableFormat::kDelta:
      return {OpenDeltaTable(std::move(io), context, location, options)};
    case TableFormat::kHive:
      return {OpenHiveTable(std::move(io), context, location, options)};
  }
  ThrowUsage(fmt::format("there is no table format {}", static_cast<int>(format)));
}

}  // namespace nunatak
