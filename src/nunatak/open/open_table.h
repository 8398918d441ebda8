#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/delta/snapshot.h"
#include "nunatak/delta/table.h"
#include "nunatak/hive/table.h"
#include "nunatak/iceberg/snapshot_choice.h"
#include "nunatak/iceberg/table.h"
#include "nunatak/io/file_io.h"
#include "nunatak/open/table_format.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// Which version of a table to read: at most one of the four, and the current one when none is set.
/// Iceberg has the first three, Delta the last two, and a directory has only what is in it now.
struct VersionChoice {
  std::optional<int64_t> snapshot_id;
  /// A branch or a tag.
  std::optional<std::string> ref;
  /// Milliseconds since 1970-01-01 UTC.
  std::optional<int64_t> as_of_ms;
  std::optional<int64_t> version;
};

struct OpenOptions {
  /// Absent: what lies there tells (`DetectTableFormat`).
  std::optional<TableFormat> format;
  VersionChoice version;
  /// The table was copied as a whole: what it records under its location lies where it was opened.
  bool moved = false;
  hive::TableOptions hive;
};

/// An Iceberg table with the snapshot that was chosen.
struct IcebergTable {
  iceberg::Table table;
  iceberg::ChosenSnapshot snapshot;
};

/// A Delta table with the version that was chosen.
struct DeltaTable {
  delta::Table table;
  std::shared_ptr<const delta::Snapshot> snapshot;
};

/// A table of any format, with the version that was chosen. Cheap to copy.
struct NUNATAK_EXPORT OpenedTable {
  /// What the format itself knows.
  std::variant<IcebergTable, DeltaTable, hive::Table> table;

  TableFormat format() const;
  /// Resolves the locations that the table records.
  const std::shared_ptr<FileIO>& io() const;
  /// What the rows of the version are read with.
  const Schema& schema() const;
  /// Whether names of columns are the same when they differ in case alone.
  bool ignores_case() const { return format() == TableFormat::kDelta; }
};

/// Null when the format has none.
NUNATAK_EXPORT std::optional<std::string> TableUuid(const OpenedTable& opened);

/// Opens the table at a location. Throws `ErrorCode::kUsage` for a choice of a version that the
/// format does not have, and what opening a table of the format throws.
NUNATAK_EXPORT OpenedTable OpenTable(std::shared_ptr<FileIO> io, const Context& context,
                                     const std::string& location, const OpenOptions& options = {});

}  // namespace nunatak
