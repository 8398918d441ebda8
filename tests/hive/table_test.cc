#include "nunatak/hive/table.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/plan/table_scan.h"
#include "test_data.h"

namespace nunatak::hive {
namespace {

namespace fs = std::filesystem;

/// The tables of tests/data/hive, which Spark and pyarrow wrote, and directories made of their
/// files.
class HiveTableTest : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(root_); }
  void TearDown() override { fs::remove_all(root_); }

  static Table Open(const std::string& location, const TableOptions& options = {}) {
    return OpenTable(MakeLocalFileIO(), Context(), location, options);
  }
  static std::string Data(const std::string& name) { return (TestData() / "hive" / name).string(); }

  /// Copies a file of a table to a place below the test's own directory.
  void Copy(const std::string& file, const std::string& to) {
    fs::create_directories((fs::path(root_) / to).parent_path());
    fs::copy_file(Data(file), fs::path(root_) / to);
  }
  void Write(const std::string& to, std::string_view text) {
    fs::create_directories((fs::path(root_) / to).parent_path());
    std::ofstream(fs::path(root_) / to) << text;
  }
  std::string root_ = testing::TempDir() + "hive_table_test";
};

/// Local files behind what claims to be a network; knows how many reads were under way at once.
class BusyFileIO final : public FileIO {
 public:
  bool waits() const override { return true; }
  std::shared_ptr<FileIO> WithLocations(LocationMap) const override { return nullptr; }
  int most_at_once() const { return most_at_once_; }

 protected:
  Buffer DoReadAll(const std::string& mapped) override { return files_->ReadAll(mapped); }
  Buffer DoRead(const std::string& mapped, ByteRange range) override {
    const int busy = ++busy_;
    for (int most = most_at_once_; busy > most && !most_at_once_.compare_exchange_weak(most, busy);)
      continue;
    const Buffer file = files_->ReadAll(mapped);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    --busy_;
    return {
        file.bytes.subspan(static_cast<size_t>(range.offset), static_cast<size_t>(range.length)),
        file.owner};
  }
  int64_t DoSize(const std::string& mapped) override { return files_->Size(mapped); }
  std::vector<FileInfo> DoList(const std::string& mapped) override {
    std::vector<FileInfo> files = files_->List(mapped);
    for (FileInfo& file : files) file.location.erase(0, file.location.rfind('/') + 1);
    return files;
  }

 private:
  std::shared_ptr<FileIO> files_ = MakeLocalFileIO();
  std::atomic<int> busy_ = 0;
  std::atomic<int> most_at_once_ = 0;
};

TableScan::Result Plan(const Table& table, const std::string& filter,
                       EmptyFiles empty_files = EmptyFiles::kLeaveOut) {
  const auto source = MakeSnapshotSource(table, empty_files);
  return TableScan(source, BindFilter(filter, source->schema())).PlanFiles(Context());
}

std::vector<std::string> NamesOf(const TableScan::Result& plan, const Table& table) {
  std::vector<std::string> names;
  for (const FileScanTask& task : plan.tasks) {
    names.push_back(task.data_file->file_path.substr(table.location.size() + 1));
  }
  return names;
}

std::string MessageOf(const std::function<void()>& call, ErrorCode code) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.message();
    return error.message();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST_F(HiveTableTest, PartitionColumnsComeBehindThoseOfTheFiles) {
  const Table table = Open(Data("typed_levels"));
  std::vector<std::string> columns;
  for (const Field& field : table.schema.fields()) {
    columns.push_back(field.name + " " + field.type.ToString());
    EXPECT_FALSE(field.required);
  }
  EXPECT_EQ(columns,
            (std::vector<std::string>{"id int", "v string", "year int", "month int", "d date"}));
  EXPECT_EQ(table.spec.fields.size(), 3);
}

TEST_F(HiveTableTest, ADirectoryIsPrunedByItsPath) {
  const Table table = Open(Data("typed_levels"));
  const TableScan::Result plan = Plan(table, "month = 2 and d > date '2024-01-01'");
  EXPECT_EQ(plan.counts.data_groups, 6);
  EXPECT_EQ(plan.counts.data_groups_read, 1);
  ASSERT_EQ(plan.tasks.size(), 1);
  EXPECT_NE(plan.tasks[0].data_file->file_path.find("year=2024/month=02/d=2024-01-02"),
            std::string::npos);
  EXPECT_TRUE(plan.tasks[0].residual->is_true());
}

TEST_F(HiveTableTest, AFileIsPrunedByItsFooter) {
  const Table table = Open(Data("mixed_schema"));
  EXPECT_EQ(NamesOf(Plan(table, "id = 3"), table),
            (std::vector<std::string>{"dt=2024-01-02/a.parquet"}));
  // Files that lack the column have nothing but nulls in it, which their footers do not say.
  EXPECT_EQ(Plan(table, "extra < 0").counts.pruned_by_metrics, 1);
}

TEST_F(HiveTableTest, TheDefaultPartitionIsNull) {
  const Table table = Open(Data("default_partition_int"));
  EXPECT_EQ(table.schema.FindField("k")->type, Type(TypeId::kInt));
  const TableScan::Result plan = Plan(table, "k is null");
  ASSERT_EQ(plan.tasks.size(), 1);
  EXPECT_TRUE(plan.tasks[0].data_file->partition[0].is_null());
  EXPECT_EQ(Plan(table, "k > 0").tasks.size(), 2);
}

TEST_F(HiveTableTest, TypesOfPartitionColumnsMayBeGiven) {
  const Table table = Open(Data("typed_levels"), {.partition_types = {{"month", TypeId::kString}}});
  EXPECT_EQ(table.schema.FindField("month")->type, Type(TypeId::kString));
  EXPECT_EQ(Plan(table, "month = '01'").tasks.size(), 2);
  MessageOf([] { Open(Data("typed_levels"), {.partition_types = {{"moon", TypeId::kInt}}}); },
            ErrorCode::kUsage);
  const std::string message =
      MessageOf([] { Open(Data("typed_levels"), {.partition_types = {{"d", TypeId::kInt}}}); },
                ErrorCode::kInvalid);
  EXPECT_NE(message.find("partition column d: '2024-01-01' is no int"), std::string::npos)
      << message;
}

TEST_F(HiveTableTest, FilesWithoutRowsAreListedButNotPlanned) {
  const Table table = Open(Data("hidden_and_empty"));
  EXPECT_EQ(NamesOf(Plan(table, ""), table),
            (std::vector<std::string>{"k=1/part-0.parquet", "k=2/part-0.parquet"}));
  EXPECT_EQ(
      NamesOf(Plan(table, "", EmptyFiles::kInclude), table),
      (std::vector<std::string>{"k=1/part-0.parquet", "k=1/part-1.parquet", "k=2/part-0.parquet",
                                "k=3/part-0.parquet", "_common_metadata"}));
  const Table zero = Open(Data("zero_byte_file"));
  EXPECT_EQ(NamesOf(Plan(zero, ""), zero), (std::vector<std::string>{"k=1/a.parquet"}));
}

TEST_F(HiveTableTest, ThePartitionColumnOfAFileIsNotReadAndItsBoundsDoNotPrune) {
  const Table table = Open(Data("part_col_in_file"));
  EXPECT_EQ(table.file_columns.size(), 1);
  // In the files, k has other values.
  EXPECT_EQ(NamesOf(Plan(table, "k = 1"), table), (std::vector<std::string>{"k=1/a.parquet"}));
  EXPECT_EQ(NamesOf(Plan(table, "k = 2"), table), (std::vector<std::string>{"k=2/a.parquet"}));
}

TEST_F(HiveTableTest, EveryDirectoryIsListedAndEveryFooterReadOnce) {
  const Table table = Open(Data("typed_levels"));
  // The root, two years, six months, six days.
  EXPECT_EQ(table.list_calls, 15);
  EXPECT_EQ(*table.footer_reads, 6);
  EXPECT_EQ(table.io->counters().requests, 15 + 6);
  Plan(table, "month = 2");
  EXPECT_EQ(table.io->counters().requests, 15 + 6);
}

TEST_F(HiveTableTest, WithTheSchemaOfOneFileOnlyFootersOfPlannedDirectoriesAreRead) {
  const Table table = Open(Data("typed_levels"), {.merge_schemas = false});
  EXPECT_EQ(*table.footer_reads, 1);
  const TableScan::Result plan = Plan(table, "month = 2");
  EXPECT_EQ(*table.footer_reads, 1 + 2);
  EXPECT_EQ(plan.counts.planned_records,
            Plan(Open(Data("typed_levels")), "month = 2").counts.planned_records);
}

TEST_F(HiveTableTest, NoMoreFootersAreReadAtOnceThanTheContextAllows) {
  for (int i = 0; i < 40; ++i) {
    Copy("mixed_schema/dt=2024-01-01/a.parquet",
         "k=" + std::to_string(i % 4) + "/" + std::to_string(i) + ".parquet");
  }
  const auto io = std::make_shared<BusyFileIO>();
  const Context context{.io_concurrency = 3};
  const Table table = OpenTable(io, context, root_, {.merge_schemas = false});
  const auto source = MakeSnapshotSource(table);
  const TableScan scan(source, BindFilter("", source->schema()));
  EXPECT_EQ(scan.PlanFiles(context).tasks.size(), 40);
  EXPECT_EQ(*table.footer_reads, 41);
  EXPECT_LE(io->most_at_once(), 3);
}

TEST_F(HiveTableTest, AFileByItselfIsATable) {
  const Table table = Open(Data("mixed_schema/dt=2024-01-01/a.parquet"));
  EXPECT_TRUE(table.spec.fields.empty());
  EXPECT_EQ(table.list_calls, 0);
  EXPECT_EQ(Plan(table, "").counts.planned_records, 2);
  // A directory may have such a name, as Spark gives it.
  Copy("mixed_schema/dt=2024-01-01/a.parquet", "t.parquet/k=1/a.parquet");
  EXPECT_EQ(Open(root_ + "/t.parquet").spec.fields.size(), 1);
}

TEST_F(HiveTableTest, ThePartitionsValueIsABoundOfItsColumn) {
  const Table table = Open(Data("default_partition_int"));
  const int32_t k = table.schema.FindField("k")->id;
  for (const Directory& directory : *table.directories) {
    const DataFile& file = directory.data_files->front();
    const ColumnMetrics& metrics = *file.FindMetrics(k);
    EXPECT_EQ(metrics.value_count, file.record_count);
    const bool is_null = file.partition[0].is_null();
    EXPECT_EQ(metrics.null_value_count, is_null ? file.record_count : 0);
    EXPECT_EQ(metrics.lower_bound.has_value(), !is_null);
    EXPECT_EQ(metrics.lower_bound, metrics.upper_bound);
  }
}

TEST_F(HiveTableTest, DirectoriesThatArePartitionedDifferentlyAreAnError) {
  Copy("mixed_schema/dt=2024-01-01/a.parquet", "a=1/b=1/x.parquet");
  Copy("mixed_schema/dt=2024-01-01/a.parquet", "a=2/x.parquet");
  const std::string message = MessageOf([&] { Open(root_); }, ErrorCode::kInvalid);
  EXPECT_NE(message.find("a=1/b=1 is partitioned by a/b"), std::string::npos) << message;
  EXPECT_NE(message.find("a=2 by a"), std::string::npos) << message;
}

TEST_F(HiveTableTest, DirectoriesOfOtherNamesAreNoPartOfThePartition) {
  Copy("mixed_schema/dt=2024-01-01/a.parquet", "2024/k=1/deep/x.parquet");
  Copy("mixed_schema/dt=2024-01-01/a.parquet", "2025/k=2/y.parquet");
  const Table table = Open(root_);
  EXPECT_EQ(table.spec.fields.size(), 1);
  EXPECT_EQ(NamesOf(Plan(table, "k = 1"), table),
            (std::vector<std::string>{"2024/k=1/deep/x.parquet"}));
}

TEST_F(HiveTableTest, FilesAreToldApartByTheirFirstBytesWhereTheNameDoesNot) {
  Copy("mixed_schema/dt=2024-01-01/a.parquet", "000000_0");
  const Table table = Open(root_);
  EXPECT_EQ(Plan(table, "").tasks[0].data_file->file_format, FileFormat::kParquet);
  Write("notes.txt", "not data");
  const std::string message = MessageOf([&] { Open(root_); }, ErrorCode::kInvalid);
  EXPECT_NE(message.find("notes.txt: neither a Parquet, an ORC nor an Avro file"),
            std::string::npos)
      << message;
}

TEST_F(HiveTableTest, ADamagedFooterIsAnErrorThatNamesItsFile) {
  Write("k=1/a.parquet", "PAR1 and nothing that follows from it");
  const std::string message = MessageOf([&] { Open(root_); }, ErrorCode::kInvalid);
  EXPECT_NE(message.find("k=1/a.parquet"), std::string::npos) << message;
}

TEST_F(HiveTableTest, WhereNoDataFileLiesThereIsNoTable) {
  MessageOf([&] { Open(root_); }, ErrorCode::kNotFound);
  fs::create_directories(root_ + "/k=1");
  MessageOf([&] { Open(root_); }, ErrorCode::kNotFound);
}

TEST_F(HiveTableTest, ALinkBackToADirectoryAboveEnds) {
  Copy("mixed_schema/dt=2024-01-01/a.parquet", "x.parquet");
  fs::create_directory_symlink(root_, root_ + "/again");
  const std::string message = MessageOf([&] { Open(root_); }, ErrorCode::kInvalid);
  EXPECT_NE(message.find("levels of directories"), std::string::npos) << message;
}

}  // namespace
}  // namespace nunatak::hive
