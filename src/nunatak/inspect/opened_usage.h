#pragma once

#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/inspect/column_statistics.h"
#include "nunatak/inspect/disk_usage.h"
#include "nunatak/open/open_table.h"

namespace nunatak {

// Sizes and column statistics of a table of any format (disk_usage.h, column_statistics.h). What a
// format does not record is `ErrorCode::kUnsupported`.

/// Of other formats than Iceberg: "data", and what each has beside.
NUNATAK_EXPORT std::vector<UsageOfKind> UsageByKind(const OpenedTable& opened,
                                                    const Context& context);
NUNATAK_EXPORT std::vector<UsageOfSnapshot> UsageBySnapshot(const OpenedTable& opened,
                                                            const Context& context);
NUNATAK_EXPORT std::vector<UsageOfPartition> UsageByPartition(const OpenedTable& opened,
                                                              const Context& context);
NUNATAK_EXPORT std::vector<UsageOfColumn> UsageByColumn(const OpenedTable& opened,
                                                        const Context& context);
NUNATAK_EXPORT std::vector<ColumnStatistics> ReadColumnStatistics(const OpenedTable& opened,
                                                                  const Context& context);

}  // namespace nunatak
