#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/table/type.h"
#include "nunatak/table/value.h"

namespace nunatak::hive {

/// The type that the text of a partition value suggests, the first that fits of int, long, decimal
/// (of whole numbers), double, timestamptz (in UTC), date and string: Spark's rules, which take
/// "01" for 1, "1d" for 1.0 and a timestamp for one only with its time of day.
NUNATAK_EXPORT Type InferType(std::string_view text);

/// The type of a column that has values of both: null with anything is the other (null is unknown
/// here), numbers widen, a date is a timestamp, and what would lose digits or does not go together
/// is a string.
NUNATAK_EXPORT Type WiderType(const Type& a, const Type& b);

/// The value of a text for a column of `type`. Throws `ErrorCode::kInvalid` for text that is none;
/// callers add the column's name.
NUNATAK_EXPORT Value ParseValue(const Type& type, const std::optional<std::string>& text);

/// Reads `--partition-types`: "year=int,day=date", with the type names of the Iceberg
/// specification. Throws `ErrorCode::kUsage`.
NUNATAK_EXPORT std::map<std::string, Type> ParsePartitionTypes(std::string_view text);

}  // namespace nunatak::hive
