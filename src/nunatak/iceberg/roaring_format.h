#pragma once

#include <cstddef>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"

namespace nunatak::iceberg {

/// Checks that a 32-bit Roaring bitmap in the portable format begins at `bytes[begin]`, and returns
/// the offset at which it ends. CRoaring trusts most of what it reads, so everything is checked
/// before it sees a byte: sizes within the input, ascending keys, offsets that point to the
/// containers, and containers that are sorted and have the cardinality that the header states.
/// Throws `ErrorCode::kInvalid` with the offset in `bytes`. Allocates nothing.
///
///     cookie (and a bit per container: is it a run container?)
///     per container: key, cardinality − 1                            u16, u16
///     per container: its offset from the cookie                      u32, left out if < 4 with
///     runs containers: sorted u16s | 8192 bytes of bits | run count, (first, length − 1)s
NUNATAK_EXPORT size_t CheckRoaringBitmap(ByteSpan bytes, size_t begin);

}  // namespace nunatak::iceberg
