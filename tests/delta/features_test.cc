#include "nunatak/delta/features.h"

#include <gtest/gtest.h>

#include "delta/log_fixture.h"

namespace nunatak::delta {
namespace {

TEST(Features, ReaderVersionsUpToThreeAreRead) {
  for (const int32_t version : {1, 2, 3}) {
    EXPECT_NO_THROW(RequireReadable({.min_reader_version = version, .min_writer_version = 7}));
  }
  const std::string error =
      ErrorOf(ErrorCode::kUnsupported, [] { RequireReadable({.min_reader_version = 4}); });
  EXPECT_NE(error.find("reader version 4"), std::string::npos) << error;
}

TEST(Features, EveryReaderFeatureOfTheProtocolIsRead) {
  // Specification, "Valid Feature Names in Table Features", those for readers.
  RequireReadable({.min_reader_version = 3,
                   .reader_features = {"columnMapping", "deletionVectors", "timestampNtz",
                                       "v2Checkpoint", "vacuumProtocolCheck", "typeWidening",
                                       "variantType", "variantShredding"}});
}

TEST(Features, UnknownReaderFeaturesAreRefusedByName) {
  const std::string error = ErrorOf(ErrorCode::kUnsupported, [] {
    RequireReadable({.min_reader_version = 3,
                     .reader_features = {"columnMapping", "quantumColumns", "catalogManaged"}});
  });
  EXPECT_NE(error.find("'quantumColumns'"), std::string::npos) << error;
  EXPECT_NE(error.find("'catalogManaged'"), std::string::npos) << error;
  EXPECT_EQ(error.find("columnMapping"), std::string::npos) << error;
}

TEST(Features, WhatWritersMustKnowDoesNotMatter) {
  RequireReadable({.min_reader_version = 1,
                   .min_writer_version = 99,
                   .writer_features = {"quantumConstraints"}});
  // Listed features count from reader version 3 on.
  RequireReadable({.min_reader_version = 2, .reader_features = {"quantumColumns"}});
}

TEST(Features, ReaderVersionTwoHasColumnMapping) {
  EXPECT_FALSE(HasReaderFeature({.min_reader_version = 1}, "columnMapping"));
  EXPECT_TRUE(HasReaderFeature({.min_reader_version = 2}, "columnMapping"));
  EXPECT_FALSE(HasReaderFeature({.min_reader_version = 3}, "columnMapping"));
  EXPECT_TRUE(HasReaderFeature({.min_reader_version = 3, .reader_features = {"columnMapping"}},
                               "columnMapping"));
}

}  // namespace
}  // namespace nunatak::delta
