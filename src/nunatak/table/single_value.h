#pragma once

#include <optional>
#include <string>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/table/type.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// Decodes a binary single value (specification, Appendix D, "Binary single-value serialization")
/// for a column that is of `type` now. Bytes of the type that the column had before a promotion are
/// widened (4 bytes for long, double and, in v3, timestamps from date). Returns false when the
/// bytes fit no form of the type: such a bound is unknown. Strings and bytes point into `bytes`.
NUNATAK_EXPORT bool DecodeSingleValue(const Type& type, ByteSpan bytes, ValueView* out);

/// The binary single value of a non-null primitive value.
NUNATAK_EXPORT std::string EncodeSingleValue(const Type& type, const ValueView& value);

}  // namespace nunatak
