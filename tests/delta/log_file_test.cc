#include "nunatak/delta/log_file.h"

#include <gtest/gtest.h>

namespace nunatak::delta {
namespace {

TEST(LogFileName, EachKind) {
  const std::string uuid = "80a083e8-7026-4e79-81be-64bd76c43a11";
  const std::pair<std::string, LogFileName> cases[] = {
      {"00000000000000000003.json", {LogFileKind::kCommit, 3, 3}},
      {"09223372036854775807.json", {LogFileKind::kCommit, INT64_MAX, INT64_MAX}},
      {"00000000000000000003.crc", {LogFileKind::kChecksum, 3, 3}},
      {"00000000000000000004.00000000000000000006.compacted.json",
       {LogFileKind::kCompaction, 4, 6}},
      {"00000000000000000010.checkpoint.parquet", {LogFileKind::kCheckpoint, 10, 10}},
      {"00000000000000000010.checkpoint.0000000002.0000000003.parquet",
       {LogFileKind::kCheckpointPart, 10, 10, 2, 3}},
      {"00000000000000000010.checkpoint." + uuid + ".parquet",
       {LogFileKind::kUuidCheckpoint, 10, 10}},
      {"00000000000000000010.checkpoint." + uuid + ".json",
       {LogFileKind::kUuidCheckpoint, 10, 10, 1, 1, true}},
  };
  for (const auto& [name, file] : cases) EXPECT_EQ(ParseLogFileName(name), file) << name;
}

TEST(LogFileName, WhatIsNotOfTheLog) {
  for (const char* name :
       {"", "_last_checkpoint", "_sidecars", ".00000000000000000003.json.crc", "3.json",
        "0000000000000000000a.json", "00000000000000000003", "00000000000000000003.json.tmp",
        "99999999999999999999.json", "00000000000000000003.checkpoint.json",
        "00000000000000000003.checkpoint.x.parquet",
        "00000000000000000003.checkpoint.0000000000.0000000003.parquet",
        "00000000000000000003.checkpoint.0000000004.0000000003.parquet",
        "00000000000000000003.checkpoint.1.3.parquet",
        "00000000000000000006.00000000000000000004.compacted.json",
        "00000000000000000004.00000000000000000004.compacted.json"}) {
    EXPECT_EQ(ParseLogFileName(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace nunatak::delta
