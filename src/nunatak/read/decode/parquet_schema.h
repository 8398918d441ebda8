#pragma once

#include <parquet/arrow/schema.h>

#include <vector>

#include "nunatak/read/decode/file_field.h"

namespace nunatak {

/// The fields of a Parquet file from Arrow's view of its schema.
std::vector<FileField> FileFieldsOf(const parquet::arrow::SchemaManifest& manifest);

}  // namespace nunatak
