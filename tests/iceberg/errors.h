#pragma once

#include <gtest/gtest.h>

#include "nunatak/base/error.h"

namespace nunatak::iceberg {

/// Calls `call`, which must throw an `Error` of this kind; returns its message and hint in one
/// text.
template <typename Call>
std::string ErrorOf(ErrorCode code, Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(ExitCode(error.code()), ExitCode(code)) << error.message();
    return error.message() + " | " + error.hint();
  }
  ADD_FAILURE() << "no error was thrown";
  return "";
}

}  // namespace nunatak::iceberg
