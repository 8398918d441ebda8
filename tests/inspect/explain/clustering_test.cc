#include "nunatak/inspect/explain/clustering.h"

#include <gtest/gtest.h>

#include "nunatak/inspect/explain/advice.h"
#include "nunatak/table/single_value.h"
#include "plan/fake_source.h"

namespace nunatak {
namespace {

Schema OneColumn(Type type = TypeId::kInt) {
  return Schema(0, {{.id = 1, .name = "a", .type = std::move(type)}});
}

/// A file of 100 rows and 1000 bytes whose column "a" lies in [lower, upper].
FakeEntry File(int64_t lower, int64_t upper) {
  FakeEntry entry;
  entry.file.file_path = "f" + std::to_string(lower) + "-" + std::to_string(upper);
  entry.file.record_count = 100;
  entry.file.file_size_in_bytes = 1000;
  entry.file.metrics = {
      {.field_id = 1,
       .value_count = 100,
       .null_value_count = 0,
       .lower_bound = EncodeSingleValue(TypeId::kInt, ValueView::Integer(lower)),
       .upper_bound = EncodeSingleValue(TypeId::kInt, ValueView::Integer(upper))}};
  return entry;
}

ScanExplanation Explain(std::vector<FakeEntry> files, std::string_view where) {
  auto source = std::make_shared<FakeSource>(OneColumn());
  source->AddSpec({});
  source->AddGroup(0, std::move(files));
  return ExplainScan({}, source, BindFilter(where, source->schema()));
}

TEST(Clustering, RangesThatDoNotOverlapHaveDepthOne) {
  const auto explanation = Explain({File(0, 9), File(10, 19), File(20, 29)}, "a >= 25");
  ASSERT_EQ(explanation.clustering.size(), 1U);
  const Clustering& a = explanation.clustering[0];
  EXPECT_EQ(a.column, "a");
  EXPECT_EQ(a.files, 3);
  EXPECT_EQ(a.average_depth, 1);
  EXPECT_EQ(a.max_depth, 1);
  EXPECT_EQ(a.outlook->files_now, 1);
  EXPECT_EQ(a.outlook->files_sorted, 1);
  EXPECT_TRUE(AdviseOn(explanation, OneColumn(), {}).empty());
}

TEST(Clustering, TouchingRangesOverlapAtTheBoundThatTheyShare) {
  const auto explanation = Explain({File(0, 10), File(10, 20)}, "a > 5");
  // At 0 there is one range, at 10 there are two.
  EXPECT_EQ(explanation.clustering[0].average_depth, 1.5);
  EXPECT_EQ(explanation.clustering[0].max_depth, 2);
}

TEST(Clustering, FilesThatAllHoldEverythingWouldGainFromSorting) {
  std::vector<FakeEntry> files(20, File(0, 100));
  const auto explanation = Explain(files, "a >= 90");
  const Clustering& a = explanation.clustering[0];
  EXPECT_EQ(a.average_depth, 20);
  EXPECT_EQ(a.outlook->files_now, 20);
  EXPECT_EQ(a.outlook->bytes_now, 20'000);
  // A tenth of the rows are in two files, and a third may hold the edge.
  EXPECT_EQ(a.outlook->files_sorted, 3);
  EXPECT_EQ(a.outlook->bytes_sorted, 3'000);
  const std::vector<Advice> advice = AdviseOn(explanation, OneColumn(), {});
  ASSERT_EQ(advice.size(), 1U);
  EXPECT_EQ(advice[0].kind, "sort-order");
  EXPECT_NE(advice[0].finding.find("20 of 20 files"), std::string::npos);
  EXPECT_NE(advice[0].finding.find("as few as 3"), std::string::npos);
}

TEST(Clustering, AColumnOfTimeIsBetterPartitioned) {
  auto source = std::make_shared<FakeSource>(OneColumn(TypeId::kDate));
  source->AddSpec({});
  source->AddGroup(0, std::vector<FakeEntry>(20, File(0, 100)));
  const BoundFilter filter = BindFilter("a > '1970-04-01'", source->schema());
  const ScanExplanation explanation = ExplainScan({}, source, filter);
  const auto advice = AdviseOn(explanation, source->schema(), {});
  ASSERT_EQ(advice.size(), 2U);
  EXPECT_EQ(advice[1].kind, "partitioning");
  EXPECT_NE(advice[1].remedy.find("day(a)"), std::string::npos);
  const PartitionSpec by_day{0, {{{1}, 1000, "a_day", TransformId::kDay}}};
  EXPECT_EQ(AdviseOn(explanation, source->schema(), by_day).size(), 1U);
}

TEST(Clustering, FilesWithoutBoundsAreCounted) {
  FakeEntry unknown = File(0, 0);
  unknown.file.metrics.clear();
  const auto explanation = Explain({File(0, 9), unknown}, "a > 100");
  EXPECT_EQ(explanation.clustering[0].files, 1);
  EXPECT_EQ(explanation.clustering[0].files_without_bounds, 1);
  EXPECT_EQ(explanation.clustering[0].outlook->files_now, 1);
  const auto advice = AdviseOn(explanation, OneColumn(), {});
  ASSERT_EQ(advice.size(), 1U);
  EXPECT_EQ(advice[0].kind, "column-metrics");
}

TEST(Clustering, FilesOfNullsAloneHaveNothingToBound) {
  FakeEntry nulls = File(0, 0);
  nulls.file.metrics = {{.field_id = 1, .value_count = 100, .null_value_count = 100}};
  const auto explanation = Explain({File(0, 9), nulls}, "a > 100");
  EXPECT_EQ(explanation.clustering[0].files_without_bounds, 0);
  EXPECT_TRUE(AdviseOn(explanation, OneColumn(), {}).empty());
}

}  // namespace
}  // namespace nunatak
