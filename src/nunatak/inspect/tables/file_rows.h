#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "nunatak/inspect/metadata_rows.h"
#include "nunatak/inspect/tables/file_column.h"
#include "nunatak/inspect/tables/file_columns.h"
#include "nunatak/inspect/tables/file_records.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// Makes a column of a table that has a row for each file; the field outlives it.
using MakeFileColumn = std::function<FileColumnPtr(const Field& column)>;

/// A row for each of the `files` among the records, some thousand at a time.
MetadataRowStream StreamFiles(std::shared_ptr<const FileRecords> records,
                              std::vector<uint32_t> files, MakeFileColumn make);

/// The same for all files, with their own columns.
MetadataRowStream StreamFiles(std::shared_ptr<const FileColumns> columns,
                              std::shared_ptr<const FileRecords> records);

}  // namespace nunatak
