#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

#include "nunatak/base/export.h"

namespace nunatak {

/// What kind of failure an `Error` reports. The command line maps each to one exit code.
enum class ErrorCode : uint8_t {
  kUsage,     ///< The caller asked for something malformed: a filter, an option, a name.
  kNotFound,  ///< The table, ref, snapshot or version that the caller named does not exist.
  kInvalid,   ///< The table or its data breaks the specification, or one of its files is missing.
  kUnsupported,  ///< A feature that this build does not read.
  kIo,           ///< The storage failed or refused.
  kConflict,     ///< Another writer committed first.
  kCancelled,    ///< The caller's stop token was triggered.
};

/// The one exception of the library. The message says what is wrong and where (file, byte offset,
/// field); the hint, which may be empty, says what to do about it.
class NUNATAK_EXPORT Error : public std::exception {
 public:
  Error(ErrorCode code, std::string message, std::string hint = "");

  ErrorCode code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& hint() const { return hint_; }
  /// The message alone; printing the hint is the caller's choice.
  const char* what() const noexcept override { return message_.c_str(); }

  /// Puts `where` and ": " before the message: each caller that knows more about the place says so
  /// while the error passes through it.
  void AddContext(std::string_view where);

 private:
  ErrorCode code_;
  std::string message_;
  std::string hint_;
};

/// The exit code of the `nunatak` command for an error of this kind: 2 usage, 3 not found, 4
/// invalid, 5 unsupported, 6 I/O, 7 conflict, 130 cancelled.
NUNATAK_EXPORT int ExitCode(ErrorCode code);

[[noreturn]] NUNATAK_EXPORT void ThrowInvalid(std::string message, std::string hint = "");
[[noreturn]] NUNATAK_EXPORT void ThrowUnsupported(std::string message, std::string hint = "");
[[noreturn]] NUNATAK_EXPORT void ThrowUsage(std::string message, std::string hint = "");

/// Runs `body`; an `Error` that leaves it has `where` put before its message.
template <typename Body>
decltype(auto) WithContext(std::string_view where, Body&& body) {
  try {
    return body();
  } catch (Error& error) {
    error.AddContext(where);
    throw;
  }
}

}  // namespace nunatak
