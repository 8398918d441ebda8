#pragma once

#include <cstdint>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"

namespace nunatak {

/// The ranges in order of their offsets, where those that overlap, and those with at most `max_gap`
/// bytes between them, are one: a request costs more than so many bytes. A range that lies within
/// no other is not joined to make more than `max_length` bytes. Every range lies in one of those
/// that are returned.
NUNATAK_EXPORT std::vector<ByteRange> JoinRanges(std::vector<ByteRange> ranges, int64_t max_gap,
                                                 int64_t max_length);

}  // namespace nunatak
