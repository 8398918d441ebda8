#include "nunatak/plan/delete_index.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "delete_files.h"

namespace nunatak {
namespace {

ErrorCode CodeOf(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::kUsage;
}

TEST(DeleteIndex, SequenceRuleDiffersByKind) {
  const std::vector<DeletePtr> deletes = {Position("p4", 4), Position("p5", 5), Position("p6", 6),
                                          Equality("e4", 4), Equality("e5", 5), Equality("e6", 6)};
  EXPECT_EQ(Attached(deletes, Data("f"), 5), (Names{"p5", "e6", "p6"}));
  EXPECT_EQ(Attached({Vector("v4", 4, "f")}, Data("f"), 5), Names{});
  EXPECT_EQ(Attached({Vector("v5", 5, "f")}, Data("f"), 5), Names{"v5"});
}

TEST(DeleteIndex, PartitionScopeNeedsTheSpecToo) {
  const std::vector<Value> one = {Value::Integer(1)};
  const std::vector<DeletePtr> deletes = {Position("p1", 5, kByInt, one),
                                          Position("p2", 5, kByBucket, one),
                                          Equality("e1", 5, kByInt, one),
                                          Equality("e2", 5, kByBucket, one),
                                          Equality("other", 5, kByInt, {Value::Integer(2)}),
                                          Position("whole", 5)};
  EXPECT_EQ(Attached(deletes, Data("f", kByInt, one), 1), (Names{"e1", "p1"}));
  EXPECT_EQ(Attached(deletes, Data("f", kByBucket, one), 1), (Names{"e2", "p2"}));
  EXPECT_EQ(Attached(deletes, Data("f"), 1), Names{"whole"});
}

TEST(DeleteIndex, EqualityDeletesOfAnUnpartitionedSpecAreGlobal) {
  const std::vector<Value> one = {Value::Integer(1)};
  const std::vector<DeletePtr> deletes = {
      Equality("global", 5), Equality("void", 5, kVoid, {Value::Null()}), Position("position", 5)};
  EXPECT_EQ(Attached(deletes, Data("f", kByInt, one), 1), (Names{"global", "void"}));
}

TEST(DeleteIndex, PartitionsAreComparedByBits) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto in = [](double value) { return std::vector<Value>{Value::Real(value)}; };
  const std::vector<DeletePtr> deletes = {
      Equality("nan", 5, kByDouble, in(-nan)), Equality("zero", 5, kByDouble, in(0.0)),
      Equality("minus", 5, kByDouble, in(-0.0)), Equality("null", 5, kByDouble, {Value::Null()})};
  EXPECT_EQ(Attached(deletes, Data("f", kByDouble, in(nan)), 1), Names{"nan"});
  EXPECT_EQ(Attached(deletes, Data("f", kByDouble, in(0.0)), 1), Names{"zero"});
  EXPECT_EQ(Attached(deletes, Data("f", kByDouble, in(-0.0)), 1), Names{"minus"});
  EXPECT_EQ(Attached(deletes, Data("f", kByDouble, {Value::Null()}), 1), Names{"null"});
}

TEST(DeleteIndex, AVectorReplacesPositionDeletesButNotEqualityDeletes) {
  const std::vector<DeletePtr> deletes = {Position("p", 6), Referencing(Position("r", 6), "f"),
                                          Vector("v", 7, "f"), Equality("e", 6)};
  EXPECT_EQ(Attached(deletes, Data("f"), 5), (Names{"e", "v"}));
  EXPECT_EQ(Attached(deletes, Data("g"), 5), (Names{"e", "p"}));
}

TEST(DeleteIndex, AVectorOlderThanItsFileDoesNotApplyAndReplacesNothing) {
  EXPECT_EQ(Attached({Vector("v", 4, "f"), Position("p", 6)}, Data("f"), 5), Names{"p"});
}

TEST(DeleteIndex, TwoVectorsInOnePuffinFileAreToldApart) {
  auto first = Vector("one.puffin", 5, "f");
  auto second = Vector("one.puffin", 5, "g");
  second->file.content_offset = 44;
  const FakeSource source = MakeSource();
  const DeleteIndex index = BuildDeleteIndex({first, second}, source);
  ASSERT_EQ(DeletesFor(index, source, Data("f"), 1).size(), 1u);
  EXPECT_EQ(DeletesFor(index, source, Data("f"), 1)[0]->file.content_offset, 4);
  EXPECT_EQ(DeletesFor(index, source, Data("g"), 1)[0]->file.content_offset, 44);
}

TEST(DeleteIndex, DamagedMetadataIsRefused) {
  const FakeSource source = MakeSource();
  const auto build = [&](std::vector<DeletePtr> deletes) {
    return CodeOf([&] { BuildDeleteIndex(deletes, source); });
  };
  EXPECT_EQ(build({Vector("v", 5, "f"), Vector("w", 6, "f")}), ErrorCode::kInvalid);
  auto nameless = Vector("v", 5, "f");
  nameless->file.referenced_data_file.reset();
  EXPECT_EQ(build({nameless}), ErrorCode::kInvalid);
  EXPECT_EQ(build({Equality("e", 5, kUnpartitioned, {}, {})}), ErrorCode::kInvalid);
  auto data = Position("p", 5);
  data->file.content = FileContent::kData;
  EXPECT_EQ(build({data}), ErrorCode::kInvalid);
  auto encrypted = Position("p", 5);
  encrypted->file.key_metadata = "key";
  EXPECT_EQ(build({encrypted}), ErrorCode::kUnsupported);
}

TEST(DeleteIndex, ADeleteThatNamesAFileOfAnotherPartitionIsRefused) {
  const FakeSource source = MakeSource();
  const std::vector<Value> one = {Value::Integer(1)};
  const std::vector<Value> two = {Value::Integer(2)};
  for (const DeletePtr& file :
       {DeletePtr(Vector("v", 5, "f", kByInt, two)), DeletePtr(Vector("v", 5, "f", kByBucket, one)),
        DeletePtr(Referencing(Position("p", 5, kByInt, two), "f"))}) {
    const DeleteIndex index = BuildDeleteIndex({file}, source);
    EXPECT_EQ(CodeOf([&] { DeletesFor(index, source, Data("f", kByInt, one), 1); }),
              ErrorCode::kInvalid);
  }
}

struct PathCase {
  const char* what;
  std::string lower, upper, path;
  bool attached;
};

TEST(DeleteIndex, PathBoundsOfPositionDeletes) {
  const PathCase cases[] = {
      {"equal, the path", "s3://b/t/f1", "s3://b/t/f1", "s3://b/t/f1", true},
      {"equal, another path", "s3://b/t/f1", "s3://b/t/f1", "s3://b/t/f2", false},
      {"equal since both were cut: one file", "s3://b/t/", "s3://b/t/", "s3://b/t/f1", true},
      {"equal since both were cut: the other", "s3://b/t/", "s3://b/t/", "s3://b/t/f2", true},
      {"equal since both were cut: elsewhere", "s3://b/t/", "s3://b/t/", "s3://b/u/f2", false},
      {"range, inside", "f2", "f4", "f3", true},
      {"range, at its ends", "f2", "f4", "f4", true},
      {"range, below", "f2", "f4", "f1", false},
      {"range, above", "f2", "f4", "f5", false},
      {"range, upper bound cut but not rounded up", "s3://b/t/a1", "s3://b/t/m", "s3://b/t/m7",
       true},
      {"range, lower bound cut", "s3://b/t/a", "s3://b/t/n", "s3://b/t/a7", true},
      {"inverted", "f9", "f2", "f5", true},
  };
  for (const PathCase& c : cases) {
    const Names names =
        Attached({WithPathBounds(Position("p", 5), c.lower, c.upper)}, Data(c.path), 1);
    EXPECT_EQ(names.size(), c.attached ? 1u : 0u) << c.what;
  }
}

TEST(DeleteIndex, APathBoundAloneExcludesItsSide) {
  auto lower = Position("p", 5);
  lower->file.metrics = {{.field_id = kDeletePathColumnId, .lower_bound = "f3"}};
  EXPECT_EQ(Attached({lower}, Data("f2"), 1), Names{});
  EXPECT_EQ(Attached({lower}, Data("f4"), 1), Names{"p"});
}

TEST(DeleteIndex, BoundedDeletesKeepToTheirPartition) {
  const auto file = WithPathBounds(Position("p", 5, kByInt, {Value::Integer(2)}), "f", "f");
  EXPECT_EQ(Attached({file}, Data("f", kByInt, {Value::Integer(1)}), 1), Names{});
  EXPECT_EQ(Attached({file}, Data("f", kByInt, {Value::Integer(2)}), 1), Names{"p"});
}

// Equality deletes and column metrics. Both sides have ten rows.

ColumnMetrics IntMetrics(std::optional<int> lower, std::optional<int> upper,
                         std::optional<int64_t> nulls) {
  const auto encode = [](std::optional<int> value) -> std::optional<std::string> {
    if (!value) return std::nullopt;
    return EncodeSingleValue(TypeId::kInt, ValueView::Integer(*value));
  };
  return {.field_id = 1,
          .value_count = nulls ? std::optional<int64_t>(10) : std::nullopt,
          .null_value_count = nulls,
          .lower_bound = encode(lower),
          .upper_bound = encode(upper)};
}

struct EqualityCase {
  const char* what;
  ColumnMetrics deletes, data;
  bool attached;
};

TEST(DeleteIndex, EqualityDeletesByTheMetricsOfTheirOwnColumns) {
  const auto none = std::nullopt;
  const EqualityCase cases[] = {
      {"ranges meet", IntMetrics(1, 5, 0), IntMetrics(5, 9, 0), true},
      {"ranges apart", IntMetrics(1, 4, 0), IntMetrics(5, 9, 0), false},
      {"ranges apart the other way", IntMetrics(5, 9, 0), IntMetrics(1, 4, 0), false},
      {"ranges apart, both have nulls", IntMetrics(1, 4, 1), IntMetrics(5, 9, 1), true},
      {"ranges apart, only the deletes have nulls", IntMetrics(1, 4, 1), IntMetrics(5, 9, 0),
       false},
      {"ranges apart, only the data has nulls", IntMetrics(1, 4, 0), IntMetrics(5, 9, 1), false},
      {"ranges apart, the data's nulls are unknown", IntMetrics(1, 4, 1), IntMetrics(5, 9, none),
       true},
      {"ranges apart, the deletes' nulls are unknown", IntMetrics(1, 4, none), IntMetrics(5, 9, 1),
       true},
      {"the data is all null, no null is deleted", IntMetrics(1, 4, 0), IntMetrics(none, none, 10),
       false},
      {"only null is deleted, the data has none", IntMetrics(none, none, 10), IntMetrics(5, 9, 0),
       false},
      {"only null is deleted, the data has some", IntMetrics(none, none, 10), IntMetrics(5, 9, 2),
       true},
      {"a bound of the deletes is missing", IntMetrics(1, none, 0), IntMetrics(5, 9, 0), true},
      {"a bound of the data is missing", IntMetrics(1, 4, 0), IntMetrics(none, 9, 0), true},
      {"the data's range is inverted", IntMetrics(1, 4, 0), IntMetrics(9, 5, 0), true},
      {"the deletes' range is inverted", IntMetrics(4, 1, 0), IntMetrics(5, 9, 0), true},
  };
  for (const EqualityCase& c : cases) {
    auto deletes = Equality("e", 5);
    deletes->file.metrics = {c.deletes};
    DataFile data = Data("f");
    data.metrics = {c.data};
    EXPECT_EQ(Attached({deletes}, data, 1).size(), c.attached ? 1u : 0u) << c.what;
  }
}

TEST(DeleteIndex, EveryColumnOfTheKeyMustMeet) {
  auto deletes = Equality("e", 5, kUnpartitioned, {}, {1, 4});
  const auto range = [](int32_t id, Type type, int64_t lower, int64_t upper) {
    return ColumnMetrics{.field_id = id,
                         .value_count = 10,
                         .null_value_count = 0,
                         .lower_bound = EncodeSingleValue(type, ValueView::Integer(lower)),
                         .upper_bound = EncodeSingleValue(type, ValueView::Integer(upper))};
  };
  deletes->file.metrics = {range(1, TypeId::kInt, 1, 4), range(4, TypeId::kLong, 1, 4)};
  DataFile data = Data("f");
  data.metrics = {range(1, TypeId::kInt, 3, 9), range(4, TypeId::kLong, 5, 9)};
  EXPECT_EQ(Attached({deletes}, data, 1), Names{});
  data.metrics = {range(1, TypeId::kInt, 3, 9), range(4, TypeId::kLong, 4, 9)};
  EXPECT_EQ(Attached({deletes}, data, 1), Names{"e"});
}

TEST(DeleteIndex, BoundsOfColumnsOutsideTheKeyPruneNothing) {
  auto deletes = Equality("e", 5, kUnpartitioned, {}, {2});
  deletes->file.metrics = {IntMetrics(1, 4, 0)};
  DataFile data = Data("f");
  data.metrics = {IntMetrics(5, 9, 0)};
  EXPECT_EQ(Attached({deletes}, data, 1), Names{"e"});
}

TEST(DeleteIndex, NansOfBothSidesMeetWhateverTheBounds) {
  const auto metrics = [](double lower, double upper, std::optional<int64_t> nans) {
    return ColumnMetrics{.field_id = 3,
                         .value_count = 10,
                         .null_value_count = 0,
                         .nan_value_count = nans,
                         .lower_bound = EncodeSingleValue(TypeId::kDouble, ValueView::Real(lower)),
                         .upper_bound = EncodeSingleValue(TypeId::kDouble, ValueView::Real(upper))};
  };
  const auto attached = [&](std::optional<int64_t> deletes_nans, std::optional<int64_t> data_nans) {
    auto deletes = Equality("e", 5, kUnpartitioned, {}, {3});
    deletes->file.metrics = {metrics(1, 4, deletes_nans)};
    DataFile data = Data("f");
    data.metrics = {metrics(5, 9, data_nans)};
    return !Attached({deletes}, data, 1).empty();
  };
  EXPECT_TRUE(attached(1, 1));
  EXPECT_TRUE(attached(1, std::nullopt));
  EXPECT_TRUE(attached(std::nullopt, std::nullopt));
  EXPECT_FALSE(attached(0, 1));
  EXPECT_FALSE(attached(1, 0));
}

TEST(DeleteIndex, PromotedBoundsAreComparedAsTheTypeOfNow) {
  auto deletes = Equality("e", 5, kUnpartitioned, {}, {4});
  const auto range = [](Type type, int64_t lower, int64_t upper) {
    return ColumnMetrics{.field_id = 4,
                         .lower_bound = EncodeSingleValue(type, ValueView::Integer(lower)),
                         .upper_bound = EncodeSingleValue(type, ValueView::Integer(upper))};
  };
  deletes->file.metrics = {range(TypeId::kLong, 7, 8)};
  DataFile data = Data("f");
  data.metrics = {range(TypeId::kInt, 5, 9)};
  EXPECT_EQ(Attached({deletes}, data, 1), Names{"e"});
  data.metrics = {range(TypeId::kInt, -9, -5)};
  EXPECT_EQ(Attached({deletes}, data, 1), Names{});
}

TEST(DeleteIndex, ADroppedKeyColumnStillPrunesAndAnUnknownOneDoesNot) {
  FakeSource source = MakeSource();
  auto deletes = Equality("e", 5, kUnpartitioned, {}, {9});
  deletes->file.metrics = {IntMetrics(1, 4, 0)};
  deletes->file.metrics[0].field_id = 9;
  DataFile data = Data("f");
  data.metrics = {IntMetrics(5, 9, 0)};
  data.metrics[0].field_id = 9;
  EXPECT_EQ(Paths(DeletesFor(BuildDeleteIndex({deletes}, source), source, data, 1)), Names{"e"});
  source.AddDroppedField({.id = 9, .name = "gone", .type = TypeId::kInt});
  EXPECT_EQ(Paths(DeletesFor(BuildDeleteIndex({deletes}, source), source, data, 1)), Names{});
}

TEST(DeleteIndex, OrderIsSequenceNumberPathOffset) {
  auto late = Equality("a", 9);
  const std::vector<DeletePtr> deletes = {late, Equality("c", 7), Position("b", 7),
                                          Position("d", 6)};
  EXPECT_EQ(Attached(deletes, Data("f"), 1), (Names{"d", "b", "c", "a"}));
}

}  // namespace
}  // namespace nunatak
