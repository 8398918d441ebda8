#include "nunatak/read/count_rows.h"

#include <arrow/api.h>

#include "nunatak/expr/bound_filter.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

class CountRowsTest : public ScanTest {
 protected:
  const ReadRequest request_ = RequestFor(TableOf({TableColumn(1, "id", TypeId::kLong)}));

  int64_t Count(const std::vector<FileScanTask>& tasks, const Context& context = {}) {
    return CountRows(io_, context, request_, tasks);
  }
  FileScanTask Filtered(FileScanTask task, std::string_view filter) {
    task.residual = std::make_shared<BoundFilter>(BindFilter(filter, request_.schema));
    return task;
  }
};

TEST_F(CountRowsTest, TakesRecordCountsWithoutOpeningFiles) {
  EXPECT_EQ(Count({}), 0);
  EXPECT_EQ(Count({TaskFor(Path("gone"), 7), Filtered(TaskFor(Path("gone too"), 5), "true")}), 12);
  EXPECT_EQ(io_->counters().requests, 0);
}

TEST_F(CountRowsTest, TasksMayComeOneByOne) {
  int64_t given = 0;
  const auto next = [&]() -> std::optional<FileScanTask> {
    if (given == 1500) return std::nullopt;
    return TaskFor(Path("gone"), ++given);
  };
  EXPECT_EQ(CountRows(io_, {}, request_, next), 1500 * 1501 / 2);
  EXPECT_EQ(CountRows(io_, {}, request_, TasksInOrder({})), 0);
}

TEST_F(CountRowsTest, CountsRowsThatPassTheFilter) {
  const FileScanTask task = TaskFor(WriteCounting(100), 100);
  EXPECT_EQ(Count({Filtered(task, "id >= 90"), Filtered(task, "id < 3")}), 13);
  EXPECT_EQ(Count({Filtered(task, "id < 0")}), 0);
}

TEST_F(CountRowsTest, RepeatedAndExcessivePositionsRemoveNothing) {
  const std::string path = WriteCounting(10);
  FileScanTask task = TaskFor(path, 10);
  DeletePositions(task, {path, path, path, path}, {3, 3, 10, 1000});
  EXPECT_EQ(Count({task}), 9);
  EXPECT_EQ(Count({Filtered(task, "id > 2")}), 6);
}

TEST_F(CountRowsTest, DeletedRowsCountForWhoAsks) {
  const std::string path = WriteCounting(10);
  FileScanTask task = TaskFor(path, 10);
  DeletePositions(task, {path, path}, {3, 4});
  ReadRequest request = request_;
  request.with_deleted = true;
  const FileScanTask tasks[] = {task, Filtered(task, "id > 3")};
  EXPECT_EQ(CountRows(io_, {}, request, std::span(tasks).first(1)), 10);
  EXPECT_EQ(CountRows(io_, {}, request, std::span(tasks).last(1)), 6);
}

TEST_F(CountRowsTest, SplitsCountTheirOwnRows) {
  FileScanTask task = TaskFor(WriteCounting(300, {.rows_per_group = 100}), 300);
  std::vector<FileScanTask> tasks;
  const int64_t size = task.data_file->file_size_in_bytes;
  for (int64_t i = 0; i < 5; ++i) {
    task.start = size * i / 5;
    task.length = size * (i + 1) / 5 - task.start;
    tasks.push_back(task);
  }
  EXPECT_EQ(Count(tasks), 300);
  EXPECT_EQ(Count(tasks, Context{.executor = MakeThreadPool(2)}), 300);
}

TEST_F(CountRowsTest, AFormatThatIsNotReadCanStillBeCounted) {
  FileScanTask task = TaskFor("no-data-file", 42);
  DataFile file = *task.data_file;
  file.file_format = FileFormat::kPuffin;
  task.data_file = std::make_shared<DataFile>(file);
  EXPECT_EQ(Count({task}), 42);
  EXPECT_EQ(ErrorFrom([&] { Count({Filtered(task, "id = 1")}); }).code(), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace nunatak
