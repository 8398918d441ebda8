#include "nunatak/read/open_data_file.h"

#include <arrow/api.h>

#include <numeric>

#include "nunatak/base/error.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/read/fetch_ranges.h"
#include "nunatak/read/read_data_file.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

class OpenDataFileTest : public ScanTest {
 protected:
  ReadRequest Ids() { return RequestFor(TableOf({TableColumn(1, "id", TypeId::kLong)})); }

  OpenDataFile Open(const ReadRequest& request, const FileScanTask& task) {
    return OpenTask(*io_, Context{}, request, task, {});
  }

  static int64_t Length(const std::vector<ByteRange>& ranges) {
    return std::accumulate(ranges.begin(), ranges.end(), int64_t{0},
                           [](int64_t sum, const ByteRange& range) { return sum + range.length; });
  }
};

/// A file too large for its chunks to come with the footer: 2 MB in 20 row groups.
constexpr int64_t kRows = 256000;
constexpr FileOptions kManyGroups = {.rows_per_group = 12800, .dictionary = false};

TEST_F(OpenDataFileTest, ASmallFileNeedsNothingBeyondItsFooterRequest) {
  const FileScanTask task = TaskFor(WriteCounting(100));
  const int64_t before = io_->counters().requests;
  OpenDataFile file = Open(Ids(), task);
  EXPECT_TRUE(file.Needed().empty());
  EXPECT_FALSE(file.done());
  file.Fill({});
  EXPECT_EQ(file.Next()->num_rows(), 100);
  EXPECT_EQ(file.Next(), nullptr);
  EXPECT_TRUE(file.done());
  EXPECT_EQ(io_->counters().requests - before, 1);
}

/// The last bytes of the file of a task.
Buffer TailOf(FileIO& io, const FileScanTask& task, int64_t length) {
  const int64_t size = task.data_file->file_size_in_bytes;
  return FetchRange(io, Context{}, task.data_file->file_path, {size - length, length});
}

TEST_F(OpenDataFileTest, ACallerWhoHasTheFooterSparesItsRequest) {
  const FileScanTask task = TaskFor(WriteCounting(kRows, kManyGroups));
  const Buffer tail = TailOf(*io_, task, 512 << 10);
  const int64_t before = io_->counters().requests;
  OpenDataFile file = OpenTask(*io_, Context{}, Ids(), task, {}, tail);
  EXPECT_EQ(io_->counters().requests, before);
  int64_t rows = 0;
  while (!file.done()) {
    file.Fill(FetchRanges(*io_, Context{}, task.data_file->file_path, file.Needed()));
    while (const auto batch = file.Next()) rows += batch->num_rows();
  }
  EXPECT_EQ(rows, kRows);
}

TEST_F(OpenDataFileTest, ATailThatIsTooShortIsFetchedAnew) {
  const FileScanTask task = TaskFor(WriteCounting(kRows, kManyGroups));
  for (const int64_t length : {0, 1, 7, 1023, 1024}) {
    const Buffer tail = TailOf(*io_, task, length);
    const int64_t before = io_->counters().requests;
    OpenDataFile file = OpenTask(*io_, Context{}, Ids(), task, {}, tail);
    EXPECT_EQ(io_->counters().requests, before + 1) << length;
    EXPECT_FALSE(file.Needed().empty());
  }
}

TEST_F(OpenDataFileTest, TheTailOfAnotherFileIsAnError) {
  const FileScanTask task = TaskFor(WriteCounting(kRows, kManyGroups));
  const Buffer other = Buffer::From(std::vector<uint8_t>(4096, 7));
  EXPECT_THROW(OpenTask(*io_, Context{}, Ids(), task, {}, other), Error);
}

TEST_F(OpenDataFileTest, NamesWhatAWindowNeedsAndDecodesWithoutIo) {
  const FileScanTask task = TaskFor(WriteCounting(kRows, kManyGroups));
  ReadRequest request = Ids();
  request.options.window_bytes = 1;
  OpenDataFile file = Open(request, task);
  int64_t rows = 0;
  int64_t windows = 0;
  while (!file.done()) {
    const std::vector<ByteRange> needed = file.Needed();
    // One row group of 12 800 longs, give or take.
    EXPECT_LE(Length(needed), 110 * 1000);
    std::vector<Buffer> buffers = FetchRanges(*io_, Context{}, task.data_file->file_path, needed);
    const int64_t requests = io_->counters().requests;
    file.Fill(std::move(buffers));
    while (const auto batch = file.Next()) {
      EXPECT_EQ(static_cast<const arrow::Int64Array&>(*batch->column(0)).Value(0), rows);
      rows += batch->num_rows();
    }
    EXPECT_EQ(io_->counters().requests, requests);
    ++windows;
  }
  EXPECT_EQ(rows, kRows);
  EXPECT_EQ(windows, 20);
}

TEST_F(OpenDataFileTest, AWindowTakesAsManyGroupsAsFit) {
  const FileScanTask task = TaskFor(WriteCounting(kRows, kManyGroups));
  ReadRequest request = Ids();
  request.options.window_bytes = 350 * 1000;
  EXPECT_GT(Length(Open(request, task).Needed()), 250 * 1000);
  EXPECT_LE(Length(Open(request, task).Needed()), 350 * 1000);
}

TEST_F(OpenDataFileTest, SplitsNeitherRepeatNorLoseRows) {
  const std::string path = WriteCounting(3000, {.rows_per_group = 1000});
  const FileScanTask whole = TaskFor(path);
  const int64_t size = whole.data_file->file_size_in_bytes;
  for (const int64_t pieces : {2, 3, 10, 100}) {
    std::vector<FileScanTask> tasks;
    for (int64_t i = 0; i < pieces; ++i) {
      FileScanTask task = whole;
      task.start = size * i / pieces;
      task.length = size * (i + 1) / pieces - task.start;
      tasks.push_back(std::move(task));
    }
    EXPECT_EQ(ReadColumn(Ids(), tasks), ReadColumn(Ids(), whole)) << pieces;
  }
}

TEST_F(OpenDataFileTest, ColumnsThatNeedNoBytesComeFromTheFooter) {
  const FileScanTask task = TaskFor(WriteCounting(2500, {.rows_per_group = 1000}));
  ReadRequest request = RequestFor(TableOf({TableColumn(2, "d", TypeId::kInt, Value::Integer(1))}));
  request.options.batch_size = 300;
  OpenDataFile file = Open(request, task);
  file.Fill({});
  int64_t rows = 0;
  while (const auto batch = file.Next()) {
    EXPECT_LE(batch->num_rows(), 300);
    rows += batch->num_rows();
  }
  EXPECT_EQ(rows, 2500);
}

TEST_F(OpenDataFileTest, SplitsOfAFileFetchItsFooterOnce) {
  const FileScanTask whole = TaskFor(WriteCounting(100, {.rows_per_group = 10}));
  std::vector<FileScanTask> tasks;
  for (int64_t start = 0; start < whole.length; ++start) {
    tasks.push_back(whole);
    tasks.back().start = start;
    tasks.back().length = 1;
  }
  const std::string rows = ReadColumn(Ids(), whole);
  const int64_t before = io_->counters().requests;
  EXPECT_EQ(ReadColumn(Ids(), tasks), rows);
  // The end of the file holds all of it.
  EXPECT_EQ(io_->counters().requests - before, 1);
}

TEST_F(OpenDataFileTest, AMissingFileIsAnInvalidTable) {
  const FileScanTask task = TaskFor(Path("gone.parquet"));
  const Error error = ErrorFrom([&] { Open(Ids(), task); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalid);
  EXPECT_NE(error.message().find("gone.parquet"), std::string::npos);
}

TEST_F(OpenDataFileTest, ADamagedPageNamesTheFile) {
  std::string bytes(AsText(io_->ReadAll(WriteCounting(1000, {.dictionary = false})).bytes));
  bytes.replace(4, 40, std::string(40, '\xff'));
  const std::string path = WriteBytes("damaged.parquet", bytes);
  const Error error = ErrorFrom([&] { ReadColumn(Ids(), TaskFor(path)); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalid);
  EXPECT_NE(error.message().find(path), std::string::npos);
}

TEST_F(OpenDataFileTest, ReadDataFileStopsAtTheLimitAndWhenTheSinkSaysSo) {
  const FileScanTask task = TaskFor(WriteCounting(1000));
  ReadRequest request = Ids();
  request.options = {.batch_size = 10, .limit = 25};
  int64_t rows = 0;
  ReadDataFile(io_, Context{}, request, task, [&](const auto& batch) {
    rows += batch->num_rows();
    return true;
  });
  EXPECT_EQ(rows, 25);
  int calls = 0;
  request.options.limit = -1;
  ReadDataFile(io_, Context{}, request, task, [&](const auto&) { return ++calls < 3; });
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace nunatak
