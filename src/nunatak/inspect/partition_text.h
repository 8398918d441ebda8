#pragma once

#include <span>
#include <string>

#include "nunatak/base/export.h"
#include "nunatak/table/partition_spec.h"
#include "nunatak/table/partition_values.h"
#include "nunatak/table/transform.h"
#include "nunatak/table/type.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// A partition value as people read it: "2021" for a year, "2021-05" for a month, "2021-05-01-10"
/// for an hour, base64 for bytes, else the value's own text. `type` is the result type of the
/// transform.
NUNATAK_EXPORT std::string PartitionText(const Transform& transform, const Type& type,
                                         const ValueView& value);

/// A partition tuple as people read it: "country=US/ordered_at_day=2026-06-01"; "" for an
/// unpartitioned file. `type` is the struct of the spec's tuples.
NUNATAK_EXPORT std::string PartitionPath(const PartitionSpec& spec, const Type& type,
                                         std::span<const ValueView> tuple);
NUNATAK_EXPORT std::string PartitionPath(const PartitionSpec& spec, const Type& type,
                                         const PartitionValues& tuple);

}  // namespace nunatak
