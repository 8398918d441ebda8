#include "nunatak/base/error.h"

#include <gtest/gtest.h>

namespace nunatak {
namespace {

TEST(Error, CarriesCodeMessageAndHint) {
  const Error error(ErrorCode::kNotFound, "no snapshot 7", "list them with `nunatak snapshots`");
  EXPECT_EQ(error.code(), ErrorCode::kNotFound);
  EXPECT_EQ(error.message(), "no snapshot 7");
  EXPECT_EQ(error.hint(), "list them with `nunatak snapshots`");
  EXPECT_STREQ(error.what(), "no snapshot 7");
}

TEST(Error, TheHintMayBeEmpty) { EXPECT_EQ(Error(ErrorCode::kIo, "disk is gone").hint(), ""); }

// The contract of the command line: one exit code per kind of failure.
TEST(Error, EachCodeHasItsExitCode) {
  EXPECT_EQ(ExitCode(ErrorCode::kUsage), 2);
  EXPECT_EQ(ExitCode(ErrorCode::kNotFound), 3);
  EXPECT_EQ(ExitCode(ErrorCode::kInvalid), 4);
  EXPECT_EQ(ExitCode(ErrorCode::kUnsupported), 5);
  EXPECT_EQ(ExitCode(ErrorCode::kIo), 6);
  EXPECT_EQ(ExitCode(ErrorCode::kConflict), 7);
  EXPECT_EQ(ExitCode(ErrorCode::kCancelled), 130);
}

template <typename Throw>
Error Caught(Throw body) {
  try {
    body();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(ErrorCode::kIo, "");
}

TEST(Error, EachThrowFunctionHasItsCode) {
  EXPECT_EQ(Caught([] { ThrowInvalid("m", "h"); }).code(), ErrorCode::kInvalid);
  EXPECT_EQ(Caught([] { ThrowUnsupported("m", "h"); }).code(), ErrorCode::kUnsupported);
  EXPECT_EQ(Caught([] { ThrowUsage("m", "h"); }).code(), ErrorCode::kUsage);
  EXPECT_EQ(Caught([] { ThrowUsage("m", "h"); }).message(), "m");
  EXPECT_EQ(Caught([] { ThrowUsage("m", "h"); }).hint(), "h");
}

TEST(WithContext, EachCallerPutsItsPlaceInFront) {
  const Error error = Caught([] {
    WithContext("v1.metadata.json", [] {
      WithContext("schemas", [] { ThrowUnsupported("type 'blob' is unknown", "upgrade"); });
    });
  });
  EXPECT_EQ(error.message(), "v1.metadata.json: schemas: type 'blob' is unknown");
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_EQ(error.hint(), "upgrade");
}

TEST(WithContext, ReturnsWhatTheBodyReturns) {
  int value = 5;
  int& reference = WithContext("here", [&]() -> int& { return value; });
  EXPECT_EQ(&reference, &value);
}

TEST(WithContext, LeavesOtherExceptionsAlone) {
  EXPECT_THROW(WithContext("here", [] { throw std::bad_alloc(); }), std::bad_alloc);
}

}  // namespace
}  // namespace nunatak
