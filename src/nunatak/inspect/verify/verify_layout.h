#pragma once

#include "nunatak/inspect/verify/verify_content.h"

namespace nunatak {

/// Checks a file's own schema and where its row groups or stripes begin. Throws what opening it
/// throws.
void CheckLayout(const ContentScope& scope, const DataFile& file, FileReport* report);

}  // namespace nunatak
