#pragma once

#include <string>

#include "nunatak/table/type.h"

namespace nunatak {

/// A type as one word of a line about its field: of nested types only their kind, since their
/// fields have lines of their own.
std::string TypeName(const Type& type);

}  // namespace nunatak
