#include "nunatak/base/error.h"

#include <utility>

namespace nunatak {

Error::Error(ErrorCode code, std::string message, std::string hint)
    : code_(code), message_(std::move(message)), hint_(std::move(hint)) {}

void Error::AddContext(std::string_view where) {
  message_.insert(0, ": ");
  message_.insert(0, where);
}

int ExitCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return 2;
    case ErrorCode::kNotFound:
      return 3;
    case ErrorCode::kInvalid:
      return 4;
    case ErrorCode::kUnsupported:
      return 5;
    case ErrorCode::kIo:
      return 6;
    case ErrorCode::kConflict:
      return 7;
    case ErrorCode::kCancelled:
      return 130;
  }
  return 6;
}

void ThrowInvalid(std::string message, std::string hint) {
  throw Error(ErrorCode::kInvalid, std::move(message), std::move(hint));
}

void ThrowUnsupported(std::string message, std::string hint) {
  throw Error(ErrorCode::kUnsupported, std::move(message), std::move(hint));
}

void ThrowUsage(std::string message, std::string hint) {
  throw Error(ErrorCode::kUsage, std::move(message), std::move(hint));
}

}  // namespace nunatak
