#pragma once

#include "nunatak/hive/file_footer.h"
#include "nunatak/hive/table.h"
#include "nunatak/io/file_io.h"
#include "nunatak/table/data_file.h"
#include "nunatak/table/partition_values.h"

namespace nunatak::hive {

/// A file of a partition of the table, with what is known of its columns: by its footer, and of the
/// partition's own by its path. Without a footer the file is empty.
DataFile MakeDataFile(const Table& table, const PartitionValues& partition, const FileInfo& file,
                      const FileFooter* footer);

}  // namespace nunatak::hive
