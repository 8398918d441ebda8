// Which files a filter leaves out, by what the log says of them.
#include <gtest/gtest.h>

#include "delta/log_fixture.h"

namespace nunatak::delta {
namespace {

using Names = std::vector<std::string>;

/// Whether a file with these statistics of its one column is planned for a filter.
bool IsPlanned(std::string_view type, const std::string& stats, const std::string& where,
               std::string_view more = "") {
  LogFixture log;
  log.Commit(0, {ProtocolWith(R"("deletionVectors","timestampNtz")"),
                 MetadataJson({FieldJson("c", fmt::format("\"{}\"", type))}),
                 AddJson("a", stats, "", more)});
  return !log.Files(where).empty();
}

std::string Stats(std::string_view min, std::string_view max, int64_t nulls = 0) {
  return fmt::format(
      R"({{"numRecords":10,"minValues":{{"c":{}}},"maxValues":{{"c":{}}},"nullCount":{{"c":{}}}}})",
      min, max, nulls);
}

struct Case {
  std::string type;
  std::string stats;
  std::string kept;
  std::string left_out;
};

TEST(Statistics, BoundsOfEachType) {
  const Case cases[] = {
      {"byte", Stats("-128", "5"), "c = 5", "c = 6"},
      {"short", Stats("-5", "5"), "c = -5", "c < -5"},
      {"integer", Stats("1", "5"), "c > 4", "c > 5"},
      {"long", Stats("9007199254740993", "9007199254740995"), "c = 9007199254740993",
       "c < 9007199254740993"},
      {"float", Stats("0.1", "0.5"), "c <= 0.1", "c < 0.0"},
      {"double", Stats("0.1", "0.5"), "c = 0.1", "c < 0.1"},
      {"decimal(10,2)", Stats("1.25", "7.5"), "c <= 1.25", "c < 1.25"},
      {"date", Stats(R"("2024-01-01")", R"("2024-02-01")"), "c = '2024-02-01'", "c = '2024-02-02'"},
      {"string", Stats(R"("b")", R"("d")"), "c = 'd'", "c = 'e'"},
      {"boolean", Stats("true", "true"), "c = true", "c = false"},
      {"timestamp", Stats(R"("2024-01-01T00:00:00.000Z")", R"("2024-01-01T00:00:01.000Z")"),
       "c = '2024-01-01T00:00:01.000999Z'", "c = '2024-01-01T00:00:01.001Z'"},
      {"timestamp",
       Stats(R"("2024-01-01T02:00:00.000+02:00")", R"("2024-01-01T02:00:00.000+02:00")"),
       "c = '2024-01-01T00:00:00Z'", "c = '2024-01-01T02:00:00Z'"},
      {"timestamp_ntz", Stats(R"("2024-01-01T00:00:00.000")", R"("2024-01-01T00:00:01.000")"),
       "c > '2024-01-01T00:00:01.0005'", "c > '2024-01-01T00:00:01.001'"},
  };
  for (const Case& c : cases) {
    EXPECT_TRUE(IsPlanned(c.type, c.stats, c.kept)) << c.type << " " << c.kept;
    EXPECT_FALSE(IsPlanned(c.type, c.stats, c.left_out)) << c.type << " " << c.left_out;
  }
}

TEST(Statistics, NullCounts) {
  EXPECT_FALSE(IsPlanned("long", Stats("1", "2", 0), "c is null"));
  EXPECT_TRUE(IsPlanned("long", Stats("1", "2", 1), "c is null"));
  const std::string all_null =
      R"({"numRecords":10,"minValues":{},"maxValues":{},"nullCount":{"c":10}})";
  EXPECT_FALSE(IsPlanned("long", all_null, "c is not null"));
  EXPECT_FALSE(IsPlanned("long", all_null, "c = 1"));
  EXPECT_TRUE(IsPlanned("long", all_null, "c is null"));
}

TEST(Statistics, WideBoundsCountNullsOnlyAtTheEnds) {
  const auto wide = [](int64_t nulls) {
    return fmt::format(R"({{"numRecords":10,"tightBounds":false,"minValues":{{"c":1}},)"
                       R"("maxValues":{{"c":5}},"nullCount":{{"c":{}}}}})",
                       nulls);
  };
  EXPECT_FALSE(IsPlanned("long", wide(0), "c is null"));
  EXPECT_FALSE(IsPlanned("long", wide(10), "c is not null"));
  EXPECT_TRUE(IsPlanned("long", wide(4), "c is null"));
  EXPECT_TRUE(IsPlanned("long", wide(4), "c is not null"));
  EXPECT_FALSE(IsPlanned("long", wide(4), "c > 5"));
}

TEST(Statistics, StringsMayHaveBeenCut) {
  const std::string prefix(32, 'x');
  const std::string stats = Stats("\"a\"", "\"" + prefix + "\"");
  EXPECT_TRUE(IsPlanned("string", stats, "c = '" + prefix + "zz'"));
  EXPECT_FALSE(IsPlanned("string", stats, "c = '" + prefix.substr(0, 31) + "y'"));
  // Characters count, not bytes.
  std::string wide;
  for (int i = 0; i < 31; ++i) wide += "\xc3\xa9";
  EXPECT_FALSE(IsPlanned("string", Stats("\"a\"", "\"" + wide + "\""), "c = '" + wide + "z'"));
  wide += "\xc3\xa9";
  EXPECT_TRUE(IsPlanned("string", Stats("\"a\"", "\"" + wide + "\""), "c = '" + wide + "z'"));
}

TEST(Statistics, TimestampsBeforeTheEpochMayHaveBeenCutUpwards) {
  const std::string stats = Stats(R"("1969-12-31T23:59:59.000Z")", R"("1969-12-31T23:59:59.500Z")");
  EXPECT_TRUE(IsPlanned("timestamp", stats, "c = '1969-12-31T23:59:58.999001Z'"));
  EXPECT_TRUE(IsPlanned("timestamp", stats, "c = '1969-12-31T23:59:59.500999Z'"));
  EXPECT_FALSE(IsPlanned("timestamp", stats, "c = '1969-12-31T23:59:58.999Z'"));
}

TEST(Statistics, NaNIsAboveAllNumbers) {
  const std::string nan = Stats("1.5", R"("NaN")");
  EXPECT_TRUE(IsPlanned("double", nan, "c = 1e300"));
  EXPECT_TRUE(IsPlanned("double", nan, "c > 1e300"));
  EXPECT_TRUE(IsPlanned("double", nan, "c is nan"));
  EXPECT_FALSE(IsPlanned("double", nan, "c < 1.5"));
  EXPECT_FALSE(IsPlanned("double", Stats("1.5", "2.5"), "c > 3"));
  EXPECT_FALSE(IsPlanned("double", Stats("1.5", "2.5"), "c = 3"));
  EXPECT_FALSE(IsPlanned("double", Stats("1.5", "2.5"), "c is nan"));
  EXPECT_TRUE(IsPlanned("double", Stats("-0.0", "0.0"), "c = 0"));
  EXPECT_TRUE(IsPlanned("double", Stats("\"-Infinity\"", "\"Infinity\""), "c = 1e300"));
}

TEST(Statistics, DecimalsThatWentThroughADoubleAreOnlyNear) {
  // 12345678901234567.89 as the nearest double prints it.
  const std::string stats = Stats("12345678901234568", "12345678901234568");
  EXPECT_TRUE(IsPlanned("decimal(38,2)", stats, "c = 12345678901234567.89"));
  EXPECT_FALSE(IsPlanned("decimal(38,2)", stats, "c = 12345678901234000.00"));
}

TEST(Statistics, DamageLosesTheStatisticsAndKeepsTheFile) {
  for (const char* stats : {"{", "", "[]", "null", "{\"numRecords\":\"x\"}", "{\"numRecords\":10",
                            "{\"minValues\":{\"c\":7},\"maxValues\":{\"c\":8}, oops"}) {
    EXPECT_TRUE(IsPlanned("long", stats, "c = 1")) << stats;
  }
  // A value that is none of the column's type says nothing.
  EXPECT_TRUE(IsPlanned("long", Stats("\"seven\"", "{\"a\":1}"), "c = 1"));
  EXPECT_TRUE(IsPlanned("date", Stats("\"2024-13-01\"", "\"x\""), "c = '2020-01-01'"));
}

TEST(Statistics, AFileWithoutRowsIsLeftOut) {
  EXPECT_FALSE(IsPlanned("long", R"({"numRecords":0})", "c = 1"));
  EXPECT_TRUE(IsPlanned("long", R"({"minValues":{}})", "c = 1"));
}

TEST(Statistics, DeletionVectorsMakeNullCountsLoose) {
  const std::string vector =
      R"(,"deletionVector":{"storageType":"i","pathOrInlineDv":)"
      R"("wi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L","sizeInBytes":40,"cardinality":6})";
  EXPECT_TRUE(IsPlanned("long", Stats("1", "2", 4), "c is not null", vector));
  EXPECT_TRUE(IsPlanned("long", Stats("1", "2", 4), "c is null", vector));
  EXPECT_FALSE(IsPlanned("long", Stats("1", "2", 4), "c = 3", vector));
}

TEST(Statistics, NestedColumnsByTheirPath) {
  LogFixture log;
  const std::string inner = R"({"type":"struct","fields":[)" + FieldJson("b", R"("long")") + "]}";
  log.Commit(0,
             {std::string(kProtocol), MetadataJson({FieldJson("a", inner)}),
              AddJson("x", R"({"numRecords":2,"minValues":{"a":{"b":1}},"maxValues":{"a":{"b":3}},)"
                           R"("nullCount":{"a":{"b":0}}})"),
              // The statistics of a time when the column was none.
              AddJson("y", R"({"numRecords":2,"minValues":{"a":1},"maxValues":{"a":3}})")});
  EXPECT_EQ(log.Files("a.b = 2"), (Names{"x", "y"}));
  EXPECT_EQ(log.Files("a.b = 4"), Names{"y"});
  EXPECT_EQ(log.Files("a.b is null"), Names{"y"});
}

TEST(Statistics, FilesCarryTheirMetricsWhenAsked) {
  LogFixture log;
  log.Commit(0, {std::string(kProtocol), MetadataJson({FieldJson("c", R"("integer")")}),
                 AddJson("a", Stats("1", "2", 3))});
  const auto tasks = log.Plan("", std::nullopt, {.column_metrics = true});
  const ColumnMetrics* metrics = tasks.at(0).data_file->FindMetrics(1);
  ASSERT_NE(metrics, nullptr);
  EXPECT_EQ(metrics->lower_bound, std::string("\1\0\0\0", 4));
  EXPECT_EQ(metrics->upper_bound, std::string("\2\0\0\0", 4));
  EXPECT_EQ(metrics->null_value_count, 3);
  EXPECT_EQ(metrics->value_count, 10);
  EXPECT_TRUE(log.Plan().at(0).data_file->metrics.empty());
}

TEST(Partitions, ValuesAreTextOfTheirType) {
  struct PartitionCase {
    std::string type;
    std::string text;
    std::string kept;
    std::string left_out;
  };
  const PartitionCase cases[] = {
      {"integer", "\"-7\"", "k = -7", "k = 7"},
      {"long", "\"9007199254740993\"", "k = 9007199254740993", "k = 9007199254740992"},
      {"double", "\"1.0E10\"", "k = 1e10", "k = 1"},
      {"float", "\"0.1\"", "k < 0.5", "k > 0.5"},
      {"decimal(10,3)", "\"1.5\"", "k = 1.500", "k = 1.501"},
      {"boolean", "\"true\"", "k = true", "k = false"},
      {"date", "\"2024-02-29\"", "k = '2024-02-29'", "k = '2024-03-01'"},
      {"timestamp", "\"2024-06-15 11:30:00\"", "k = '2024-06-15T11:30:00Z'",
       "k = '2024-06-15T09:30:00Z'"},
      {"timestamp", "\"2024-06-15T11:30:00.000000Z\"", "k = '2024-06-15T11:30:00Z'",
       "k = '2024-06-15T09:30:00Z'"},
      {"timestamp", "\"2024-06-15T11:30:00+02:00\"", "k = '2024-06-15T09:30:00Z'",
       "k = '2024-06-15T11:30:00Z'"},
      {"timestamp_ntz", "\"2024-06-15 11:30:00.123456\"", "k = '2024-06-15T11:30:00.123456'",
       "k = '2024-06-15T11:30:00'"},
      {"string", "\"a b\"", "k = 'a b'", "k = 'a'"},
      // Null, and text that stands for it; for strings, it is a value.
      {"string", "null", "k is null", "k = ''"},
      {"string", "\"\"", "k = ''", "k is null"},
      {"integer", "\"\"", "k is null", "k is not null"},
      {"binary", "\"\"", "k is not null", "k is null"},
      {"integer", "null", "k is null", "k is not null"},
  };
  for (const PartitionCase& c : cases) {
    LogFixture log;
    log.Commit(0, {ProtocolWith("\"timestampNtz\""),
                   MetadataJson(
                       {FieldJson("k", fmt::format("\"{}\"", c.type)), FieldJson("v", R"("long")")},
                       "\"k\""),
                   AddJson("a", "", "\"k\":" + c.text)});
    EXPECT_EQ(log.Files(c.kept).size(), 1U) << c.type << " " << c.text << " " << c.kept;
    EXPECT_TRUE(log.Files(c.left_out).empty()) << c.type << " " << c.text << " " << c.left_out;
  }
}

TEST(Partitions, AValueOfAnotherTypeIsAnErrorThatNamesTheColumn) {
  LogFixture log;
  log.Commit(0, {std::string(kProtocol), MetadataJson({FieldJson("k", R"("integer")")}, "\"k\""),
                 AddJson("a", "", R"("k":"seven")")});
  const std::string error = ErrorOf(ErrorCode::kInvalid, [&] { log.Files(); });
  EXPECT_NE(error.find("partition column k"), std::string::npos) << error;
  EXPECT_NE(error.find("'seven'"), std::string::npos) << error;
}

TEST(Partitions, MappedColumnsAreKeyedByTheirPhysicalNames) {
  LogFixture log;
  const std::string mapped =
      R"({"delta.columnMapping.id":4,"delta.columnMapping.physicalName":"col-4"})";
  const std::string other =
      R"({"delta.columnMapping.id":9,"delta.columnMapping.physicalName":"col-9"})";
  log.Commit(
      0, {ProtocolWith("\"columnMapping\""),
          MetadataJson({FieldJson("B", R"("string")", mapped), FieldJson("v", R"("long")", other)},
                       "\"B\"", R"("delta.columnMapping.mode":"name")"),
          AddJson("x", R"({"numRecords":1,"minValues":{"col-9":5},"maxValues":{"col-9":5}})",
                  R"("col-4":"x")"),
          AddJson("y", "", R"("col-4":"y")")});
  EXPECT_EQ(log.Files("B = 'x'"), Names{"x"});
  EXPECT_EQ(log.Files("v = 6"), Names{"y"});
  EXPECT_EQ(log.Load().schema().FindField("v")->id, 9);
}

}  // namespace
}  // namespace nunatak::delta
