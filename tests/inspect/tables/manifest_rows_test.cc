#include "nunatak/inspect/tables/manifest_rows.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "iceberg/errors.h"
#include "iceberg/manifest_builder.h"
#include "nunatak/iceberg/manifest_cache.h"

namespace nunatak {
namespace {

using iceberg::AvroFields;
using iceberg::DataFileFields;
using iceberg::EntryFieldsOf;
using iceberg::ErrorOf;
using iceberg::Int;
using iceberg::ManifestBytes;
using testing::AvroBytes;

/// The rows of a manifest of an unpartitioned table.
class Rows {
 public:
  explicit Rows(const std::string& bytes) : file_(ListEntry()), rows_(Walk(bytes, file_), file_) {}

  const ManifestRows& operator*() const { return rows_; }
  const ManifestRows* operator->() const { return &rows_; }

 private:
  static iceberg::ManifestFile ListEntry() {
    iceberg::ManifestFile file;
    file.manifest_path = "m.avro";
    file.sequence_number = 7;
    return file;
  }
  static iceberg::EntryWalk Walk(const std::string& bytes, const iceberg::ManifestFile& file) {
    return {Buffer::From(std::vector<uint8_t>(bytes.begin(), bytes.end())),
            file,
            PartitionSpec(),
            Type::Struct({}),
            "",
            *iceberg::ManifestCache::Disabled()};
  }

  iceberg::ManifestFile file_;
  ManifestRows rows_;
};

const iceberg::HeaderEntries kVersion2 = {{"format-version", "2"}, {"content", "data"}};
constexpr uint32_t kFirst[] = {0};

TEST(ManifestRows, HaveWhatEachEntryRecordsAndInherits) {
  const Rows rows(ManifestBytes(EntryFieldsOf(DataFileFields()), kVersion2));
  ASSERT_EQ(rows->size(), 1U);
  EXPECT_EQ(rows->head(0).sequence_number, 7);
  EXPECT_EQ(rows->Scalar(ContentFileId::kFilePath, 0).text(), "data/a.parquet");
  EXPECT_EQ(rows->Scalar(ContentFileId::kFileFormat, 0).text(), "PARQUET");
  EXPECT_EQ(rows->Scalar(ContentFileId::kRecordCount, 0).integer, 10);
  EXPECT_TRUE(rows->Scalar(ContentFileId::kSortOrderId, 0).is_null());
  std::vector<int64_t> numbers;
  EXPECT_FALSE(rows->Numbers(ContentFileId::kSplitOffsets, 0, &numbers));
  EXPECT_FALSE(rows->HasMetrics(MetricMap::kValueCounts, 0));
}

TEST(ManifestRows, ASequenceNumberThatMayNotBeInheritedIsAnErrorOfItsEntry) {
  AvroFields entry = EntryFieldsOf(DataFileFields());
  entry[0] = Int("status", 0, static_cast<int32_t>(iceberg::EntryStatus::kExisting));
  const std::string message =
      ErrorOf(ErrorCode::kInvalid, [&] { Rows rows(ManifestBytes(entry, kVersion2)); });
  EXPECT_NE(message.find("entry 0: sequence_number is null"), std::string::npos) << message;
}

TEST(ManifestRows, WhatAVisitorThrowsNamesTheManifestAndTheEntry) {
  const Rows rows(ManifestBytes(EntryFieldsOf(DataFileFields()), kVersion2));
  constexpr uint32_t kFirst[] = {0};
  const std::string message = ErrorOf(ErrorCode::kInvalid, [&] {
    rows->ForEach(kFirst, [](size_t) { ThrowInvalid("it is odd"); });
  });
  EXPECT_NE(message.find("m.avro: entry 0: it is odd"), std::string::npos) << message;
}

using Pairs = std::vector<std::pair<int32_t, int64_t>>;

/// The value counts of a file whose map has these pairs.
Pairs CountsOf(const Pairs& written) {
  std::vector<std::string> items;
  for (const auto& [key, value] : written) {
    items.push_back(AvroBytes().Int(key).Long(value).bytes());
  }
  AvroFields file = DataFileFields();
  file.push_back(
      iceberg::Map("value_counts", 109, 119, 120, "long", AvroBytes().Items(items).bytes()));
  const Rows rows(ManifestBytes(EntryFieldsOf(file), kVersion2));
  EXPECT_TRUE(rows->HasMetrics(MetricMap::kValueCounts, 0));
  std::vector<MetricPair> pairs;
  rows->AppendMetrics(MetricMap::kValueCounts, 0, &pairs);
  Pairs found;
  for (const MetricPair& pair : pairs) found.emplace_back(pair.field_id, pair.count);
  return found;
}

TEST(ManifestRows, MetricsAscendWithTheLastOfThoseThatComeTwice) {
  EXPECT_EQ(CountsOf({}), Pairs());
  EXPECT_EQ(CountsOf({{1, 10}, {2, 20}}), (Pairs{{1, 10}, {2, 20}}));
  EXPECT_EQ(CountsOf({{9, 90}, {4, 40}, {6, 60}, {4, 41}}), (Pairs{{4, 41}, {6, 60}, {9, 90}}));
  EXPECT_EQ(CountsOf({{4, 1}, {4, 2}, {4, 3}}), (Pairs{{4, 3}}));
}

TEST(ManifestRows, NegativeCountsAreLeftOut) {
  EXPECT_EQ(CountsOf({{1, -1}, {2, 3}, {1, 5}}), (Pairs{{1, 5}, {2, 3}}));
}

TEST(ManifestRows, AFieldIdBelowZeroIsAnError) {
  ErrorOf(ErrorCode::kInvalid, [] { CountsOf({{-1, 1}}); });
}

}  // namespace
}  // namespace nunatak
