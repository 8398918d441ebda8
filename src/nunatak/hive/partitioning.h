#pragma once

#include <map>
#include <string>
#include <vector>

#include "nunatak/hive/directory_listing.h"
#include "nunatak/table/partition_values.h"
#include "nunatak/table/type.h"

namespace nunatak::hive {

/// A partition column.
struct PartitionColumn {
  std::string name;
  Type type;
};

/// The columns by which the directories are partitioned, the outermost first. Their types are those
/// that are given, or inferred from all values. Throws `ErrorCode::kInvalid` when directories
/// differ in the names of their parts, and `kUsage` for a given type of a column that is none of
/// them.
std::vector<PartitionColumn> PartitionColumnsOf(const std::vector<ListedDirectory>& directories,
                                                const std::map<std::string, Type>& given);

/// The values of a directory's parts. Throws what `ParseValue` throws, with the column's name.
PartitionValues PartitionOf(const ListedDirectory& directory,
                            const std::vector<PartitionColumn>& columns);

}  // namespace nunatak::hive
