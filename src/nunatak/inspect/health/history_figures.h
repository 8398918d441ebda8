#pragma once

#include <cstdint>
#include <optional>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/iceberg/table.h"
#include "nunatak/inspect/health/table_figures.h"

namespace nunatak {

/// The snapshots that a table has, and how many of them are past their retention at `now_ms`.
NUNATAK_EXPORT SnapshotFigures MeasureSnapshots(const iceberg::TableMetadata& metadata,
                                                int64_t now_ms);

/// The table's metadata file and the earlier ones that its log names; asks the storage for the size
/// of each.
NUNATAK_EXPORT MetadataFigures MeasureMetadata(const iceberg::Table& table, const Context& context);

/// How far the table's statistics are behind a snapshot: those of the kind (of the table or of its
/// partitions) that is further behind, each by its newest file. Null when there are none, or when
/// no snapshot since them did anything but rewrite files.
NUNATAK_EXPORT std::optional<StatisticsFigures> MeasureStatistics(
    const iceberg::TableMetadata& metadata, const iceberg::Snapshot* snapshot);

}  // namespace nunatak
