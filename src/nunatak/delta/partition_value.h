#pragma once

#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/table/type.h"
#include "nunatak/table/value.h"

namespace nunatak::delta {

/// The value that the text of a partition value stands for (specification, "Partition Value
/// Serialization"): an empty text is the empty string or no bytes, and null for all other types;
/// timestamps without a zone are in UTC. Bytes of the result point into `text`. Throws
/// `ErrorCode::kInvalid` for text that is no value of the type, and `kUnsupported` for types that
/// cannot partition; callers add the column's name.
NUNATAK_EXPORT ValueView ParsePartitionValue(const Type& type, std::string_view text);

/// Reads a value of a primitive type from text as JSON and partition values have it; false when it
/// is none. Bytes of the result point into `text`.
bool ParsePrimitive(const Type& type, std::string_view text, ValueView* out);

}  // namespace nunatak::delta
