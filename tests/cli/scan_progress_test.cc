#include "nunatak/cli/scan_progress.h"

#include <gtest/gtest.h>

namespace nunatak::cli {
namespace {

std::string Text(int64_t files, std::optional<int64_t> total_files) {
  ScanCounters counters;
  counters.files = files;
  counters.rows = 1200000;
  counters.total_files = total_files;
  return ScanProgressText(counters, int64_t{85} << 20, 2);
}

TEST(ScanProgressText, SaysFilesRowsBytesAndRate) {
  EXPECT_EQ(Text(10, std::nullopt), "10 files, 1200000 rows, 85.0 MiB, 42.5 MiB/s");
}

TEST(ScanProgressText, HasABarWhenTheTotalIsKnown) {
  EXPECT_EQ(Text(10, 40),
            "[#####               ] 10 of 40 files, 1200000 rows, 85.0 MiB, 42.5 MiB/s");
  EXPECT_TRUE(Text(40, 40).starts_with("[####################] 40 of 40 files"));
  EXPECT_TRUE(Text(0, 0).starts_with("[                    ] 0 of 0 files"));
  // A total that was stated wrongly does no harm.
  EXPECT_TRUE(Text(9, 1).starts_with("[####################] 9 of 1 files"));
}

}  // namespace
}  // namespace nunatak::cli
