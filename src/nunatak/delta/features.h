#pragma once

#include <span>
#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/delta/actions.h"

namespace nunatak::delta {

/// A feature that readers of a table must know (specification, "Table Features").
struct ReaderFeature {
  std::string_view name;
  /// What this build does about it.
  std::string_view handling;
  /// Whether tables that need it are read.
  bool supported = true;
};

/// Every reader feature that this build knows of, supported or not.
NUNATAK_EXPORT std::span<const ReaderFeature> ReaderFeatures();

/// Throws `ErrorCode::kUnsupported`, by name, for what reading the table needs and this build does
/// not read: a reader version or features that it does not know. What only writers must know does
/// not matter.
NUNATAK_EXPORT void RequireReadable(const Protocol& protocol);

/// Whether readers of the table must know the feature: it is listed, or part of the reader version.
NUNATAK_EXPORT bool HasReaderFeature(const Protocol& protocol, std::string_view name);

}  // namespace nunatak::delta
