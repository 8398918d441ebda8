#pragma once

#include <optional>

#include "nunatak/read/name_mapping.h"
#include "nunatak/read/scan_options.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// What the files of a scan are read as: the same for all of them.
struct ReadRequest {
  /// The schema that the scan was planned with: residuals are bound to it.
  Schema schema;
  /// What comes out: `schema` or a selection of it (`SelectFields`).
  Schema projection;
  /// Of the table property `schema.name-mapping.default`. Without one, the fields of an Avro or ORC
  /// file without field ids are taken to be those of the same names in `schema`, and the top-level
  /// columns of a Parquet file to have the ids 1, 2, 3 … in the order of the file, as the reference
  /// implementation does.
  std::optional<NameMapping> name_mapping = std::nullopt;
  ScanOptions options = {};
};

}  // namespace nunatak
