#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "nunatak/base/context.h"
#include "nunatak/iceberg/entry_walk.h"
#include "nunatak/iceberg/table.h"
#include "nunatak/inspect/table_facts.h"

namespace nunatak {

/// What is done with each of some manifests.
struct ManifestVisitor {
  /// Walks over a manifest; several at once.
  std::function<void(size_t i, iceberg::EntryWalk& walk)> visit;
  /// Called once it is done with manifest `i`, in order.
  std::function<void(size_t i)> take;
};

/// Reads manifests on the context's executor. Throws what reading a manifest throws; an error names
/// its file.
void WalkManifests(const iceberg::Table& table, const TableFacts& facts, const Context& context,
                   std::span<const iceberg::ManifestFile> files, const ManifestVisitor& visitor);

}  // namespace nunatak
