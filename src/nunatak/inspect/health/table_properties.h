#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "nunatak/iceberg/table_metadata.h"

namespace nunatak {

/// A property as a number; `fallback` when it is not set or is none.
int64_t NumberProperty(const iceberg::TableMetadata& metadata, std::string_view key,
                       int64_t fallback);
/// The same of "true" and "false", in any case.
bool FlagProperty(const iceberg::TableMetadata& metadata, std::string_view key, bool fallback);
/// A count of a snapshot's summary; null where the writer left it out or wrote something else.
std::optional<int64_t> SummaryCount(const iceberg::Snapshot& snapshot, const char* key);

}  // namespace nunatak
