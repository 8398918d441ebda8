// What a scan asks of storage: the bytes of pages that may match and little else, in few rounds.
#include <arrow/api.h>
#include <arrow/io/file.h>
#include <parquet/arrow/writer.h>
#include <parquet/file_reader.h>
#include <parquet/page_index.h>
#include <parquet/properties.h>

#include <chrono>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>

#include "nunatak/expr/bound_filter.h"
#include "nunatak/read/select_fields.h"
#include "nunatak/read/table_reader.h"
#include "read/damaged_file_io.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

constexpr int64_t kRows = 400'000;
constexpr int64_t kRowsPerGroup = 100'000;
/// What is fetched of a file's end at once, in the hope that it holds the footer.
constexpr int64_t kTailBytes = int64_t{512} << 10;

/// Local files that answer after a while. Requests for one file that wait at the same time are one
/// round.
class WaitingFileIO final : public FileIO {
 public:
  explicit WaitingFileIO(LocationMap locations = {}) : FileIO(std::move(locations)) {}
  bool waits() const override { return true; }
  std::shared_ptr<FileIO> WithLocations(LocationMap locations) const override {
    return std::make_shared<WaitingFileIO>(std::move(locations));
  }
  std::map<std::string, int> rounds() const { return rounds_; }

 protected:
  Buffer DoRead(const std::string& mapped, ByteRange range) override {
    {
      const std::lock_guard lock(mutex_);
      if (in_flight_[mapped]++ == 0) ++rounds_[mapped];
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    Buffer bytes;
    const FetchRequest request{mapped, range};
    local_->Fetch(Context{}, std::span(&request, 1),
                  [&](size_t, Buffer read) { bytes = std::move(read); });
    const std::lock_guard lock(mutex_);
    --in_flight_[mapped];
    return bytes;
  }
  Buffer DoReadAll(const std::string& mapped) override { return local_->ReadAll(mapped); }
  int64_t DoSize(const std::string& mapped) override { return local_->Size(mapped); }
  std::vector<FileInfo> DoList(const std::string& mapped) override { return local_->List(mapped); }

 private:
  std::shared_ptr<FileIO> local_ = MakeLocalFileIO();
  std::mutex mutex_;
  std::map<std::string, int> in_flight_;
  std::map<std::string, int> rounds_;
};

/// A table of three columns, of which the first is sorted, and none compresses. Their pages begin
/// with the same rows, so that those with a page that may match are those with matching rows.
class FetchedBytesTest : public ScanTest {
 protected:
  std::string WriteSorted(const std::string& name, int64_t rows = kRows) {
    std::mt19937_64 random(7);
    arrow::Int64Builder id;
    arrow::Int64Builder number;
    arrow::DoubleBuilder real;
    for (int64_t row = 0; row < rows; ++row) {
      EXPECT_TRUE(id.Append(row).ok() && number.Append(static_cast<int64_t>(random())).ok() &&
                  real.Append(static_cast<double>(random())).ok());
    }
    const auto table = arrow::Table::Make(
        arrow::schema({FileColumn(1, "id", arrow::int64()), FileColumn(2, "n", arrow::int64()),
                       FileColumn(3, "f", arrow::float64())}),
        {id.Finish().ValueOrDie(), number.Finish().ValueOrDie(), real.Finish().ValueOrDie()});
    const std::string path = Path(name);
    const auto out = arrow::io::FileOutputStream::Open(path).ValueOrDie();
    parquet::WriterProperties::Builder properties;
    properties.enable_write_page_index()->disable_dictionary()->data_pagesize(64 << 10);
    EXPECT_TRUE(parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), out, kRowsPerGroup,
                                           properties.build())
                    .ok());
    EXPECT_TRUE(out->Close().ok());
    return path;
  }

  /// The bytes of the pages of all columns that hold any of the rows, by the offset indexes.
  static int64_t PageBytes(const std::string& path, int64_t first, int64_t last) {
    const auto file = parquet::ParquetFileReader::OpenFile(path);
    int64_t bytes = 0;
    for (int group = 0; group < file->metadata()->num_row_groups(); ++group) {
      const int64_t group_first = group * kRowsPerGroup;
      const int64_t group_rows = file->metadata()->RowGroup(group)->num_rows();
      const auto indexes = file->GetPageIndexReader()->RowGroup(group);
      for (int column = 0; column < 3; ++column) {
        const auto index = indexes->GetOffsetIndex(column);
        const auto& pages = index->page_locations();
        for (size_t i = 0; i < pages.size(); ++i) {
          const int64_t begin = group_first + pages[i].first_row_index;
          const int64_t end = i + 1 < pages.size() ? group_first + pages[i + 1].first_row_index
                                                   : group_first + group_rows;
          if (begin <= last && first < end) bytes += pages[i].compressed_page_size;
        }
      }
    }
    return bytes;
  }

  FileScanTask Filtered(const std::string& path, const std::string& filter) {
    FileScanTask task = TaskFor(path);
    task.residual = std::make_shared<BoundFilter>(BindFilter(filter, table_));
    return task;
  }

  Schema table_ = TableOf({TableColumn(1, "id", TypeId::kLong), TableColumn(2, "n", TypeId::kLong),
                           TableColumn(3, "f", TypeId::kDouble)});
};

TEST_F(FetchedBytesTest, AFilterFetchesThePagesThatMayMatch) {
  const std::string path = WriteSorted("sorted.parquet");
  const int64_t file_bytes = io_->Size(path);
  struct Case {
    int64_t first;
    int64_t last;
  };
  // Within a page; over several pages; over two row groups.
  for (const auto& [first, last] :
       {Case{5'000, 5'010}, Case{130'000, 160'000}, Case{95'000, 105'000}}) {
    const std::string filter =
        "id BETWEEN " + std::to_string(first) + " AND " + std::to_string(last);
    const int64_t before = io_->counters().bytes_read;
    TableReader reader(io_, Context{}, RequestFor(table_), std::vector{Filtered(path, filter)});
    int64_t rows = 0;
    while (const auto batch = reader.Next()) rows += batch->num_rows();
    EXPECT_EQ(rows, last - first + 1);
    const int64_t fetched = io_->counters().bytes_read - before;
    const int64_t needed = PageBytes(path, first, last);
    EXPECT_LT(fetched - kTailBytes, needed * 6 / 5) << filter;
    EXPECT_GE(fetched, needed);
    EXPECT_LT(fetched, file_bytes / 3);
  }
}

TEST_F(FetchedBytesTest, AnIndexThatIsWrongIsAnError) {
  const std::string path = WriteSorted("sorted.parquet", kRowsPerGroup);
  const auto io = std::make_shared<DamagedFileIO>();
  const std::string whole = io->Bytes(path);
  const auto metadata = parquet::ParquetFileReader::OpenFile(path)->metadata();
  const auto location = *metadata->RowGroup(0)->ColumnChunk(1)->GetOffsetIndexLocation();
  const FileScanTask task = Filtered(path, "id BETWEEN 30000 AND 50000");
  const auto rows_or_error = [&]() -> std::string {
    try {
      TableReader reader(io, Context{}, RequestFor(table_), std::vector{task});
      int64_t rows = 0;
      while (const auto batch = reader.Next()) rows += batch->num_rows();
      return std::to_string(rows);
    } catch (const Error& error) {
      return error.message();
    }
  };
  EXPECT_EQ(rows_or_error(), "20001");
  int errors = 0;
  for (int64_t at = location.offset; at < location.offset + location.length; ++at) {
    std::string bytes = whole;
    bytes[static_cast<size_t>(at)] = static_cast<char>(bytes[static_cast<size_t>(at)] ^ 2);
    io->Put(path, bytes);
    const std::string result = rows_or_error();
    if (result == "20001") continue;  // a page that is not wanted
    EXPECT_NE(result.find(path + ": column n: "), std::string::npos) << result;
    ++errors;
  }
  EXPECT_GT(errors, 10);
}

TEST_F(FetchedBytesTest, AScanAsksForAFileInThreeRounds) {
  std::vector<FileScanTask> tasks;
  for (int i = 0; i < 10; ++i) {
    const std::string path = WriteSorted(std::to_string(i) + ".parquet", kRowsPerGroup);
    tasks.push_back(i % 2 == 0 ? TaskFor(path) : Filtered(path, "id < 40000 AND n > 0"));
  }
  const auto io = std::make_shared<WaitingFileIO>();
  const Context context{.executor = MakeThreadPool(2)};
  TableReader reader(io, context, RequestFor(table_), tasks);
  int64_t rows = 0;
  while (const auto batch = reader.Next()) rows += batch->num_rows();
  EXPECT_GT(rows, 5 * kRowsPerGroup);
  EXPECT_EQ(io->rounds().size(), 10u);
  for (const auto& [file, rounds] : io->rounds()) EXPECT_LE(rounds, 3) << file;
}

}  // namespace
}  // namespace nunatak
