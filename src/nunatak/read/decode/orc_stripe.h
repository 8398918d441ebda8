#pragma once

#include <cstdint>
#include <span>

#include "nunatak/base/bytes.h"
#include "nunatak/read/decode/orc_tail.h"

namespace nunatak {

/// Checks what Arrow's reader believes of a stripe, and would allocate or count for: the lengths of
/// texts, lists, maps and dictionaries, and the scales of decimals. `bytes` are those of the
/// stripe; the columns of the top-level fields `fields` are looked at. Throws
/// `ErrorCode::kInvalid` where they cannot be true, with the byte offset of the stream.
void CheckStripe(const OrcTail& tail, const OrcStripe& stripe, ByteSpan bytes,
                 std::span<const int> fields);

}  // namespace nunatak
