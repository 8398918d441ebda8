#pragma once

#include <cstdint>
#include <memory>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/read/decode/pages/value_output.h"
#include "nunatak/read/decode/parquet_pages.h"

namespace nunatak {

/// The values of one page, nulls left out. Reading more than there are is `ErrorCode::kInvalid`.
class NUNATAK_EXPORT PageValues {
 public:
  virtual ~PageValues() = default;
  virtual void Skip(int64_t count) = 0;
  virtual void Append(int64_t count, ValueOutput* output) = 0;
};

/// Whether `MakePageValues` reads values of that layout in that encoding.
bool CanReadPage(PlainLayout layout, PageEncoding encoding);

/// Reads the values of a data page, of which there are at most `count`; `bytes` and `output` must
/// stay. Indices are those of the dictionary that `output` was given.
NUNATAK_EXPORT std::unique_ptr<PageValues> MakePageValues(PlainLayout layout, PageEncoding encoding,
                                                          ByteSpan bytes, int64_t count,
                                                          const ValueOutput& output);

}  // namespace nunatak
