#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "nunatak/expr/expr.h"

namespace nunatak {

/// The `type` of an expression in the REST specification's JSON: "lt-eq", "not-starts-with", …;
/// "like" and "not-like" are ours.
std::string_view OpName(Op op);
std::optional<Op> OpFromName(std::string_view name);
/// All names, for a message.
std::string KnownOpNames();

/// The leaf that is true exactly where this one is false, and unknown where it is unknown; AND
/// becomes OR and the reverse. Not for `kNot`.
Op Negated(Op op);

/// The comparison with its sides exchanged: a < b is b > a. Others stay.
Op Mirrored(Op op);

}  // namespace nunatak
