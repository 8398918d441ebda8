#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "nunatak/base/export.h"

namespace nunatak::iceberg {

/// A time as people write it, in milliseconds since 1970-01-01 UTC: an ISO date, or date and time,
/// in UTC unless it has a zone; `now`; `today` and `yesterday`, which are their midnights in UTC;
/// or how long before `now_ms` it was, such as `90m`, `36h`, `7d ago`, `2 weeks ago`. Nullopt for
/// anything else.
NUNATAK_EXPORT std::optional<int64_t> TimeOfText(std::string_view text, int64_t now_ms);

/// The same, now.
NUNATAK_EXPORT std::optional<int64_t> TimeOfText(std::string_view text);

}  // namespace nunatak::iceberg
