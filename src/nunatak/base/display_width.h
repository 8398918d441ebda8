#pragma once

#include <string>
#include <string_view>

#include "nunatak/base/export.h"

namespace nunatak {

/// Columns that a terminal needs for UTF-8 text: combining marks take none, East Asian wide
/// characters and emoji two, control characters and malformed bytes one.
NUNATAK_EXPORT int DisplayWidth(std::string_view text);

/// The text, cut to `width` columns with an ellipsis when it is wider.
NUNATAK_EXPORT std::string Shorten(std::string_view text, int width);
/// The same with the ellipsis in front: keeps the end of the text.
NUNATAK_EXPORT std::string ShortenStart(std::string_view text, int width);

/// The text with a blank for each line end: what a table calls its own cannot pass for another line
/// of the output.
NUNATAK_EXPORT std::string OneLine(std::string_view text);

}  // namespace nunatak
