#pragma once

#include <bit>
#include <cstddef>
#include <string>

#include "nunatak/table/type.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// Values as bytes that are compared and hashed in memory, in the machine's byte order; integers
/// are then cut to their width at the lower end.
static_assert(std::endian::native == std::endian::little);

/// Bytes that an integer, boolean, date or time of a type takes.
size_t IntegerWidth(const Type& type);

/// Appends bytes that are equal exactly when the values are: null or the same value, where reals
/// compare by their bits with all NaNs alike. None is the beginning of another's.
void AppendValueBytes(const ValueView& value, size_t integer_width, std::string* out);

}  // namespace nunatak
