#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "nunatak/base/export.h"
#include "nunatak/read/map_form.h"
#include "nunatak/table/schema.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// One cell of a column that was read as `ArrowTypeOf(type)`, in the JSON form of `ValueToCell`:
/// structs keyed by field name, maps as `maps` says, variants as `VariantToJson` has them.
/// Strings in variants are passed on as they are: write the JSON with nlohmann's
/// `error_handler_t::replace`, since a file may hold text that is not UTF-8.
NUNATAK_EXPORT nlohmann::ordered_json CellToJson(const Type& type, const arrow::Array& column,
                                                 int64_t row,
                                                 MapForm maps = MapForm::kKeysAndValues);

/// The same cell as a value of `type`; a variant is the text of its JSON. The value owns its bytes.
NUNATAK_EXPORT Value CellToValue(const Type& type, const arrow::Array& column, int64_t row);

/// One row of a batch that was read with `projection`, as an object keyed by column name.
NUNATAK_EXPORT nlohmann::ordered_json RowToJson(const Schema& projection,
                                                const arrow::RecordBatch& batch, int64_t row,
                                                MapForm maps = MapForm::kKeysAndValues);

}  // namespace nunatak
