#pragma once

#include <nlohmann/json_fwd.hpp>

#include "nunatak/base/export.h"
#include "nunatak/base/json.h"
#include "nunatak/table/type.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// Reads a JSON single value (specification, Appendix D, "JSON single-value serialization"); null
/// gives a null value. Throws `ErrorCode::kInvalid` when the JSON does not fit the type.
NUNATAK_EXPORT Value ValueFromJson(const Type& type, Json json);

/// Writes the specification's JSON single value: struct keyed by field id, map as {"keys",
/// "values"}, geometry and geography as WKT (bytes that are not WKB throw `ErrorCode::kInvalid`).
/// NaN and infinities, which JSON numbers cannot hold, are the strings that `ValueFromJson` reads
/// too.
NUNATAK_EXPORT nlohmann::ordered_json ValueToJson(const Type& type, const Value& value);

/// Writes a value as commands print it: Appendix D, but structs keyed by field name, binary and
/// fixed as upper-case hex (Appendix D's own case), geometry and geography as hex WKB, and NaN and
/// infinities as the strings "NaN", "Infinity", "-Infinity".
NUNATAK_EXPORT nlohmann::ordered_json ValueToCell(const Type& type, const Value& value);

/// A primitive value as text for people: dates and times ISO, bytes as hex, null as "null"; a
/// string cut inside a character is shown to its longest valid prefix.
NUNATAK_EXPORT std::string ValueToText(const Type& type, const ValueView& value);

}  // namespace nunatak
