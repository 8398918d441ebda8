#include "nunatak/read/prefetcher.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>

#include "nunatak/read/table_reader.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

/// Local files behind what claims to be a network; counts the reads of each file.
class CountingFileIO final : public FileIO {
 public:
  bool waits() const override { return true; }
  std::shared_ptr<FileIO> WithLocations(LocationMap) const override { return nullptr; }

  size_t ReadsOf(const std::string& path) {
    std::lock_guard lock(mutex_);
    return reads_[path];
  }
  /// Whether somebody reads the file soon.
  bool WaitForReadOf(const std::string& path) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60), [&] { return reads_[path] > 0; });
  }

 protected:
  Buffer DoRead(const std::string& mapped, ByteRange range) override {
    Count(mapped);
    const Buffer file = files_->ReadAll(mapped);
    return {
        file.bytes.subspan(static_cast<size_t>(range.offset), static_cast<size_t>(range.length)),
        file.owner};
  }
  Buffer DoReadAll(const std::string& mapped) override {
    Count(mapped);
    return files_->ReadAll(mapped);
  }
  int64_t DoSize(const std::string& mapped) override { return files_->Size(mapped); }
  std::vector<FileInfo> DoList(const std::string& mapped) override { return files_->List(mapped); }

 private:
  void Count(const std::string& path) {
    std::lock_guard lock(mutex_);
    ++reads_[path];
    changed_.notify_all();
  }

  std::shared_ptr<FileIO> files_ = MakeLocalFileIO();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, size_t> reads_;
};

class PrefetcherTest : public ScanTest {
 protected:
  void SetUp() override {
    ScanTest::SetUp();
    for (int i = 0; i < 6; ++i) {
      paths_.push_back(WriteCounting(10));
      tasks_.push_back(TaskFor(paths_.back()));
    }
  }

  TableReader Reader(const Context& context, ScanOptions options) {
    ReadRequest request = RequestFor(TableOf({TableColumn(1, "id", TypeId::kLong)}));
    request.options = options;
    return TableReader(counting_, context, request, tasks_);
  }

  std::shared_ptr<CountingFileIO> counting_ = std::make_shared<CountingFileIO>();
  std::vector<std::string> paths_;
  std::vector<FileScanTask> tasks_;
};

TEST_F(PrefetcherTest, TheNextFileIsFetchedWhileTheCallerHasTheFirst) {
  for (const auto& executor : {std::shared_ptr<Executor>(), MakeThreadPool(1)}) {
    counting_ = std::make_shared<CountingFileIO>();
    TableReader reader = Reader({.executor = executor}, {.files_at_once = 2});
    ASSERT_NE(reader.Next(), nullptr);
    EXPECT_TRUE(counting_->WaitForReadOf(paths_[1]));
    EXPECT_EQ(counting_->ReadsOf(paths_[2]), 0u);
  }
}

TEST_F(PrefetcherTest, WithoutOverlapOneThreadDoesOneThingAfterTheOther) {
  TableReader reader = Reader({}, {.files_at_once = 2, .overlap_io = false});
  ASSERT_NE(reader.Next(), nullptr);
  EXPECT_EQ(counting_->ReadsOf(paths_[1]), 0u);
}

TEST_F(PrefetcherTest, RowsAndOrderAreTheSame) {
  for (const auto& executor : {std::shared_ptr<Executor>(), MakeThreadPool(3)}) {
    for (const int files_at_once : {0, 1, 2, 20}) {
      TableReader reader = Reader({.executor = executor}, {.files_at_once = files_at_once});
      int64_t rows = 0;
      while (const auto batch = reader.Next()) rows += batch->num_rows();
      EXPECT_EQ(rows, 60);
    }
  }
}

TEST_F(PrefetcherTest, AnErrorComesInTheFilesPlace) {
  tasks_[2] = TaskFor("gone");
  TableReader reader = Reader({}, {});
  EXPECT_EQ(reader.Next()->num_rows(), 10);
  EXPECT_EQ(reader.Next()->num_rows(), 10);
  EXPECT_NE(ErrorFrom([&] { reader.Next(); }).message().find("gone"), std::string::npos);
  EXPECT_EQ(reader.Next(), nullptr);
}

TEST_F(PrefetcherTest, ClosingEarlyFetchesNoMoreFiles) {
  for (int i = 0; i < 20; ++i) {
    counting_ = std::make_shared<CountingFileIO>();
    TableReader reader = Reader({}, {.files_at_once = 2});
    if (i % 2 == 0) reader.Next();
  }
  EXPECT_EQ(counting_->ReadsOf(paths_[3]), 0u);
}

}  // namespace
}  // namespace nunatak
