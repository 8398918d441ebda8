#pragma once

#include <string_view>

#include "nunatak/expr/expr.h"

namespace nunatak::cli {

/// The filter that `col=value,other="a, b"` stands for: each column equals its value. Names and
/// values that hold commas, equals signs or quotes stand in quotes ("", '' or ``), a doubled quote
/// standing for itself; a bare `null` is null. Throws `ErrorCode::kUsage` for what is malformed.
Expr ParseRowKey(std::string_view text);

}  // namespace nunatak::cli
