#pragma once

#include <cstddef>
#include <functional>

#include "nunatak/base/context.h"
#include "nunatak/io/file_io.h"

namespace nunatak::hive {

/// Calls `body(i)`, which makes requests, for each i below `count`: with `Context::io_concurrency`
/// of them in flight where requests wait for a network, else on the context's workers; and then
/// `take(i)`, if given, one after the other and in order, on the calling thread. Throws what the
/// first of them throws.
void InParallel(const FileIO& io, const Context& context, size_t count,
                const std::function<void(size_t)>& body,
                const std::function<void(size_t)>& take = nullptr);

}  // namespace nunatak::hive
