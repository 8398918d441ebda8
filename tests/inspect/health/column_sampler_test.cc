#include "nunatak/inspect/health/column_sampler.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "iceberg/metadata_texts.h"

namespace nunatak {
namespace {

using iceberg::JsonText;

TEST(MetricsMode, IsWhatThePropertySays) {
  const MetricsMode sixteen{.bounds = true, .truncated_to = 16};
  EXPECT_EQ(MetricsMode::Parse("none"), (MetricsMode{.bounds = false}));
  EXPECT_EQ(MetricsMode::Parse("Counts"), (MetricsMode{.bounds = false}));
  EXPECT_EQ(MetricsMode::Parse("full"), (MetricsMode{.truncated_to = std::nullopt}));
  EXPECT_EQ(MetricsMode::Parse("TRUNCATE(4)"), (MetricsMode{.truncated_to = 4}));
  for (const char* text : {"", "truncate", "truncate()", "truncate(0)", "truncate(-4)",
                           "truncate(4", "truncate(99999999999999999999)", "partly"}) {
    EXPECT_EQ(MetricsMode::Parse(text), sixteen) << text;
  }
}

JsonText WithColumns() {
  JsonText json = iceberg::TextV2();
  json["schemas"][0]["fields"] = JsonText::parse(R"([
    {"id": 1, "name": "id", "required": true, "type": "long"},
    {"id": 2, "name": "s", "required": false, "type": {"type": "struct", "fields": [
      {"id": 3, "name": "url", "required": false, "type": "string"}]}},
    {"id": 4, "name": "list", "required": false, "type": {
      "type": "list", "element-id": 5, "element": "int", "element-required": false}},
    {"id": 6, "name": "payload", "required": false, "type": "binary"}])");
  json["last-column-id"] = 6;
  return json;
}

TEST(ColumnsToSample, AreThoseThatCanHaveBounds) {
  JsonText json = WithColumns();
  json["properties"] = {{"write.metadata.metrics.default", "counts"},
                        {"write.metadata.metrics.column.s.url", "truncate(8)"}};
  json["default-sort-order-id"] = 1;
  json["sort-orders"].push_back(JsonText::parse(R"({"order-id": 1, "fields": [
    {"source-id": 3, "transform": "truncate[4]", "direction": "asc", "null-order": "nulls-first"},
    {"source-id": 1, "transform": "identity", "direction": "asc", "null-order": "nulls-first"}]})"));
  const auto metadata = iceberg::Parse(json);
  const auto columns = ColumnsToSample(*metadata, metadata->current_schema());
  ASSERT_EQ(columns.size(), 3U);
  EXPECT_EQ(columns[0].column.name, "id");
  EXPECT_FALSE(columns[0].mode.bounds);
  EXPECT_FALSE(columns[0].leads_sort_order);
  EXPECT_EQ(columns[1].column.name, "s.url");
  EXPECT_EQ(columns[1].mode.truncated_to, 8);
  EXPECT_TRUE(columns[1].leads_sort_order);
  EXPECT_EQ(columns[2].column.name, "payload");
}

TEST(ColumnsToSample, AreAHundredAtMost) {
  JsonText json = WithColumns();
  for (int i = 0; i < 200; ++i) {
    json["schemas"][0]["fields"].push_back(
        {{"id", 10 + i}, {"name", "c" + std::to_string(i)}, {"required", false}, {"type", "int"}});
  }
  json["last-column-id"] = 300;
  const auto metadata = iceberg::Parse(json);
  EXPECT_EQ(ColumnsToSample(*metadata, metadata->current_schema()).size(), 100U);
}

/// One text column, of which files record something.
class OneColumn : public testing::Test {
 protected:
  ColumnFigures FiguresOf(const std::vector<std::optional<ColumnMetrics>>& files) {
    const MetricsLayout layout(std::vector{columns_[0].column}, schema_);
    ColumnSampler sampler(columns_, layout);
    for (const auto& metrics : files) {
      DataFile file;
      file.record_count = rows_;
      if (metrics) file.metrics = {*metrics};
      sampler.Add(file);
    }
    return sampler.Finish(static_cast<int64_t>(files.size())).at(0);
  }

  static ColumnMetrics Bounds(std::string lower, std::string upper) {
    return {.field_id = 1,
            .value_count = 10,
            .null_value_count = 0,
            .lower_bound = std::move(lower),
            .upper_bound = std::move(upper)};
  }

  Schema schema_{0, {{.id = 1, .name = "url", .type = TypeId::kString}}};
  std::vector<SampledColumn> columns_ = {
      {.column = {.field_id = 1, .type = TypeId::kString, .name = "url"}}};
  int64_t rows_ = 10;
};

TEST_F(OneColumn, AFileHasBoundsNoValuesOrLacksBounds) {
  const ColumnMetrics nulls{.field_id = 1, .value_count = 10, .null_value_count = 10};
  const ColumnMetrics counts{.field_id = 1, .value_count = 10, .null_value_count = 2};
  const ColumnFigures figures =
      FiguresOf({Bounds("a", "b"), nulls, counts, std::nullopt, Bounds("c", "d")});
  EXPECT_EQ(figures.with_bounds, 2);
  EXPECT_EQ(figures.without_values, 1);
  EXPECT_EQ(figures.missing, 2);
}

TEST_F(OneColumn, BoundsInTheWrongOrderAreNone) {
  const ColumnFigures figures = FiguresOf({Bounds("b", "a"), Bounds("a", "a")});
  EXPECT_EQ(figures.with_bounds, 1);
  EXPECT_EQ(figures.missing, 1);
}

TEST_F(OneColumn, AFileWithoutRowsLacksNothing) {
  rows_ = 0;
  EXPECT_EQ(FiguresOf({std::nullopt}).missing, 0);
}

TEST_F(OneColumn, AFileThatIsOlderThanTheColumnLacksNothing) {
  columns_[0].is_original = false;
  const ColumnMetrics counts{.field_id = 1, .value_count = 10, .null_value_count = 2};
  const ColumnFigures figures = FiguresOf({std::nullopt, counts});
  EXPECT_EQ(figures.without_values, 1);
  EXPECT_EQ(figures.missing, 1);
}

TEST_F(OneColumn, AFileOfOnePartitionValueLacksNothing) {
  columns_[0].identity_specs = {0};
  EXPECT_EQ(FiguresOf({std::nullopt}).missing, 0);
  columns_[0].identity_specs = {1};
  EXPECT_EQ(FiguresOf({std::nullopt}).missing, 1);
}

TEST_F(OneColumn, BoundsAreTruncatedWhereTheyDifferInTheLastCharacterKept) {
  columns_[0].mode.truncated_to = 4;
  struct Case {
    const char* lower;
    const char* upper;
    bool truncated;
  };
  for (const Case& c : std::vector<Case>{{"http", "httq", true},
                                         {"http", "httz", true},
                                         {"htap", "httq", false},
                                         {"htt", "httq", false},
                                         {"http", "http", false},
                                         {"h\xC3\xA4t\xC3\xA4", "h\xC3\xA4t\xC3\xA5", true},
                                         {"", "", false}}) {
    EXPECT_EQ(FiguresOf({Bounds(c.lower, c.upper)}).truncated, c.truncated ? 1 : 0)
        << c.lower << " " << c.upper;
  }
  columns_[0].mode.truncated_to = std::nullopt;
  EXPECT_EQ(FiguresOf({Bounds("http", "httq")}).truncated, 0);
}

TEST_F(OneColumn, DepthIsThatOfTheBounds) {
  const ColumnFigures figures = FiguresOf({Bounds("a", "c"), Bounds("b", "d"), Bounds("e", "f")});
  EXPECT_NEAR(figures.depth.average, 4.0 / 3, 1e-9);
  EXPECT_EQ(figures.depth.max, 2);
  EXPECT_NEAR(figures.overlap, 4.0 / 9, 1e-9);
}

}  // namespace
}  // namespace nunatak
