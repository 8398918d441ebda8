#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nunatak {

/// The bytes of pairs of hexadecimal digits, upper or lower case; nullopt when the text is something
/// else.
std::optional<std::string> ParseHex(std::string_view text);

/// The 16 bytes of a UUID, with hyphens in the usual places or without any; nullopt otherwise.
std::optional<std::string> ParseUuid(std::string_view text);

}  // namespace nunatak
