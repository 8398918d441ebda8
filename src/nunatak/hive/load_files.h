#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "nunatak/hive/file_footer.h"
#include "nunatak/hive/table.h"

namespace nunatak::hive {

/// The files of a directory with what their footers, null for empty files, say.
std::shared_ptr<const std::vector<DataFile>> MakeDataFiles(
    const Table& table, const Directory& directory,
    std::span<const std::optional<FileFooter>> footers);

/// The same; reads the footers unless they were read when the table was opened.
std::shared_ptr<const std::vector<DataFile>> LoadDataFiles(const Table& table,
                                                           const Directory& directory);

}  // namespace nunatak::hive
