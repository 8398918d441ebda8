#pragma once

#include <string>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/inspect/explain/scan_explanation.h"
#include "nunatak/table/partition_spec.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// What would make a scan read less.
struct Advice {
  /// "nan-counts", "sort-order", "partitioning", "column-metrics".
  std::string kind;
  std::string column;
  /// What is the matter, with figures.
  std::string finding;
  /// What to do about it.
  std::string remedy;
};

/// What an explanation suggests, the most promising first; nothing where the scan reads about as
/// little as it can. `spec` is the table's default one.
NUNATAK_EXPORT std::vector<Advice> AdviseOn(const ScanExplanation& explanation,
                                            const Schema& schema, const PartitionSpec& spec);

}  // namespace nunatak
