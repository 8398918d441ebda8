#pragma once

#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/open/table_format.h"

namespace nunatak {

/// Throws `ErrorCode::kUnsupported`: what `verb` shows does not exist in tables of the format. The
/// message says why not, and the hint what to use instead.
[[noreturn]] NUNATAK_EXPORT void ThrowNoMeaning(TableFormat format, std::string_view verb);

}  // namespace nunatak
