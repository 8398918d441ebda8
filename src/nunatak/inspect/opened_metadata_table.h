#pragma once

#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/inspect/metadata_table.h"
#include "nunatak/open/open_table.h"

namespace nunatak {

/// The metadata table of that name, such as "data_files", of a table of any format; `history_only`
/// as in `MetadataScope`. Other formats have, under the names of the columns that Iceberg's have,
/// those tables that mean something there. Throws `ErrorCode::kUnsupported` for the rest.
NUNATAK_EXPORT MetadataTable MakeMetadataTable(const OpenedTable& opened, std::string_view name,
                                               bool history_only = false);

/// "all_data_files" as a verb: "all-data-files".
NUNATAK_EXPORT std::string VerbOf(std::string_view table_name);

}  // namespace nunatak
