#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/iceberg/table_metadata.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/table/schema.h"

namespace nunatak::iceberg {

/// The newest schema of a table that has a field; nullopt when none has.
NUNATAK_EXPORT std::optional<Schema> PastSchemaWith(const TableMetadata& metadata,
                                                    int32_t field_id);

/// The schemas of a table, the newest first, that alone tell of fields by which equality deletes of
/// the tasks compare: those that `schema`, which is read with, has no more.
NUNATAK_EXPORT std::vector<Schema> PastSchemas(const TableMetadata& metadata, const Schema& schema,
                                               std::span<const FileScanTask> tasks);

}  // namespace nunatak::iceberg
