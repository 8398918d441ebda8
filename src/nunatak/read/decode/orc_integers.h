#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"

namespace nunatak {

/// How a stream holds integers (ORC specification, "Integer Run Length Encoding").
struct OrcIntegerForm {
  /// 1 or 2.
  int version = 2;
  bool is_signed = false;
};

/// Decodes an inflated stream of integers, run by run; a run has at most 512. Throws
/// `ErrorCode::kInvalid` where a run goes beyond the stream.
NUNATAK_EXPORT void ReadOrcIntegers(ByteSpan stream, OrcIntegerForm form,
                                    const std::function<void(std::span<const int64_t>)>& body);

}  // namespace nunatak
