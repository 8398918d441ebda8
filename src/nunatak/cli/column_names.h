#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nunatak::cli {

/// The names in a list such as `a, b.c, "d,e"`. As in filters, names that hold commas, blanks or
/// quotes stand in double quotes or backquotes, a doubled quote standing for itself. Throws
/// `ErrorCode::kUsage` for an empty name and for a quote that is never closed, naming the option.
std::vector<std::string> SplitColumnNames(std::string_view list,
                                          std::string_view option = "--select");

}  // namespace nunatak::cli
