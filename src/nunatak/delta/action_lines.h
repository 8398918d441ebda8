#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/base/json.h"

namespace nunatak::delta {

enum class LineOrder : uint8_t { kForward, kBackward };

/// Whether actions of the name are wanted; those that are not are passed over unparsed, as far as
/// the beginning of their line tells the name.
using WantsAction = std::function<bool(std::string_view name)>;

/// Calls `body` for each action of a commit, a compaction or a JSON checkpoint (newline-delimited
/// JSON, one action to an object), with the name and the value of its key, both valid for the call.
/// An error has "line N" put before it; blank lines are passed over.
NUNATAK_EXPORT void ForEachAction(
    std::string_view text, LineOrder order, const WantsAction& wants,
    const std::function<void(std::string_view name, Json value)>& body);

}  // namespace nunatak::delta
