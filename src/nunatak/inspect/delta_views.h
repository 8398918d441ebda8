#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/delta/snapshot.h"
#include "nunatak/delta/table.h"

namespace nunatak {

/// What a Delta table is, as `nunatak show --format json` prints it: as much of what it says of an
/// Iceberg table as there is, and the format's own: protocol, features, transactions, domains, and
/// which files of the log the version is put together from. Counts of files and rows are those of a
/// plan; `records` is null when a file does not tell.
NUNATAK_EXPORT nlohmann::ordered_json DeltaSummary(const delta::Table& table,
                                                   const delta::Snapshot& snapshot,
                                                   const Context& context);

/// The same for people.
NUNATAK_EXPORT std::string DeltaSummaryText(const delta::Snapshot& snapshot,
                                            const nlohmann::ordered_json& summary);

}  // namespace nunatak
