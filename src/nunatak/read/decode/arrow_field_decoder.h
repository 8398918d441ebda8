#pragma once

#include <parquet/arrow/reader.h>

#include <memory>
#include <string>
#include <vector>

#include "nunatak/read/decode/field_decoder.h"

namespace nunatak {

/// Decodes the given leaves of one field with Arrow's reader, which must outlive it; `name` is for
/// errors. With `depth`, the field comes without the structs around it, of which there are so many.
std::unique_ptr<FieldDecoder> MakeArrowFieldDecoder(parquet::arrow::FileReader& reader, int group,
                                                    std::vector<int> leaves, std::string name,
                                                    int depth = 0);

}  // namespace nunatak
