#pragma once

#include <arrow/type_fwd.h>

#include <cstddef>

#include "nunatak/table/type.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// Appends a value to the builder of an `ArrowTypeOf(type)`. Of a variant there is only null.
/// Throws `ErrorCode::kInvalid` when the value is none of that type, which metadata from outside
/// may bring.
void AppendValue(const Type& type, const Value& value, arrow::ArrayBuilder& builder);

/// The same for a value that is not nested.
void AppendScalar(const Type& type, const ValueView& value, arrow::ArrayBuilder& builder);

/// Field `i` of a struct; one that the struct does not give has its own default. Throws as
/// `AppendValue`.
Value FieldValue(const Type& type, const Value& value, size_t i);

}  // namespace nunatak
