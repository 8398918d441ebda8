#pragma once

#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/read/text_buffer.h"

namespace nunatak {

/// Appends a JSON string: quoted, escaped where JSON demands it. `text` is valid UTF-8.
NUNATAK_EXPORT void AppendJsonString(std::string_view text, TextBuffer* out);

/// Appends a field of CSV (RFC 4180): quoted when it has a quote, a comma or a line break, begins
/// or ends with a blank, or is empty, which tells an empty text from a null.
NUNATAK_EXPORT void AppendCsvField(std::string_view text, TextBuffer* out);

}  // namespace nunatak
