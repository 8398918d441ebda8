#pragma once

#include <arrow/result.h>
#include <arrow/status.h>
#include <parquet/exception.h>

#include <exception>
#include <new>
#include <utility>

#include "nunatak/base/error.h"

namespace nunatak {

/// The error that stands for a failed Arrow status; callers add the file.
inline Error ErrorOf(const arrow::Status& status) {
  return Error(status.IsNotImplemented() ? ErrorCode::kUnsupported : ErrorCode::kInvalid,
               status.message());
}

inline void CheckOk(const arrow::Status& status) {
  if (!status.ok()) throw ErrorOf(status);
}

template <typename T>
T ValueOrThrow(arrow::Result<T> result) {
  CheckOk(result.status());
  return std::move(result).ValueUnsafe();
}

/// Runs `body`, which calls Arrow or Parquet; whatever they throw leaves as an `Error`.
template <typename Body>
decltype(auto) GuardArrow(Body&& body) {
  try {
    return body();
  } catch (const Error&) {
    throw;
  } catch (const parquet::ParquetStatusException& error) {
    throw ErrorOf(error.status());
  } catch (const std::bad_alloc&) {
    ThrowInvalid("decoding asks for more memory than there is", "the file may be damaged");
  } catch (const std::exception& error) {
    ThrowInvalid(error.what());
  }
}

}  // namespace nunatak
