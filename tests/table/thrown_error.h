#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "nunatak/base/error.h"

namespace nunatak {

/// Whether `body` throws an error of this code whose message contains `text`.
template <typename Body>
testing::AssertionResult FailsWith(Body&& body, ErrorCode code, std::string_view text) {
  try {
    body();
  } catch (const Error& error) {
    if (error.code() == code && error.message().find(text) != std::string::npos) {
      return testing::AssertionSuccess() << error.message();
    }
    return testing::AssertionFailure()
           << "error of code " << static_cast<int>(error.code()) << ": " << error.message();
  }
  return testing::AssertionFailure() << "nothing is thrown";
}

/// Expects an error from the expression `body`; more may be streamed to it.
#define EXPECT_ERROR(body, code, text) \
  EXPECT_TRUE(::nunatak::FailsWith([&] { static_cast<void>(body); }, code, text))

}  // namespace nunatak
