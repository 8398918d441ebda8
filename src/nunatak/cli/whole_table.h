#pragma once

#include <string>

#include "nunatak/base/error.h"

namespace nunatak::cli {

/// Runs what sums a table up: figures of a part of it would pass for those of the whole, so that
/// the first file that is missing or broken ends it. The error says what finds the others.
template <typename Measure>
auto OfWholeTable(Measure measure) {
  try {
    return measure();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInvalid) throw;
    throw Error(error.code(), error.message(),
                error.hint() + (error.hint().empty() ? "" : "; ") +
                    "nunatak verify lists everything that is missing or broken");
  }
}

}  // namespace nunatak::cli
