#include "nunatak/read/table_reader.h"

#include <arrow/api.h>

#include "nunatak/expr/bound_filter.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

class TableReaderTest : public ScanTest {
 protected:
  ReadRequest Ids() { return RequestFor(TableOf({TableColumn(1, "id", TypeId::kLong)})); }
};

TEST_F(TableReaderTest, AnEmptyResultHasTheSchema) {
  TableReader reader(io_, Context{}, Ids(), std::vector<FileScanTask>());
  EXPECT_EQ(reader.schema()->ToString(), "id: int64");
  EXPECT_EQ(reader.Next(), nullptr);
  EXPECT_EQ(reader.Next(), nullptr);
}

TEST_F(TableReaderTest, FilesOfMixedTypesComeOutAsOne) {
  const Schema table = TableOf({TableColumn(1, "n", TypeId::kLong)});
  const std::string narrow = Write({FileColumn(1, "n", arrow::int32())}, "[[1]]");
  const std::string wide = Write({FileColumn(1, "n", arrow::int64())}, "[[9223372036854775807]]");
  EXPECT_EQ(ReadColumn(RequestFor(table), {TaskFor(narrow), TaskFor(wide)}),
            "1 9223372036854775807");
}

TEST_F(TableReaderTest, ParallelReadingKeepsTheOrder) {
  std::vector<FileScanTask> tasks;
  std::string expected;
  for (int i = 0; i < 60; ++i) {
    const int64_t rows = i % 7 == 0 ? 500 : 3;
    tasks.push_back(TaskFor(WriteCounting(rows, {.rows_per_group = 100})));
    for (int64_t r = 0; r < rows; ++r)
      expected += (expected.empty() ? "" : " ") + std::to_string(r);
  }
  ReadRequest request = Ids();
  request.options.batch_size = 50;
  EXPECT_EQ(ReadColumn(request, tasks), expected);
  for (const int workers : {1, 3, 16}) {
    for (const int64_t budget : {int64_t{1}, int64_t{1} << 30}) {
      const Context context{.executor = MakeThreadPool(workers), .memory_budget = budget};
      EXPECT_EQ(ReadColumn(request, tasks, context), expected) << workers << ' ' << budget;
    }
  }
}

TEST_F(TableReaderTest, ColumnsOfOneFileAreReadByAllWorkers) {
  // Enough values that they are worth it; a list is decoded by Arrow, the others by us.
  constexpr int kColumns = 6;
  constexpr int64_t kRows = 40'000;
  arrow::FieldVector columns;
  arrow::ArrayVector values;
  std::vector<Field> fields;
  for (int32_t column = 1; column <= kColumns; ++column) {
    arrow::Int64Builder builder;
    for (int64_t row = 0; row < kRows; ++row) {
      const bool is_null = (row + column) % 7 == 0;
      EXPECT_TRUE((is_null ? builder.AppendNull() : builder.Append(row * column)).ok());
    }
    const std::string name = "c" + std::to_string(column);
    columns.push_back(FileColumn(column, name, arrow::int64()));
    values.push_back(builder.Finish().ValueOrDie());
    fields.push_back(TableColumn(column, name, TypeId::kLong));
  }
  arrow::ListBuilder lists(arrow::default_memory_pool(), std::make_shared<arrow::Int64Builder>());
  for (int64_t row = 0; row < kRows; ++row) {
    EXPECT_TRUE(lists.Append().ok());
    EXPECT_TRUE(static_cast<arrow::Int64Builder*>(lists.value_builder())->Append(row).ok());
  }
  columns.push_back(FileColumn(kColumns + 1, "l",
                               arrow::list(FileColumn(kColumns + 2, "element", arrow::int64()))));
  values.push_back(lists.Finish().ValueOrDie());
  fields.push_back(TableColumn(kColumns + 1, "l",
                               Type::List(TableColumn(kColumns + 2, "element", TypeId::kLong))));
  const std::string path = WriteTable(*arrow::Table::Make(arrow::schema(columns), values));
  const Schema table = TableOf(fields);
  FileScanTask task = TaskFor(path);
  task.residual =
      std::make_shared<BoundFilter>(BindFilter("c1 > 100 AND c2 > 50 AND c3 < 110000", table));
  DeletePositions(task, {path, path}, {2'000, 30'000});
  const std::string expected = Read(RequestFor(table), task);
  EXPECT_GT(expected.size(), 1'000'000u);
  for (const int workers : {1, 3, 16}) {
    const Context context{.executor = MakeThreadPool(workers)};
    EXPECT_EQ(Read(RequestFor(table), {task}, context) == expected, true) << workers;
  }
}

TEST_F(TableReaderTest, MayBeDroppedAtAnyTime) {
  std::vector<FileScanTask> tasks;
  for (int i = 0; i < 10; ++i) tasks.push_back(TaskFor(WriteCounting(1000)));
  const Context context{.executor = MakeThreadPool(2)};
  for (int batches = 0; batches < 12; ++batches) {
    TableReader reader(io_, context, Ids(), tasks);
    for (int i = 0; i < batches; ++i) reader.Next();
  }
  EXPECT_EQ(context.executor.use_count(), 1);
}

TEST_F(TableReaderTest, ReadsInsideItsOwnOnlyWorker) {
  // The reader must not wait for work that the busy worker would have to do.
  const Context context{.executor = MakeThreadPool(1)};
  std::vector<FileScanTask> tasks = {TaskFor(WriteCounting(10)), TaskFor(WriteCounting(10))};
  ParallelFor(context, 4, [&](int64_t) {
    TableReader reader(io_, context, Ids(), tasks);
    int64_t rows = 0;
    while (const auto batch = reader.Next()) rows += batch->num_rows();
    EXPECT_EQ(rows, 20);
  });
}

TEST_F(TableReaderTest, TheFirstErrorInOrderEndsTheStream) {
  std::vector<FileScanTask> tasks;
  for (int i = 0; i < 5; ++i) tasks.push_back(TaskFor(WriteCounting(10)));
  tasks[2] = TaskFor(Path("missing-1.parquet"));
  tasks[3] = TaskFor(Path("missing-2.parquet"));
  for (const int workers : {0, 3}) {
    const Context context{.executor = workers > 0 ? MakeThreadPool(workers) : nullptr};
    TableReader reader(io_, context, Ids(), tasks);
    EXPECT_EQ(reader.Next()->num_rows(), 10);
    EXPECT_EQ(reader.Next()->num_rows(), 10);
    const Error error = ErrorFrom([&] { reader.Next(); });
    EXPECT_EQ(error.code(), ErrorCode::kInvalid);
    EXPECT_NE(error.message().find("missing-1"), std::string::npos) << error.message();
    EXPECT_EQ(reader.Next(), nullptr);
  }
}

TEST_F(TableReaderTest, RefusesOtherFormatsByNameBeforeReading) {
  for (const FileFormat format : {FileFormat::kPuffin}) {
    FileScanTask task = TaskFor("the-data-file");
    DataFile file = *task.data_file;
    file.file_format = format;
    task.data_file = std::make_shared<DataFile>(file);
    const Error error = ErrorFrom([&] { TableReader(io_, Context{}, Ids(), {task}); });
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_NE(error.message().find(ToString(format)), std::string::npos);
    EXPECT_NE(error.message().find("the-data-file"), std::string::npos);
  }
}

TEST_F(TableReaderTest, TasksAreTakenWhenTheyAreNeeded) {
  size_t taken = 0;
  const auto next = [&]() -> std::optional<FileScanTask> {
    if (taken == 20) return std::nullopt;
    ++taken;
    return TaskFor(WriteCounting(10));
  };
  ReadRequest request = Ids();
  request.options.files_at_once = 2;
  TableReader reader(io_, Context{}, request, next);
  for (size_t read = 1; const auto batch = reader.Next(); ++read) {
    EXPECT_EQ(batch->num_rows(), 10);
    EXPECT_LE(taken, read + 2);
  }
  EXPECT_EQ(taken, 20u);
}

TEST_F(TableReaderTest, AnErrorOfTheTasksComesInTheirPlace) {
  size_t taken = 0;
  const auto next = [&]() -> std::optional<FileScanTask> {
    if (++taken == 3) ThrowInvalid("no third task");
    return TaskFor(WriteCounting(10));
  };
  ReadRequest request = Ids();
  request.options.files_at_once = 5;
  TableReader reader(io_, Context{}, request, next);
  EXPECT_EQ(reader.Next()->num_rows(), 10);
  EXPECT_EQ(reader.Next()->num_rows(), 10);
  EXPECT_EQ(ErrorFrom([&] { reader.Next(); }).message(), "no third task");
  EXPECT_EQ(reader.Next(), nullptr);
  EXPECT_EQ(taken, 3u);
}

TEST_F(TableReaderTest, StopsWhenAskedTo) {
  std::stop_source stop;
  TableReader reader(io_, Context{.stop = stop.get_token()}, Ids(), {TaskFor(WriteCounting(10))});
  stop.request_stop();
  EXPECT_EQ(ErrorFrom([&] { reader.Next(); }).code(), ErrorCode::kCancelled);
}

TEST_F(TableReaderTest, ALimitSpansFiles) {
  ReadRequest request = Ids();
  request.options.limit = 12;
  const Context context{.executor = MakeThreadPool(2)};
  std::vector<FileScanTask> tasks = {TaskFor(WriteCounting(10)), TaskFor(WriteCounting(10))};
  EXPECT_EQ(ReadColumn(request, tasks, context), "0 1 2 3 4 5 6 7 8 9 0 1");
}

TEST_F(TableReaderTest, MemoryStaysInBoundsForALargeFile) {
  // 8 MB in 100 row groups, read with a budget of 400 kB.
  const std::string path = WriteCounting(1000000, {.rows_per_group = 10000, .dictionary = false});
  arrow::MemoryPool* pool = arrow::default_memory_pool();
  TableReader reader(io_, Context{.memory_budget = 400 * 1000}, Ids(), {TaskFor(path)});
  const int64_t before = pool->bytes_allocated();
  int64_t most = 0;
  int64_t rows = 0;
  while (const auto batch = reader.Next()) {
    rows += batch->num_rows();
    most = std::max(most, pool->bytes_allocated() - before);
  }
  EXPECT_EQ(rows, 1000000);
  EXPECT_LT(most, 1000 * 1000);
}

}  // namespace
}  // namespace nunatak
