#include "nunatak/plan/metrics_stats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "fake_source.h"
#include "nunatak/table/metadata_columns.h"

namespace nunatak {
namespace {

using namespace std::string_literals;

BoundFilter::Column ColumnOf(Type type, bool nullable = true) {
  return {.field_id = 1, .type = std::move(type), .name = "c", .nullable = nullable};
}

ColumnStats Stats(const Type& type, const RecordedMetrics& metrics, int64_t rows = 10,
                  ColumnPlacement placement = ColumnPlacement::kTopLevel, bool nullable = true) {
  return StatsFromMetrics(ColumnOf(type, nullable), placement, metrics, rows);
}

std::string Float(double value) {
  return EncodeSingleValue(TypeId::kDouble, ValueView::Real(value));
}

TEST(MetricsStats, NothingRecordedIsUnknown) {
  const ColumnStats stats = Stats(TypeId::kDouble, {});
  EXPECT_TRUE(stats.lower.is_null());
  EXPECT_TRUE(stats.upper.is_null());
  for (Known known : {stats.has_nulls, stats.all_null, stats.has_nans, stats.all_nan}) {
    EXPECT_EQ(known, Known::kUnknown);
  }
}

struct NullCase {
  const char* what;
  ColumnPlacement placement;
  int64_t rows, values, nulls;
  Known has_nulls, all_null;
};

TEST(MetricsStats, NullCounts) {
  const auto top = ColumnPlacement::kTopLevel;
  const auto nested = ColumnPlacement::kNested;
  const auto unknown = Known::kUnknown;
  const NullCase cases[] = {
      {"no nulls", top, 10, 10, 0, Known::kNo, Known::kNo},
      {"some nulls", top, 10, 10, 4, Known::kYes, Known::kNo},
      {"only nulls", top, 10, 10, 10, Known::kYes, Known::kYes},
      {"null count absent", top, 10, 10, -1, unknown, unknown},
      {"null count negative", top, 10, 10, -7, unknown, unknown},
      {"value count absent", top, 10, -1, 4, Known::kYes, unknown},
      {"value count absent, no nulls", top, 10, -1, 0, Known::kNo, unknown},
      {"more nulls than values", top, 10, 3, 4, unknown, unknown},
      {"nulls left out of the value count", top, 10, 5, 5, Known::kYes, unknown},
      {"nested, every row counted", nested, 10, 10, 0, Known::kNo, Known::kNo},
      {"nested, rows of null structs not counted", nested, 10, 6, 0, unknown, Known::kNo},
      {"nested, all counted are null", nested, 10, 6, 6, Known::kYes, Known::kYes},
      {"nested, every struct null and none counted", nested, 10, 0, 0, unknown, Known::kYes},
      {"nested, value count absent", nested, 10, -1, 0, unknown, unknown},
      {"inside a list", ColumnPlacement::kRepeated, 10, 10, 0, unknown, unknown},
  };
  for (const NullCase& c : cases) {
    const ColumnStats stats = Stats(
        TypeId::kInt, {.value_count = c.values, .null_value_count = c.nulls}, c.rows, c.placement);
    EXPECT_EQ(stats.has_nulls, c.has_nulls) << c.what;
    EXPECT_EQ(stats.all_null, c.all_null) << c.what;
  }
}

TEST(MetricsStats, RequiredColumnsHaveNoNulls) {
  const ColumnStats stats = Stats(TypeId::kInt, {}, 10, ColumnPlacement::kTopLevel, false);
  EXPECT_EQ(stats.has_nulls, Known::kNo);
  EXPECT_EQ(stats.all_null, Known::kNo);
}

struct NanCase {
  const char* what;
  int64_t values, nulls, nans;
  Known has_nans, all_nan;
};

TEST(MetricsStats, NanCounts) {
  const auto unknown = Known::kUnknown;
  const NanCase cases[] = {
      {"no NaN", 10, 0, 0, Known::kNo, Known::kNo},
      {"some", 10, 0, 3, Known::kYes, Known::kNo},
      {"all", 10, 0, 10, Known::kYes, Known::kYes},
      {"all but the nulls", 10, 4, 6, Known::kYes, Known::kYes},
      {"absent", 10, 0, -1, unknown, unknown},
      {"null count absent", 10, -1, 6, Known::kYes, unknown},
      {"null count absent, all", 10, -1, 10, Known::kYes, Known::kYes},
      {"only nulls", 10, 10, 0, Known::kNo, unknown},
      {"counts contradict each other", 10, 8, 6, Known::kYes, unknown},
  };
  for (const NanCase& c : cases) {
    const ColumnStats stats =
        Stats(TypeId::kFloat,
              {.value_count = c.values, .null_value_count = c.nulls, .nan_value_count = c.nans});
    EXPECT_EQ(stats.has_nans, c.has_nans) << c.what;
    EXPECT_EQ(stats.all_nan, c.all_nan) << c.what;
  }
}

TEST(MetricsStats, OnlyFloatingColumnsHaveNans) {
  const ColumnStats stats = Stats(TypeId::kInt, {});
  EXPECT_EQ(stats.has_nans, Known::kNo);
  EXPECT_EQ(stats.all_nan, Known::kNo);
}

TEST(MetricsStats, NanAsABoundMakesBothUnknown) {
  const std::string nan = Float(std::numeric_limits<double>::quiet_NaN());
  const std::string one = Float(1);
  for (const auto& [lower, upper] :
       {std::pair(nan, nan), std::pair(one, nan), std::pair(nan, one)}) {
    const ColumnStats stats =
        Stats(TypeId::kDouble, {.lower_bound = AsBytes(lower), .upper_bound = AsBytes(upper)});
    EXPECT_TRUE(stats.lower.is_null());
    EXPECT_TRUE(stats.upper.is_null());
  }
}

TEST(MetricsStats, BoundsOfThePromotedTypesOldForm) {
  const std::string five("\x05\x00\x00\x00", 4);
  const ColumnStats stats =
      Stats(TypeId::kLong, {.lower_bound = AsBytes(five), .upper_bound = AsBytes(five)});
  ASSERT_FALSE(stats.lower.is_null());
  EXPECT_EQ(stats.lower.integer, 5);
  EXPECT_EQ(stats.upper.integer, 5);
}

TEST(MetricsStats, BytesOfNoFormAreUnknownAlone) {
  const std::string three("\x05\x00\x00", 3);
  const std::string five("\x05\x00\x00\x00", 4);
  const ColumnStats stats =
      Stats(TypeId::kInt, {.lower_bound = AsBytes(three), .upper_bound = AsBytes(five)});
  EXPECT_TRUE(stats.lower.is_null());
  EXPECT_EQ(stats.upper.integer, 5);
}

TEST(MetricsStats, EmptyTextIsABound) {
  const std::string empty;
  const ColumnStats stats = Stats(TypeId::kString, {.lower_bound = AsBytes(empty)});
  ASSERT_FALSE(stats.lower.is_null());
  EXPECT_EQ(stats.lower.text(), "");
  EXPECT_TRUE(stats.upper.is_null());
}

TEST(MetricsStats, TextCutInsideACharacterIsABound) {
  const std::string cut = "abc\xE2"s;
  const ColumnStats stats = Stats(TypeId::kString, {.lower_bound = AsBytes(cut)});
  ASSERT_FALSE(stats.lower.is_null());
  EXPECT_EQ(stats.lower.text(), cut);
}

Schema NestedSchema() {
  Type inner = Type::Struct({{.id = 4, .name = "x", .required = true, .type = TypeId::kInt}});
  Type list = Type::List({.id = 5, .name = "element", .required = true, .type = TypeId::kInt});
  return Schema(0, {{.id = 7, .name = "a", .type = TypeId::kInt},
                    {.id = 3, .name = "s", .type = inner},
                    {.id = 2, .name = "l", .type = list}});
}

TEST(MetricsLayout, IdsAscendAndPlacementsFollowTheSchema) {
  const std::vector<BoundFilter::Column> columns = {{.field_id = 7, .type = TypeId::kInt},
                                                    {.field_id = 5, .type = TypeId::kInt},
                                                    {.field_id = 4, .type = TypeId::kInt},
                                                    {.field_id = 99, .type = TypeId::kInt}};
  const MetricsLayout layout(columns, NestedSchema());
  EXPECT_EQ(layout.field_ids(), (std::vector<int32_t>{4, 5, 7, 99}));
  EXPECT_EQ(layout.placement(layout.Find(4)), ColumnPlacement::kNested);
  EXPECT_EQ(layout.placement(layout.Find(5)), ColumnPlacement::kRepeated);
  EXPECT_EQ(layout.placement(layout.Find(7)), ColumnPlacement::kTopLevel);
  EXPECT_EQ(layout.placement(layout.Find(99)), ColumnPlacement::kNested) << "a dropped column";
  EXPECT_EQ(layout.Find(6), -1);
}

TEST(MetricsStats, BatchAndDataFileSayTheSame) {
  DataFile file;
  file.record_count = 10;
  file.metrics = {{.field_id = 4,
                   .value_count = 10,
                   .null_value_count = 0,
                   .lower_bound = "\x01\x00\x00\x00"s,
                   .upper_bound = "\x09\x00\x00\x00"s}};
  const BoundFilter::Column x{.field_id = 4, .type = TypeId::kInt, .name = "s.x"};
  const BoundFilter::Column a{.field_id = 7, .type = TypeId::kInt, .name = "a"};
  const std::vector<BoundFilter::Column> columns = {x, a};
  const MetricsLayout layout(columns, NestedSchema());
  const FakeBatch batch({{.file = file}}, 0, {.metric_ids = layout.field_ids()});
  const BatchFileStats of_batch(layout, batch, 0);
  const DataFileStats of_file(layout, file);
  for (const StatsSource* source :
       {static_cast<const StatsSource*>(&of_batch), static_cast<const StatsSource*>(&of_file)}) {
    EXPECT_EQ(source->Stats(x).lower.integer, 1);
    EXPECT_EQ(source->Stats(x).upper.integer, 9);
    EXPECT_EQ(source->Stats(x).has_nulls, Known::kNo);
    EXPECT_EQ(source->Stats(a).has_nulls, Known::kUnknown) << "no map names the column";
    EXPECT_TRUE(source->Stats(a).lower.is_null());
  }
}

TEST(MetricsStats, MetadataColumnsAreKnownFromTheManifestAlone) {
  DataFile file;
  file.file_path = "b.parquet";
  file.record_count = 10;
  // Of rows that were there before alone: the others inherit what they have.
  file.metrics = {{.field_id = kRowIdColumnId,
                   .value_count = 10,
                   .null_value_count = 10,
                   .lower_bound = "\x01\0\0\0\0\0\0\0"s,
                   .upper_bound = "\x01\0\0\0\0\0\0\0"s}};
  const Schema schema = WithMetadataColumns(NestedSchema(), Type::Struct({}), 7);
  const auto may_match = [&](const std::string& text) {
    const BoundFilter filter = BindFilter(text, schema);
    const MetricsLayout layout(filter.columns, NestedSchema());
    const FakeBatch batch({{.file = file}}, 3, {.metric_ids = layout.field_ids()});
    return Evaluate(filter, BatchFileStats(layout, batch, 0), Mode::kInclusive);
  };
  for (const char* text :
       {"_file = 'b.parquet'", "_file > 'a'", "_spec_id = 3", "_pos >= 9", "_pos = 0", "_deleted",
        "_row_id = 5", "_row_id is null", "_row_id is not null",
        "_last_updated_sequence_number = 1", "_partition is null"}) {
    EXPECT_TRUE(may_match(text)) << text;
  }
  for (const char* text : {"_file = 'a.parquet'", "_file < 'b'", "_spec_id = 2", "_pos >= 10",
                           "_pos < 0", "_file is null"}) {
    EXPECT_FALSE(may_match(text)) << text;
  }
}

}  // namespace
}  // namespace nunatak
