#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "nunatak/base/export.h"

namespace nunatak::hive {

/// A directory named `name=value`, its escapes decoded.
struct PartitionPart {
  std::string name;
  /// Null for `__HIVE_DEFAULT_PARTITION__`.
  std::optional<std::string> value;

  friend bool operator==(const PartitionPart&, const PartitionPart&) = default;
};

/// Reads a directory's name; nullopt when it is of another form. Percent escapes are decoded once;
/// what is no escape, or would give bytes that are not UTF-8, stays as it is.
NUNATAK_EXPORT std::optional<PartitionPart> ParsePartitionPart(std::string_view directory_name);

/// Whether files and directories of that name are passed over, as Spark does: names that begin with
/// "." or, unless they have a "=", with "_", and files that are still being copied.
NUNATAK_EXPORT bool IsHidden(std::string_view name);

/// Whether the name's ending is that of a data file: ".parquet", ".orc" or ".avro".
NUNATAK_EXPORT bool IsDataFileName(std::string_view name);

/// Whether the file sums up the footers of others (`_metadata`, `_common_metadata`): listed, though
/// hidden, for its schema. It holds no rows.
NUNATAK_EXPORT bool IsSummaryFile(std::string_view name);

}  // namespace nunatak::hive
