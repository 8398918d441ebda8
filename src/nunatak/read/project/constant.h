#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>

#include "nunatak/table/type.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// A value as an Arrow scalar of `ArrowTypeOf(type)`; a null pointer for null. Throws
/// `ErrorCode::kInvalid` when the value is none of that type, which metadata from outside may
/// bring.
std::shared_ptr<arrow::Scalar> ScalarOf(const Type& type, const Value& value);

/// `length` times the constant, or nulls when it is a null pointer.
std::shared_ptr<arrow::Array> ConstantArray(const std::shared_ptr<arrow::DataType>& type,
                                            const std::shared_ptr<arrow::Scalar>& constant,
                                            int64_t length);

}  // namespace nunatak
