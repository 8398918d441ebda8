#include "nunatak/table/data_file.h"

#include <gtest/gtest.h>

#include "table/thrown_error.h"

namespace nunatak {
namespace {

TEST(FileFormat, IsParsedWithoutCase) {
  EXPECT_EQ(ParseFileFormat("PARQUET"), FileFormat::kParquet);
  EXPECT_EQ(ParseFileFormat("avro"), FileFormat::kAvro);
  EXPECT_EQ(ParseFileFormat("Orc"), FileFormat::kOrc);
  EXPECT_EQ(ParseFileFormat("puffin"), FileFormat::kPuffin);
  for (FileFormat format :
       {FileFormat::kAvro, FileFormat::kOrc, FileFormat::kParquet, FileFormat::kPuffin}) {
    EXPECT_EQ(ParseFileFormat(ToString(format)), format);
  }
}

TEST(FileFormat, RefusesOthersByName) {
  for (const char* name : {"csv", "", "parquet2"}) {
    EXPECT_ERROR(ParseFileFormat(name), ErrorCode::kUnsupported, std::string("'") + name + "'");
  }
}

TEST(FileContent, IsSpelledAsInTheRestSpecification) {
  EXPECT_EQ(ToString(FileContent::kData), "data");
  EXPECT_EQ(ToString(FileContent::kPositionDeletes), "position-deletes");
  EXPECT_EQ(ToString(FileContent::kEqualityDeletes), "equality-deletes");
}

TEST(DataFile, FindsTheMetricsOfAColumn) {
  DataFile file;
  EXPECT_EQ(file.FindMetrics(1), nullptr);
  for (int32_t id : {1, 3, 2147483647}) file.metrics.emplace_back().field_id = id;
  for (int32_t id : {1, 3, 2147483647}) {
    ASSERT_NE(file.FindMetrics(id), nullptr);
    EXPECT_EQ(file.FindMetrics(id)->field_id, id);
  }
  for (int32_t id : {-1, 0, 2, 4}) EXPECT_EQ(file.FindMetrics(id), nullptr) << id;
}

TEST(DataFile, IsADeletionVectorOnlyInPuffinForm) {
  DataFile file;
  EXPECT_TRUE(file.is_data());
  file.content = FileContent::kPositionDeletes;
  EXPECT_FALSE(file.is_deletion_vector());
  file.file_format = FileFormat::kPuffin;
  EXPECT_TRUE(file.is_deletion_vector());
  file.content = FileContent::kEqualityDeletes;
  EXPECT_FALSE(file.is_deletion_vector());
}

}  // namespace
}  // namespace nunatak
