#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "nunatak/base/export.h"
#include "nunatak/hive/table.h"

namespace nunatak {

/// What a Hive-style directory is, as `nunatak show --format json` prints it: as much of what it
/// says of an Iceberg table as there is, and what opening it took. `records` is null where a footer
/// was not read, or does not tell.
NUNATAK_EXPORT nlohmann::ordered_json HiveSummary(const hive::Table& table);

/// The same for people.
NUNATAK_EXPORT std::string HiveSummaryText(const hive::Table& table);

/// The root, its directories of data files, and the files, as `nunatak tree --format json` prints
/// them; `depth` is 1 for the root alone, 2 with directories, 3 with files.
NUNATAK_EXPORT nlohmann::ordered_json HiveTree(const hive::Table& table, int depth);

/// The same tree drawn with lines.
NUNATAK_EXPORT std::string HiveTreeText(const nlohmann::ordered_json& tree);

}  // namespace nunatak
