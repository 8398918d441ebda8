#pragma once

#include <arrow/type_fwd.h>

#include <memory>

#include "nunatak/base/export.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// The Arrow type that columns of an Iceberg type are read as: timestamptz is timestamp[us, UTC],
/// uuid fixed_size_binary(16), string utf8, geometry and geography binary (WKB), unknown null,
/// variant the extension type `arrow.parquet.variant` over a struct of binary `metadata` and
/// `value`. Nested fields carry their field id as metadata "PARQUET:field_id" and are nullable
/// unless required.
NUNATAK_EXPORT std::shared_ptr<arrow::DataType> ArrowTypeOf(const Type& type);
NUNATAK_EXPORT std::shared_ptr<arrow::Field> ArrowFieldOf(const Field& field);
NUNATAK_EXPORT std::shared_ptr<arrow::Schema> ArrowSchemaOf(const Schema& schema);

}  // namespace nunatak
