#include "nunatak/inspect/size_text.h"

#include <gtest/gtest.h>

#include <utility>

namespace nunatak {
namespace {

TEST(SizeText, UsesBinaryUnits) {
  EXPECT_EQ(SizeText(0), "0 B");
  EXPECT_EQ(SizeText(1023), "1023 B");
  EXPECT_EQ(SizeText(1024), "1.0 KiB");
  EXPECT_EQ(SizeText(4216), "4.1 KiB");
  EXPECT_EQ(SizeText(int64_t{3} << 30), "3.0 GiB");
  EXPECT_EQ(SizeText(INT64_MAX), "8192.0 PiB");
}

TEST(SizeText, ReadsNumbersWithAndWithoutUnits) {
  const std::pair<const char*, int64_t> cases[] = {
      {"0", 0},
      {"1048576", 1048576},
      {"010", 10},
      {"512B", 512},
      {"64k", 64 << 10},
      {"64 KB", 64 << 10},
      {"128MB", 128 << 20},
      {"128mib", 128 << 20},
      {"1G", int64_t{1} << 30},
      {"2TiB", int64_t{2} << 40},
      {"8191PB", int64_t{8191} << 50},
      {"9223372036854775807", INT64_MAX},
  };
  for (const auto& [text, bytes] : cases) EXPECT_EQ(ParseSizeText(text), bytes) << text;
}

TEST(SizeText, RefusesWhatIsNoSize) {
  for (const char* text : {"", " ", "-1", "-0", "MB", "1.5MB", "1e3", "1  MB", " 1", "1 ", "1X",
                           "1MBit", "1BB", "1iB", "8192PB", "9223372036854775808", "1\n"}) {
    EXPECT_EQ(ParseSizeText(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace nunatak
