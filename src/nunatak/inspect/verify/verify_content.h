#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/iceberg/table.h"
#include "nunatak/inspect/table_facts.h"
#include "nunatak/inspect/verify/verify_report.h"
#include "nunatak/read/name_mapping.h"
#include "nunatak/table/data_file.h"

namespace nunatak {

/// What it takes to look into the files of a snapshot. Everything referred to outlives it.
struct ContentScope {
  const iceberg::Table& table;
  const Context& context;
  const TableFacts& facts;
  std::optional<NameMapping> name_mapping;
  /// The rows that the snapshot records of one of its data files; nothing for other paths.
  std::function<std::optional<int64_t>(const std::string& path)> rows_of;
};

/// Opens a file and holds its content against what its manifest entry says; returns how many rows
/// were read. A file that cannot be read is a finding; one that needs what this build does not read
/// too.
int64_t CheckContent(const ContentScope& scope, const DataFile& file, FileReport* report);

}  // namespace nunatak
