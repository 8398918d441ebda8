#pragma once

#include "nunatak/iceberg/table.h"
#include "nunatak/inspect/verify/verify_report.h"

namespace nunatak {

/// Checks that the statistics which the metadata records are of snapshots that the table has;
/// `report` is of the metadata file.
void CheckStatisticsSnapshots(const iceberg::TableMetadata& metadata, FileReport* report);

/// Checks a Puffin file, of which `report` is, against what the metadata records of it. Throws what
/// reading its footer throws.
void CheckStatisticsFile(const iceberg::Table& table, const iceberg::StatisticsFile& statistics,
                         FileReport* report);

}  // namespace nunatak
