#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/base/json.h"
#include "nunatak/table/schema.h"

namespace nunatak::delta {

/// The fields of a schema string, and what they are called in files.
struct ParsedSchema {
  Schema schema;
  std::map<int32_t, std::string> physical_names;
  int32_t last_id = 0;
};

/// Parses a schema string (specification, "Schema Serialization Format"). With `mapped`, ids and
/// physical names are those of the column mapping; without, such marks are passed over. Throws
/// `ErrorCode::kInvalid` with the column's name, and `kUnsupported` for unknown types and type
/// changes.
NUNATAK_EXPORT ParsedSchema ParseSchemaString(std::string_view text, bool mapped);

/// The type of a name such as "integer" or "decimal(10,2)". Throws `ErrorCode::kUnsupported` for
/// any other, by name.
NUNATAK_EXPORT Type TypeOfName(std::string_view name);

}  // namespace nunatak::delta
