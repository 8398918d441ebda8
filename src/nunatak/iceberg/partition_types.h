#pragma once

#include <string>

#include "nunatak/base/export.h"
#include "nunatak/iceberg/table_metadata.h"
#include "nunatak/table/merged_partitions.h"
#include "nunatak/table/partition_spec.h"
#include "nunatak/table/type.h"

namespace nunatak::iceberg {

/// The struct of a spec's partition tuples. Source columns are looked up in the current schema,
/// then in the newest of the others that has them: a spec outlives the columns that it was made
/// for.
NUNATAK_EXPORT Type PartitionTypeOf(const TableMetadata& metadata, const PartitionSpec& spec);

/// The partition struct of all of the table's specs.
NUNATAK_EXPORT MergedPartitions MergedPartitionsOf(const TableMetadata& metadata);

/// A text that tells specs apart, each with the types of its tuples: a key for caches.
NUNATAK_EXPORT std::string SpecKey(const PartitionSpec& spec, const Type& partition_type);

}  // namespace nunatak::iceberg
