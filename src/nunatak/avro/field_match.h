#pragma once

#include <span>
#include <string>
#include <vector>

#include "nunatak/avro/decode_plan.h"
#include "nunatak/avro/schema.h"

namespace nunatak::avro {

/// Which wanted field each field of `record` is, or null; see `DecodePlan` for the rules. Throws
/// `ErrorCode::kInvalid` when the record offers two fields for one wanted, or the other way round.
std::vector<const Wanted*> MatchFields(const Node& record, std::span<const Wanted> wanted);

/// The same for the two fields of a map's entry; null when `record` is not a pair.
std::vector<const Wanted*> MatchEntry(const Node& record, const Wanted& key, const Wanted& value);

/// Whether `type`, which is not a union, can be read as `wanted`.
bool Fits(const Node& type, const Wanted& wanted);

/// "field 'record_count' (id 103)", for messages.
std::string Describe(const Wanted& wanted);
/// "an integer", ….
std::string_view ToString(WantedKind kind);

}  // namespace nunatak::avro
