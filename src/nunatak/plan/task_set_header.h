#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/base/json.h"
#include "nunatak/plan/task_definitions.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// What a reader of scan tasks needs beside them, so that it need not open the table: what one
/// process planned, another reads.
struct NUNATAK_EXPORT TaskSetHeader {
  /// Null when the format has none (Iceberg: version 1 may lack it).
  std::optional<std::string> table_uuid;
  /// The snapshot that was planned.
  std::optional<int64_t> snapshot_id;
  /// The schema that was planned with, and the partition specs.
  TaskDefinitions definitions;
  /// What the reader is to return: the schema, or a selection of it.
  Schema projection;
  /// A name mapping in the form of the table property `schema.name-mapping.default`.
  std::optional<std::string> name_mapping = std::nullopt;
  /// Whether field ids that files carry count for nothing: the mapping alone names the columns.
  bool ignore_file_ids = false;
  /// Whether rows that deletes remove come out too (`_deleted` is in the scan's filter).
  bool with_deleted = false;
  /// Other schemas of the table, the newest first, with the fields of equality deletes that the
  /// schema has no more.
  std::vector<Schema> past_schemas = {};
};

/// The header as an object: `table-uuid`, `snapshot-id`, `name-mapping`, `past-schemas` (each where
/// there is one), `ignore-file-ids` and `with-deleted` (where they are true), `schema`,
/// `partition-specs` and `projection`, in the specification's forms (Appendix C).
NUNATAK_EXPORT nlohmann::ordered_json TaskSetHeaderToJson(const TaskSetHeader& header);

/// Reads it back; without `projection`, the schema is the projection. Unknown fields are ignored;
/// throws `ErrorCode::kInvalid` with the path inside the JSON.
NUNATAK_EXPORT TaskSetHeader TaskSetHeaderFromJson(Json json);

}  // namespace nunatak
