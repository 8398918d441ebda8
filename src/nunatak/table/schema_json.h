#pragma once

#include <nlohmann/json_fwd.hpp>

#include "nunatak/base/export.h"
#include "nunatak/base/json.h"
#include "nunatak/table/partition_spec.h"
#include "nunatak/table/schema.h"
#include "nunatak/table/sort_order.h"

namespace nunatak {

/// The JSON forms of the specification's Appendix C, both ways. Parsing throws
/// `ErrorCode::kInvalid` (malformed; the message has the path inside the JSON) or `kUnsupported`
/// (an unknown type, by name); unknown fields are ignored. Nested types may nest 100 levels.
NUNATAK_EXPORT Type TypeFromJson(Json json);
NUNATAK_EXPORT nlohmann::ordered_json TypeToJson(const Type& type);

/// A schema without `schema-id` (v1) has id 0.
NUNATAK_EXPORT Schema SchemaFromJson(Json json);
NUNATAK_EXPORT nlohmann::ordered_json SchemaToJson(const Schema& schema);

/// v1 fields without `field-id` get 1000, 1001, … in their order. `source-ids` or `source-id`.
NUNATAK_EXPORT PartitionSpec PartitionSpecFromJson(Json json);
/// The fields alone: v1's `partition-spec`, and the `partition-spec` of a manifest's metadata.
NUNATAK_EXPORT std::vector<PartitionField> PartitionFieldsFromJson(JsonArray fields);
NUNATAK_EXPORT nlohmann::ordered_json PartitionSpecToJson(const PartitionSpec& spec);

NUNATAK_EXPORT SortOrder SortOrderFromJson(Json json);
NUNATAK_EXPORT nlohmann::ordered_json SortOrderToJson(const SortOrder& order);

}  // namespace nunatak
