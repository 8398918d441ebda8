#include "nunatak/cli/memory_option.h"

#include <gtest/gtest.h>

#include "nunatak/base/error.h"

namespace nunatak::cli {
namespace {

TEST(MemoryOption, IsASizeOrAShareOfWhatThereIs) {
  EXPECT_EQ(MemoryOption{.size = "64MB"}.Budget(), int64_t{64} << 20);
  EXPECT_EQ(MemoryOption{.size = "1"}.Budget(), 1);
  EXPECT_GT(AvailableMemory(), 0);
  EXPECT_EQ(MemoryOption{}.Budget(), AvailableMemory() / 4);
}

TEST(MemoryOption, AnythingElseIsAUsageError) {
  for (const char* text : {"", "0", "-1", "lots", "1.5GB", "9999999PB"}) {
    try {
      MemoryOption{.size = text}.Budget();
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage) << text;
    }
  }
}

}  // namespace
}  // namespace nunatak::cli
