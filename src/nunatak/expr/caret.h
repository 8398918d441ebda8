#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace nunatak {

/// Two lines to append to a message: the line of `text` that holds the byte `offset`, cut around it
/// when long, and a caret under that character. "" when there is no text or no such place.
std::string PointAt(std::string_view text, size_t offset);

/// Throws `ErrorCode::kUsage` with the message and `PointAt`.
[[noreturn]] void ThrowAt(std::string_view text, size_t offset, std::string message,
                          std::string hint = "");

}  // namespace nunatak
