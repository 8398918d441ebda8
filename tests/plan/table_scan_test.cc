#include "nunatak/plan/table_scan.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "nunatak/plan/file_scan_task_json.h"
#include "nunatak/plan/position_deletes.h"
#include "random_table.h"

namespace nunatak {
namespace {

using namespace std::string_literals;

std::vector<std::string> PathsOf(const TableScan::Result& result) {
  std::vector<std::string> paths;
  for (const FileScanTask& task : result.tasks) paths.push_back(task.data_file->file_path);
  return paths;
}

using Names = std::vector<std::string>;

TableScan::Result PlanOf(std::shared_ptr<const SnapshotSource> source, std::string_view where,
                         const Context& context = {}) {
  BoundFilter filter = BindFilter(where, source->schema());
  return TableScan(std::move(source), std::move(filter)).PlanFiles(context);
}

// Random tables against row by row evaluation.

bool EvaluateResidual(const BoundFilter& residual, const TestRow& row,
                      const std::vector<TestColumn>& columns) {
  std::vector<ValueView> values;
  for (const BoundFilter::Column& column : residual.columns) {
    const auto at = std::find_if(columns.begin(), columns.end(),
                                 [&](const TestColumn& c) { return c.id == column.field_id; });
    values.push_back(row[static_cast<size_t>(at - columns.begin())].view());
  }
  return EvaluateRow(residual, values);
}

TEST(TableScan, PlansEveryFileWithAMatchingRowAndItsResidualFindsThem) {
  PlanCounts total;
  int64_t groups_pruned = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    RandomTable table(seed);
    FilterGenerator filters(
        table.columns(), [&](size_t column) { return table.LiteralFor(column); }, table.random());
    for (int n = 0; n < 40; ++n) {
      const TestFilter test = filters.Next();
      const BoundFilter filter = Bind(ToExpr(test, table.columns()), table.source()->schema());
      SCOPED_TRACE(std::to_string(seed) + ": " + FilterToText(filter));
      const TableScan::Result result = TableScan(table.source(), filter).PlanFiles({});
      std::set<std::string> planned;
      for (const FileScanTask& task : result.tasks) {
        planned.insert(task.data_file->file_path);
        for (const TestRow& row : table.rows().at(task.data_file->file_path)) {
          ASSERT_EQ(EvaluateResidual(*task.residual, row, table.columns()),
                    EvaluateTest(test, row) == Truth::kTrue)
              << task.data_file->file_path << ": " << FilterToText(*task.residual);
        }
      }
      for (const auto& [path, rows] : table.rows()) {
        const bool matches = std::any_of(rows.begin(), rows.end(), [&](const TestRow& row) {
          return EvaluateTest(test, row) == Truth::kTrue;
        });
        ASSERT_TRUE(!matches || planned.contains(path)) << path << " has a matching row";
      }
      ASSERT_EQ(planned.size(), result.tasks.size());
      total.pruned_by_partition += result.counts.pruned_by_partition;
      total.pruned_by_metrics += result.counts.pruned_by_metrics;
      total.planned_files += result.counts.planned_files;
      groups_pruned += result.counts.data_groups - result.counts.data_groups_read;
    }
  }
  // Not only right: each level does its work.
  EXPECT_GT(groups_pruned, 200);
  EXPECT_GT(total.pruned_by_partition, 1000);
  EXPECT_GT(total.pruned_by_metrics, 1000);
  EXPECT_GT(total.planned_files, 1000);
}

// Tables of one kind, built by hand.

ColumnMetrics Metrics(int32_t id, const Type& type, ValueView lower, ValueView upper,
                      std::optional<int64_t> values = 3, std::optional<int64_t> nulls = 0,
                      std::optional<int64_t> nans = std::nullopt) {
  return {.field_id = id,
          .value_count = values,
          .null_value_count = nulls,
          .nan_value_count = nans,
          .lower_bound = EncodeSingleValue(type, lower),
          .upper_bound = EncodeSingleValue(type, upper)};
}

FakeEntry Entry(std::string path, std::vector<ColumnMetrics> metrics = {},
                std::vector<Value> partition = {}, int32_t spec_id = 0) {
  FakeEntry entry;
  entry.file.file_path = std::move(path);
  entry.file.partition_spec_id = spec_id;
  entry.file.partition = std::move(partition);
  entry.file.record_count = 3;
  entry.file.file_size_in_bytes = 100;
  entry.file.metrics = std::move(metrics);
  entry.sequence_number = 1;
  return entry;
}

std::shared_ptr<FakeSource> OneColumn(Type type, std::vector<FakeEntry> entries,
                                      std::optional<Value> initial_default = std::nullopt) {
  auto source = std::make_shared<FakeSource>(Schema(
      0, {{.id = 1, .name = "c", .type = std::move(type), .initial_default = initial_default}}));
  source->AddSpec({0, {}});
  source->AddGroup(0, std::move(entries));
  return source;
}

TEST(TableScan, NanRowsAreNotHiddenByBounds) {
  // [3.0, NaN, 3.0]: the bounds are [3, 3].
  const auto file = [](std::optional<int64_t> nans) {
    return Entry("f",
                 {Metrics(1, TypeId::kDouble, ValueView::Real(3), ValueView::Real(3), 3, 0, nans)});
  };
  for (const char* where :
       {"c != 3", "c NOT IN (3)", "NOT (c <= 3)", "c IS NAN", "c > 5", "c >= 5"}) {
    EXPECT_EQ(PlanOf(OneColumn(TypeId::kDouble, {file(1)}), where).tasks.size(), 1u) << where;
    EXPECT_EQ(PlanOf(OneColumn(TypeId::kDouble, {file(std::nullopt)}), where).tasks.size(), 1u)
        << where;
    EXPECT_EQ(PlanOf(OneColumn(TypeId::kDouble, {file(0)}), where).tasks.size(), 0u) << where;
  }
}

TEST(TableScan, InvertedBoundsKeepTheFile) {
  const auto source = OneColumn(
      TypeId::kInt,
      {Entry("f", {Metrics(1, TypeId::kInt, ValueView::Integer(9), ValueView::Integer(1))})});
  EXPECT_EQ(PlanOf(source, "c < 5").tasks.size(), 1u);
  EXPECT_EQ(PlanOf(source, "c = 100").tasks.size(), 1u);
}

TEST(TableScan, ZerosOfBothSignsAreEqual) {
  const auto source =
      OneColumn(TypeId::kDouble, {Entry("plus", {Metrics(1, TypeId::kDouble, ValueView::Real(0.0),
                                                         ValueView::Real(0.0), 3, 0, 0)}),
                                  Entry("minus", {Metrics(1, TypeId::kDouble, ValueView::Real(-0.0),
                                                          ValueView::Real(-0.0), 3, 0, 0)})});
  EXPECT_EQ(PlanOf(source, "c = -0.0").tasks.size(), 2u);
  EXPECT_EQ(PlanOf(source, "c = 0.0").tasks.size(), 2u);
}

TEST(TableScan, MissingCountsAreNotZero) {
  const auto source = OneColumn(TypeId::kInt, {Entry("f", {{.field_id = 1}})});
  EXPECT_EQ(PlanOf(source, "c IS NULL").tasks.size(), 1u);
  EXPECT_EQ(PlanOf(source, "c IS NOT NULL").tasks.size(), 1u);
}

TEST(TableScan, AFileOlderThanItsColumn) {
  const std::vector<FakeEntry> old = {Entry("old")};
  EXPECT_EQ(PlanOf(OneColumn(TypeId::kInt, old), "c IS NULL").tasks.size(), 1u);
  EXPECT_EQ(PlanOf(OneColumn(TypeId::kInt, old, Value::Integer(42)), "c = 42").tasks.size(), 1u);
}

TEST(TableScan, PromotedBounds) {
  const std::string five = "\x05\x00\x00\x00"s;
  const auto source = OneColumn(TypeId::kLong, {Entry("f", {{.field_id = 1,
                                                             .value_count = 3,
                                                             .null_value_count = 0,
                                                             .lower_bound = five,
                                                             .upper_bound = five}})});
  EXPECT_EQ(PlanOf(source, "c = 5").tasks.size(), 1u);
  EXPECT_EQ(PlanOf(source, "c = 6").tasks.size(), 0u);
}

TEST(TableScan, EmptyTextIsALowerBound) {
  const auto source = OneColumn(
      TypeId::kString,
      {Entry("f", {Metrics(1, TypeId::kString, ValueView::Bytes(""), ValueView::Bytes("b"))})});
  EXPECT_EQ(PlanOf(source, "c = ''").tasks.size(), 1u);
  EXPECT_EQ(PlanOf(source, "c > 'b'").tasks.size(), 0u);
}

TEST(TableScan, FilesWithoutRowsMatchNoFilterAndUncountedOnesMatchAny) {
  FakeEntry empty = Entry("empty");
  empty.file.record_count = 0;
  FakeEntry uncounted =
      Entry("uncounted", {Metrics(1, TypeId::kInt, ValueView::Integer(1), ValueView::Integer(2))});
  uncounted.file.record_count = -1;
  const auto source = OneColumn(TypeId::kInt, {empty, uncounted});
  EXPECT_EQ(PathsOf(PlanOf(source, "c = 9")), Names{"uncounted"});
  EXPECT_EQ(PathsOf(PlanOf(source, "")), (Names{"empty", "uncounted"}));
}

/// A table that was partitioned by `dt` only after its first file was written.
std::shared_ptr<FakeSource> PartitionedLate() {
  auto source =
      std::make_shared<FakeSource>(Schema(0, {{.id = 1, .name = "dt", .type = TypeId::kString}}));
  source->AddSpec({0, {}});
  source->AddSpec({1, {{{1}, 1000, "dt", TransformId::kIdentity}}});
  source->AddGroup(0, {Entry("old")});
  const std::vector<FakeEntry> entries = {Entry("a", {}, {Value::Bytes("a")}, 1),
                                          Entry("b", {}, {Value::Bytes("b")}, 1),
                                          Entry("null", {}, {Value::Null()}, 1)};
  source->AddGroup(1, entries).partitions = Summarise(source->spec(1), source->schema(), entries);
  return source;
}

TEST(TableScan, TheResidualIsThatOfTheFilesOwnSpec) {
  const TableScan::Result result = PlanOf(PartitionedLate(), "dt = 'a'");
  EXPECT_EQ(PathsOf(result), (Names{"old", "a"}));
  EXPECT_EQ(FilterToText(*result.tasks[0].residual),
            FilterToText(BindFilter("dt = 'a'", PartitionedLate()->schema())));
  EXPECT_TRUE(result.tasks[1].residual->is_true());
  EXPECT_EQ(result.counts.pruned_by_partition, 2);
  EXPECT_EQ(PathsOf(PlanOf(PartitionedLate(), "dt IS NULL")), (Names{"old", "null"}));
}

TEST(TableScan, GroupsArePrunedByTheirSummaries) {
  const TableScan::Result result = PlanOf(PartitionedLate(), "dt > 'x'");
  EXPECT_EQ(PathsOf(result), Names{"old"});
  EXPECT_EQ(result.counts.data_groups, 2);
  EXPECT_EQ(result.counts.data_groups_read, 1);
  EXPECT_EQ(result.counts.data_files, 1);
}

TEST(TableScan, SummariesThatDoNotFitTheSpecSayNothing) {
  auto source =
      std::make_shared<FakeSource>(Schema(0, {{.id = 1, .name = "dt", .type = TypeId::kString}}));
  source->AddSpec({1, {{{1}, 1000, "dt", TransformId::kIdentity}}});
  source->AddGroup(1, {Entry("a", {}, {Value::Bytes("a")}, 1)}).partitions =
      std::vector<FieldSummary>(2);
  EXPECT_EQ(PathsOf(PlanOf(source, "dt = 'a'")), Names{"a"});
}

TEST(TableScan, AnInvertedSummaryKeepsTheGroup) {
  auto source = PartitionedLate();
  auto copy = std::make_shared<FakeSource>(source->schema());
  copy->AddSpec(source->spec(1));
  FileGroup& group = copy->AddGroup(1, source->entries(1));
  group.partitions = {
      {.contains_null = false, .contains_nan = false, .lower_bound = "z", .upper_bound = "a"}};
  EXPECT_EQ(PathsOf(PlanOf(copy, "dt = 'b'")), Names{"b"});
}

TEST(TableScan, VoidPartitionsPruneNothing) {
  auto source =
      std::make_shared<FakeSource>(Schema(0, {{.id = 1, .name = "dt", .type = TypeId::kString}}));
  source->AddSpec({1, {{{1}, 1000, "dt_void", TransformId::kVoid}}});
  const std::vector<FakeEntry> entries = {Entry("a", {}, {Value::Null()}, 1)};
  source->AddGroup(1, entries).partitions = Summarise(source->spec(1), source->schema(), entries);
  for (const char* where : {"dt = 'a'", "dt IS NOT NULL", "dt IS NULL"}) {
    const TableScan::Result result = PlanOf(source, where);
    ASSERT_EQ(result.tasks.size(), 1u) << where;
    EXPECT_FALSE(result.tasks[0].residual->is_true()) << where;
  }
}

TEST(TableScan, AFilterThatIsFalseReadsNothing) {
  const TableScan::Result result = PlanOf(PartitionedLate(), "FALSE");
  EXPECT_TRUE(result.tasks.empty());
  EXPECT_EQ(result.counts.data_groups_read, 0);
}

// Deletes.

FakeEntry DeleteEntry(std::string path, int64_t sequence_number, FileContent content,
                      std::vector<Value> partition = {}, int32_t spec_id = 0) {
  FakeEntry entry = Entry(std::move(path), {}, std::move(partition), spec_id);
  entry.file.content = content;
  if (content == FileContent::kEqualityDeletes) entry.file.equality_ids = {1};
  entry.sequence_number = sequence_number;
  return entry;
}

Names DeletesOf(const FileScanTask& task) {
  Names names;
  for (const auto& file : task.deletes) names.push_back(file->file.file_path);
  return names;
}

TEST(TableScan, GlobalDeletesSurviveEveryFilter) {
  auto source = PartitionedLate();
  const auto equality = FileContent::kEqualityDeletes;
  source->AddGroup(0, {DeleteEntry("global", 5, equality)}, true);
  const std::vector<FakeEntry> scoped = {DeleteEntry("of a", 5, equality, {Value::Bytes("a")}, 1),
                                         DeleteEntry("of b", 5, equality, {Value::Bytes("b")}, 1)};
  source->AddGroup(1, scoped, true).partitions =
      Summarise(source->spec(1), source->schema(), scoped);
  const TableScan::Result result = PlanOf(source, "dt = 'a'");
  ASSERT_EQ(PathsOf(result), (Names{"old", "a"}));
  EXPECT_EQ(DeletesOf(result.tasks[0]), Names{"global"});
  EXPECT_EQ(DeletesOf(result.tasks[1]), (Names{"global", "of a"}));
  EXPECT_EQ(result.counts.delete_groups_read, 2);
  EXPECT_EQ(result.counts.delete_files, 2) << "that of partition b cannot matter";
}

TEST(TableScan, EqualityDeletesThatOnlyHitFilteredRowsAreLeftOut) {
  FakeEntry deletes = DeleteEntry("e", 5, FileContent::kEqualityDeletes);
  deletes.file.metrics = {Metrics(1, TypeId::kInt, ValueView::Integer(1), ValueView::Integer(4))};
  auto source = OneColumn(TypeId::kInt, {Entry("f")});
  source->AddGroup(0, {deletes}, true);
  EXPECT_EQ(DeletesOf(PlanOf(source, "c = 9").tasks.at(0)), Names{});
  EXPECT_EQ(DeletesOf(PlanOf(source, "c = 3").tasks.at(0)), Names{"e"});
}

TEST(TableScan, ColumnsOutsideTheKeyOfAnEqualityDeleteDoNotRuleItOut) {
  FakeEntry deletes = DeleteEntry("e", 5, FileContent::kEqualityDeletes);
  deletes.file.metrics = {Metrics(1, TypeId::kInt, ValueView::Integer(1), ValueView::Integer(4))};
  deletes.file.equality_ids = {2};
  auto source = OneColumn(TypeId::kInt, {Entry("f")});
  source->AddGroup(0, {deletes}, true);
  EXPECT_EQ(DeletesOf(PlanOf(source, "c = 9").tasks.at(0)), Names{"e"});
}

TEST(TableScan, EqualityDeletesAreHeldAgainstTheMetricsOfTheirKeyWhateverTheFilter) {
  FakeEntry deletes = DeleteEntry("e", 5, FileContent::kEqualityDeletes);
  deletes.file.metrics = {Metrics(1, TypeId::kInt, ValueView::Integer(1), ValueView::Integer(4))};
  const auto file = [](const char* path, int64_t lower, int64_t upper) {
    return Entry(path,
                 {Metrics(1, TypeId::kInt, ValueView::Integer(lower), ValueView::Integer(upper))});
  };
  auto source = OneColumn(TypeId::kInt, {file("hit", 4, 9), file("missed", 5, 9)});
  source->AddGroup(0, {deletes}, true);
  const TableScan::Result plan = PlanOf(source, "");
  EXPECT_EQ(DeletesOf(plan.tasks.at(0)), Names{"e"});
  EXPECT_EQ(DeletesOf(plan.tasks.at(1)), Names{});
  EXPECT_EQ(plan.counts.delete_references, 1);
}

TEST(TableScan, ColumnMetricsAreForThoseWhoAsk) {
  const FakeEntry entry =
      Entry("f", {Metrics(1, TypeId::kInt, ValueView::Integer(1), ValueView::Integer(4))});
  FakeEntry deletes = DeleteEntry("p", 5, FileContent::kPositionDeletes);
  deletes.file.metrics = {
      {.field_id = kDeletePathColumnId, .lower_bound = "f", .upper_bound = "f"}};
  const auto source = OneColumn(TypeId::kInt, {entry});
  source->AddGroup(0, {deletes}, true);
  for (const bool asked : {false, true}) {
    const TableScan scan(source, BindFilter("c = 3", source->schema()), {.column_metrics = asked});
    const FileScanTask task = scan.PlanFiles({}).tasks.at(0);
    EXPECT_EQ(task.data_file->metrics.size(), asked ? 1u : 0u);
    ASSERT_EQ(task.deletes.size(), 1u);
    EXPECT_EQ(task.deletes[0]->file.metrics.size(), asked ? 1u : 0u);
  }
}

TEST(TableScan, GroupsWithoutLiveFilesAreNotRead) {
  auto source = OneColumn(TypeId::kInt, {Entry("f")});
  source->AddGroup(0, {Entry("dead")}).live_files = 0;
  source->Break(1);
  EXPECT_EQ(PathsOf(PlanOf(source, "")), Names{"f"});
}

TEST(TableScan, EncryptedAndMisplacedFilesAreRefused) {
  FakeEntry encrypted = Entry("f");
  encrypted.file.key_metadata = "key";
  FakeEntry misplaced = Entry("f");
  misplaced.file.content = FileContent::kPositionDeletes;
  for (const auto& [entry, code] :
       {std::pair(encrypted, ErrorCode::kUnsupported), std::pair(misplaced, ErrorCode::kInvalid)}) {
    try {
      PlanOf(OneColumn(TypeId::kInt, {entry}), "");
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code);
    }
  }
}

// Threads.

std::shared_ptr<FakeSource> ManyGroups(int groups) {
  auto source =
      std::make_shared<FakeSource>(Schema(0, {{.id = 1, .name = "c", .type = TypeId::kInt}}));
  source->AddSpec({0, {}});
  for (int i = 0; i < groups; ++i) {
    source->AddGroup(
        0, {Entry("file-" + std::to_string(i),
                  {Metrics(1, TypeId::kInt, ValueView::Integer(i), ValueView::Integer(i + 10))})});
    source->AddGroup(
        0, {DeleteEntry("delete-" + std::to_string(i), 1 + i % 2, FileContent::kEqualityDeletes)},
        true);
  }
  return source;
}

TEST(TableScan, SixteenWorkersPlanAsOneDoes) {
  const auto source = ManyGroups(200);
  const std::string want = PlanToJson(PlanOf(source, "c < 150"), *source).dump();
  EXPECT_EQ(PlanOf(source, "c < 150").tasks.size(), 150u);
  const Context context{.executor = MakeThreadPool(16)};
  for (int run = 0; run < 100; ++run) {
    ASSERT_EQ(PlanToJson(PlanOf(source, "c < 150", context), *source).dump(), want)
        << "run " << run;
  }
}

TEST(TableScan, FetchingAheadPlansTheSame) {
  const auto source = ManyGroups(200);
  const std::string want = PlanToJson(PlanOf(source, "c < 150"), *source).dump();
  source->LetFetchingWait();
  for (const Context& context :
       {Context{}, Context{.io_concurrency = 1}, Context{.executor = MakeThreadPool(3)},
        Context{.executor = MakeThreadPool(2), .memory_budget = 1}}) {
    for (int run = 0; run < 20; ++run) {
      ASSERT_EQ(PlanToJson(PlanOf(source, "c < 150", context), *source).dump(), want);
    }
  }
}

TEST(TableScan, AStreamGivesTheTasksOneByOneOrByGroup) {
  const auto source = ManyGroups(50);
  const TableScan scan(source, BindFilter("c < 30", source->schema()));
  const Names want = PathsOf(scan.PlanFiles({}));
  EXPECT_EQ(want.size(), 30u);
  Names one_by_one;
  const auto tasks = scan.Stream({});
  while (const std::optional<FileScanTask> task = tasks->Next()) {
    one_by_one.push_back(task->data_file->file_path);
  }
  EXPECT_EQ(one_by_one, want);
  EXPECT_FALSE(tasks->Next().has_value());
  EXPECT_EQ(tasks->counts().planned_files, 30);
  EXPECT_EQ(tasks->counts().data_groups_read, 50);
  EXPECT_EQ(tasks->counts().delete_files, 50);

  Names selected;
  const auto selections = scan.Select({});
  while (const std::optional<FileSelection> selection = selections->Next()) {
    for (uint32_t i : selection->files) selected.emplace_back(selection->batch->file_paths[i]);
  }
  EXPECT_EQ(selected, want);
}

TEST(TableScan, ALimitWithoutAFilterEndsThePlanOnceItsTasksHaveEnoughRows) {
  // Files of three rows; a delete applies to every second one, and leaves who knows how many.
  auto source =
      std::make_shared<FakeSource>(Schema(0, {{.id = 1, .name = "c", .type = TypeId::kInt}}));
  source->AddSpec({0, {}});
  for (int i = 0; i < 2000; ++i) {
    FakeEntry entry = Entry("file-" + std::to_string(i));
    entry.sequence_number = i % 2 == 0 ? 1 : 9;
    source->AddGroup(0, {entry});
  }
  source->AddGroup(0, {DeleteEntry("e", 5, FileContent::kEqualityDeletes)}, true);
  const auto planned = [&](const char* where, int64_t limit) {
    const TableScan scan(source, BindFilter(where, source->schema()), {.limit = limit});
    return scan.PlanFiles({}).tasks.size();
  };
  EXPECT_EQ(planned("", 0), 0u);
  EXPECT_EQ(planned("", 3), 2u);
  EXPECT_EQ(planned("", 4), 4u);
  EXPECT_EQ(planned("", 9), 6u);
  EXPECT_LT(source->groups_opened(), 400);
  EXPECT_EQ(planned("c >= 0", 3), 2000u);
}

TEST(TableScan, AStreamThatIsClosedEarlyReadsNoMore) {
  for (bool waits : {false, true}) {
    const auto source = ManyGroups(2000);
    if (waits) source->LetFetchingWait();
    const Context context{.executor = MakeThreadPool(2), .io_concurrency = 4};
    const auto tasks = TableScan(source, {}).Stream(context);
    const int64_t deletes = source->groups_opened();
    ASSERT_TRUE(tasks->Next().has_value());
    EXPECT_LT(source->groups_opened() - deletes, 200);
  }
}

TEST(TableScan, AnErrorInAWorkerIsOneErrorOfThePlan) {
  for (size_t broken : {34u, 35u}) {  // a data group, a delete group
    const auto source = ManyGroups(50);
    source->Break(broken);
    for (const Context& context : {Context{}, Context{.executor = MakeThreadPool(8)}}) {
      try {
        PlanOf(source, "", context);
        ADD_FAILURE() << "no error";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kIo);
        EXPECT_EQ(error.message(), "manifest 17 cannot be read");
      }
    }
  }
}

TEST(TableScan, ASinkMayEndThePlan) {
  const auto source = ManyGroups(200);
  const TableScan scan(source, {});
  int seen = 0;
  EXPECT_THROW(scan.Plan({},
                         [&](FileScanTask) {
                           if (++seen == 3) throw std::runtime_error("enough");
                         }),
               std::runtime_error);
  EXPECT_EQ(seen, 3);
}

TEST(TableScan, TasksOutliveThePlanAndItsSource) {
  std::vector<FileScanTask> tasks;
  {
    auto source = PartitionedLate();
    source->AddGroup(0, {DeleteEntry("global", 5, FileContent::kEqualityDeletes)}, true);
    tasks = PlanOf(source, "dt = 'a'").tasks;
  }
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[1].data_file->file_path, "a");
  EXPECT_EQ(tasks[1].spec->fields[0].name, "dt");
  EXPECT_EQ(tasks[1].deletes[0]->file.file_path, "global");
  EXPECT_EQ(tasks[0].residual->columns[0].name, "dt");
}

}  // namespace
}  // namespace nunatak
