#pragma once

#include <cstdint>
#include <set>

#include "nunatak/base/export.h"
#include "nunatak/iceberg/table_metadata.h"

namespace nunatak {

/// The snapshots that expiring would remove at `now_ms` (milliseconds since 1970-01-01 UTC), by the
/// table's own retention: of each branch the newest `min-snapshots-to-keep` stay, and those younger
/// than `max-snapshot-age-ms`; tags keep their snapshot; refs beyond `max-ref-age-ms` do not count;
/// snapshots that no ref leads to stay while they are young (specification, "Snapshot Retention
/// Policy"; `history.expire.*` are the defaults). None when `gc.enabled` is false.
NUNATAK_EXPORT std::set<int64_t> ExpiredSnapshots(const iceberg::TableMetadata& metadata,
                                                  int64_t now_ms);

}  // namespace nunatak
