#pragma once

#include <nlohmann/json_fwd.hpp>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"

namespace nunatak {

/// A variant as commands print it: objects, arrays, strings, booleans and nested nulls as plain
/// JSON; all else as {"$type", "$value"}, where the type has the name that the encoding gives it
/// ("INT8", "DECIMAL4", "TIMESTAMPTZ_NANOS" …) and the value the form of `ValueToCell`. A variant
/// that is null as a whole is {"$type": "NULL", "$value": null}, to tell it from a missing one.
/// Text that is not UTF-8 is passed on as it is (see `CellToJson`). Throws `ErrorCode::kInvalid`
/// for malformed bytes, and where repeated field names alone would take more than 1000 times the
/// bytes given; `kUnsupported` for types and versions that are not known.
NUNATAK_EXPORT nlohmann::ordered_json VariantToJson(ByteSpan metadata, ByteSpan value);

}  // namespace nunatak
