#pragma once

#include "nunatak/inspect/table_facts.h"
#include "nunatak/inspect/verify/verify_report.h"
#include "nunatak/plan/partition_tuples.h"

namespace nunatak {

/// Checks the distinct partition tuples of a manifest: that its transforms can yield their values,
/// and that the summaries of the manifest list cover them.
void CheckPartitions(const SpecFacts& spec, const iceberg::ManifestFile& file,
                     const PartitionTuples& tuples, FileReport* report);

}  // namespace nunatak
