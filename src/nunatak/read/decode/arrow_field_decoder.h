#pragma once

#include <parquet/arrow/reader.h>

#include <memory>
#include <string>
#include <vector>

#include "nunatak/read/decode/field_decoder.h"

namespace nunatak {

/// Decodes the given leaves of one field with Arrow's reader, which must outlive it; `name` is for
/// errors.
std::unique_ptr<FieldDecoder> MakeArrowFieldDecoder(parquet::arrow::FileReader& reader, int group,
                                                    std::vector<int> leaves, std::string name);

}  // namespace nunatak
