#pragma once

#include <span>

#include "nunatak/hive/file_footer.h"
#include "nunatak/io/file_io.h"
#include "nunatak/table/data_file.h"
#include "nunatak/table/schema.h"

namespace nunatak::hive {

/// A file that was listed, with the metrics that its footer has of `columns`, the table's without
/// those of the partition. Without a footer the file is empty.
DataFile MakeDataFile(const FileInfo& file, const FileFooter* footer,
                      std::span<const Field> columns, const PartitionValues& partition);

}  // namespace nunatak::hive
