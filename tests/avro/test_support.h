#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "avro/avro_builder.h"
#include "nunatak/avro/decode_plan.h"
#include "nunatak/avro/record_cursor.h"
#include "nunatak/base/error.h"

namespace nunatak::avro {

/// The message of the `Error` that `body` throws; it must have the code `kInvalid` or the one
/// given.
template <typename Body>
std::string MessageOf(Body&& body, ErrorCode code = ErrorCode::kInvalid) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.message();
    return error.message();
  }
  ADD_FAILURE() << "no error";
  return "";
}

/// `EXPECT_CONTAINS(text, part)`.
inline ::testing::AssertionResult Contains(const std::string& text, std::string_view part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << text << "' does not contain '" << part << "'";
}
#define EXPECT_CONTAINS(text, part) EXPECT_TRUE(Contains(text, part))

inline std::shared_ptr<const DecodePlan> CompilePlan(std::string_view schema,
                                                     const std::vector<Wanted>& wanted) {
  return DecodePlan::Compile(Schema::Parse(schema), wanted);
}

/// A block of records; views `bytes`.
inline Block BlockOf(const std::string& bytes, int64_t count = 1) {
  return {.bytes = AsBytes(bytes), .count = count, .file_offset = 100};
}

}  // namespace nunatak::avro
