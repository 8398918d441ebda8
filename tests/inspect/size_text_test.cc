#include "nunatak/inspect/size_text.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace nunatak
