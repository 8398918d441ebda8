#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"

namespace nunatak {

/// "data:;base64,…" (RFC 2397): a location that holds its bytes, for the small files that a format
/// keeps inside its metadata. Tasks that refer to them stay self-contained.
NUNATAK_EXPORT bool IsDataUri(std::string_view location);

NUNATAK_EXPORT std::string MakeDataUri(ByteSpan bytes);

/// The bytes, or a range of them. Throws `ErrorCode::kInvalid` when the text after the comma is not
/// base64, or the range is not within the bytes; the message does not repeat the location, which
/// may be long.
NUNATAK_EXPORT Buffer ReadDataUri(std::string_view location,
                                  std::optional<ByteRange> range = std::nullopt);

}  // namespace nunatak
