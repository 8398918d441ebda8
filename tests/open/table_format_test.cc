#include "nunatak/open/table_format.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "nunatak/base/error.h"

namespace nunatak {
namespace {

/// A directory of empty files; a name that ends in a slash is a directory.
class TableFormatTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(root_); }
  void TearDown() override { std::filesystem::remove_all(root_); }

  std::string Directory(const std::vector<std::string>& names) {
    std::filesystem::remove_all(root_);
    for (const std::string& name : names) {
      const std::filesystem::path path = std::filesystem::path(root_) / name;
      std::filesystem::create_directories(path.parent_path());
      if (!name.ends_with('/')) std::ofstream(path).flush();
    }
    return root_;
  }

  std::string root_ = testing::TempDir() + "table_format_test";
};

TEST_F(TableFormatTest, WhatLiesThereTells) {
  struct Case {
    std::vector<std::string> names;
    TableFormat format;
  };
  const std::vector<Case> cases = {
      {{"metadata/v1.metadata.json", "data/a.parquet"}, TableFormat::kIceberg},
      {{"_delta_log/00000000000000000000.json", "a.parquet"}, TableFormat::kDelta},
      // A Delta table that keeps Iceberg metadata beside its log.
      {{"_delta_log/00000000000000000000.json", "metadata/v1.metadata.json"},
       TableFormat::kIceberg},
      {{"a.parquet"}, TableFormat::kHive},
      {{"a.orc", "_SUCCESS"}, TableFormat::kHive},
      {{"a.avro"}, TableFormat::kHive},
      {{"k=1/000000_0"}, TableFormat::kHive},
  };
  for (const Case& c : cases) {
    const std::string root = Directory(c.names);
    EXPECT_EQ(DetectTableFormat(*MakeLocalFileIO(), root), c.format) << c.names.front();
  }
}

TEST_F(TableFormatTest, AMetadataFileIsIceberg) {
  EXPECT_EQ(DetectTableFormat(*MakeLocalFileIO(), "nowhere/v3.metadata.json"),
            TableFormat::kIceberg);
}

TEST_F(TableFormatTest, WhereNothingFitsTheErrorSaysWhatWouldHave) {
  const std::vector<std::vector<std::string>> cases = {
      {"empty/"}, {"notes.txt"}, {".staging/k=1/a.parquet"}, {".a.parquet"}};
  for (const std::vector<std::string>& names : cases) {
    const std::string root = Directory(names);
    try {
      DetectTableFormat(*MakeLocalFileIO(), root);
      ADD_FAILURE() << names.front();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kNotFound);
      EXPECT_NE(error.message().find("_delta_log"), std::string::npos) << error.message();
      EXPECT_NE(error.hint().find("--table-format hive"), std::string::npos) << error.hint();
    }
  }
}

TEST(TableFormat, NamesAreReadBack) {
  for (const TableFormat format :
       {TableFormat::kIceberg, TableFormat::kDelta, TableFormat::kHive}) {
    EXPECT_EQ(ParseTableFormat(ToString(format)), format);
  }
  EXPECT_THROW(ParseTableFormat("hudi"), Error);
}

}  // namespace
}  // namespace nunatak
