#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "nunatak/base/export.h"

namespace nunatak {

/// A number of bytes as people read it: "512 B", "4.1 KiB", "1.5 GiB".
NUNATAK_EXPORT std::string SizeText(int64_t bytes);

/// A number of bytes as people write it: decimal digits, and a unit if they like, after a blank or
/// not: "1048576", "512B", "64k", "128MB", "128 MiB", "1g". Units are powers of 1024, without case.
/// Null for anything else, and for what is beyond 63 bits.
NUNATAK_EXPORT std::optional<int64_t> ParseSizeText(std::string_view text);

}  // namespace nunatak
