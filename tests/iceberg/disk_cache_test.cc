#include "nunatak/iceberg/disk_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "iceberg/corpus.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/plan/file_scan_task_json.h"
#include "nunatak/plan/table_scan.h"
#include "test_data.h"

namespace nunatak::iceberg {
namespace {

namespace fs = std::filesystem;
using CachePtr = std::shared_ptr<ManifestCache>;

/// Storage that knows nothing of a file but its bytes, as object stores do.
class StampLessFileIO final : public FileIO {
 public:
  explicit StampLessFileIO(std::shared_ptr<FileIO> files)
      : FileIO(files->locations()), files_(std::move(files)) {}
  std::shared_ptr<FileIO> WithLocations(LocationMap locations) const override {
    return std::make_shared<StampLessFileIO>(files_->WithLocations(std::move(locations)));
  }

 protected:
  Buffer DoRead(const std::string& mapped, ByteRange range) override {
    Buffer bytes;
    const FetchRequest request{mapped, range};
    files_->Fetch({}, {&request, 1}, [&](size_t, Buffer read) { bytes = std::move(read); });
    return bytes;
  }
  Buffer DoReadAll(const std::string& mapped) override { return files_->ReadAll(mapped); }
  int64_t DoSize(const std::string& mapped) override { return files_->Size(mapped); }
  std::vector<FileInfo> DoList(const std::string& mapped) override { return files_->List(mapped); }

 private:
  std::shared_ptr<FileIO> files_;
};

class DiskCacheTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::remove_all(root_); }
  void TearDown() override { fs::remove_all(root_); }

  std::string cache_directory() const { return root_ / "a" / "cache"; }

  /// As a new process has it: nothing in memory.
  CachePtr NewCache(int64_t max_bytes = int64_t{1} << 30) const {
    return std::make_shared<ManifestCache>(ManifestCacheOptions{.max_file_bytes = 0,
                                                                .max_column_bytes = 0,
                                                                .disk_directory = cache_directory(),
                                                                .max_disk_bytes = max_bytes});
  }

  static Table OpenCopy(const fs::path& directory) {
    return OpenTable(MakeLocalFileIO(), directory.string(), {.moved = true});
  }
  static fs::path DataTable(const std::string& name) { return TestData() / "iceberg" / name; }
  /// A copy of a table that ships with the tests, in place of what was there.
  Table CopyOf(const std::string& name, const std::string& to = "table") const {
    fs::remove_all(root_ / to);
    fs::create_directories(root_);
    fs::copy(DataTable(name), root_ / to, fs::copy_options::recursive);
    return OpenCopy(root_ / to);
  }

  /// The plan with all that a task holds, or what was wrong.
  static std::string PlanText(const Table& table, CachePtr cache, const Context& context = {},
                              const std::string& filter = "") {
    try {
      const auto source =
          MakeSnapshotSource(table, ChooseSnapshot(*table.metadata, {}), std::move(cache));
      const TableScan scan(source, BindFilter(filter, source->schema()), {.column_metrics = true});
      return PlanToJson(scan.PlanFiles(context), *source)
          .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    } catch (const Error& error) {
      return error.message();
    }
  }

  std::vector<fs::path> Images() const {
    std::vector<fs::path> images;
    if (!fs::exists(cache_directory())) return images;
    for (const auto& file : fs::directory_iterator(cache_directory())) {
      if (file.path().extension() == ".manifest") images.push_back(file.path());
    }
    std::sort(images.begin(), images.end());
    return images;
  }
  static void Write(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }
  static void MakeOlder(const fs::path& path, std::chrono::hours hours) {
    fs::last_write_time(path, fs::last_write_time(path) - hours);
  }

  const fs::path root_ =
      fs::path(::testing::TempDir()) / ("nunatak_disk_cache_" + std::to_string(::getpid()));
};

TEST_F(DiskCacheTest, PlansAreTheSameWithItOrWithout) {
  int64_t hits = 0;
  for (const fs::path& directory : TablesAtHand()) {
    Table table;
    try {
      table = OpenCopy(directory);
    } catch (const Error&) {
      continue;  // Some tables are there to be refused.
    }
    const std::string expected = PlanText(table, nullptr);
    const CachePtr writing = NewCache();
    EXPECT_EQ(PlanText(table, writing), expected) << directory;
    const CachePtr reading = NewCache();
    EXPECT_EQ(PlanText(table, reading), expected) << directory;
    EXPECT_EQ(reading->counters().disk_hits, writing->counters().disk_writes) << directory;
    hits += reading->counters().disk_hits;
  }
  EXPECT_GT(hits, 50);
}

TEST_F(DiskCacheTest, FilteredPlansAreTheSame) {
  const Table table = OpenCopy(TestData() / "bookshop-orders");
  PlanText(table, NewCache());
  for (const char* filter :
       {"order_id > 250", "order_id = 17", "status = 'shipped'", "amount < 10 or amount is null",
        "order_ts >= TIMESTAMP '2026-05-01T00:00:00'", "customer like 'A%'"}) {
    const CachePtr cache = NewCache();
    EXPECT_EQ(PlanText(table, cache, {}, filter), PlanText(table, nullptr, {}, filter)) << filter;
    EXPECT_EQ(cache->counters().disk_writes, 0) << filter;
  }
}

TEST_F(DiskCacheTest, ANewProcessReadsNoManifest) {
  const Table table = OpenCopy(TestData() / "bookshop-orders");
  const auto requests_of = [&](const CachePtr& cache) {
    const int64_t before = table.io->counters().requests;
    PlanText(table, cache);
    return table.io->counters().requests - before;
  };
  EXPECT_EQ(requests_of(NewCache()), 16);
  EXPECT_EQ(requests_of(NewCache()), 1);  // the manifest list
}

TEST_F(DiskCacheTest, MemoryIsAskedFirst) {
  const Table table = OpenCopy(TestData() / "bookshop-orders");
  const std::string expected = PlanText(table, NewCache());
  const auto cache =
      std::make_shared<ManifestCache>(ManifestCacheOptions{.disk_directory = cache_directory()});
  EXPECT_EQ(PlanText(table, cache), expected);
  EXPECT_EQ(cache->counters().disk_hits, 15);
  EXPECT_EQ(cache->counters().column_hits, 0);
  EXPECT_EQ(PlanText(table, cache), expected);
  EXPECT_EQ(cache->counters().disk_hits, 15);
  EXPECT_EQ(cache->counters().column_hits, 15);
}

TEST_F(DiskCacheTest, WhatVanishedIsDecodedAgain) {
  const Table table = OpenCopy(TestData() / "bookshop-orders");
  PlanText(table, NewCache());
  const auto cache =
      std::make_shared<ManifestCache>(ManifestCacheOptions{.disk_directory = cache_directory()});
  const auto source = MakeSnapshotSource(table, ChooseSnapshot(*table.metadata, {}), cache);
  // Reads the metrics of no column.
  TableScan(source, BoundFilter()).PlanFiles({});
  EXPECT_EQ(DiskManifestCache::Clear(cache_directory()).files, 15);
  EXPECT_EQ(PlanText(table, cache), PlanText(table, nullptr));
  EXPECT_GT(cache->counters().disk_writes, 0);
}

TEST_F(DiskCacheTest, EveryDamageIsAMissAndIsRepaired) {
  const Table table = CopyOf("part-identity-string");
  const std::string expected = PlanText(table, NewCache());
  const fs::path image = Images().at(0);
  const std::string bytes = ReadFileBytes(image);
  const auto check = [&](const std::string& damaged, const std::string& what) {
    Write(image, damaged);
    const CachePtr cache = NewCache();
    ASSERT_EQ(PlanText(table, cache), expected) << what;
    ASSERT_EQ(cache->counters().disk_writes, 1) << what;
    ASSERT_EQ(ReadFileBytes(image), bytes) << what;
  };
  // `DiskManifest.EveryCutAndEveryFlippedBitIsNoticed` leaves none out.
  for (size_t length = 0; length < bytes.size(); length += 5) {
    check(bytes.substr(0, length), "cut to " + std::to_string(length));
  }
  for (size_t at = 0; at < bytes.size(); at += 5) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    check(damaged, "a bit of byte " + std::to_string(at));
  }
  check("", "empty");
  check(bytes + "x", "too long");
  check(std::string(100000, 'x'), "foreign");
}

TEST_F(DiskCacheTest, AnImageUnderTheNameOfAnotherIsAMiss) {
  const Table table = OpenCopy(TestData() / "bookshop-orders");
  const std::string expected = PlanText(table, NewCache());
  const std::vector<fs::path> images = Images();
  for (const fs::path& image : images) {
    if (image != images[0]) fs::copy_file(images[0], image, fs::copy_options::overwrite_existing);
  }
  const CachePtr cache = NewCache();
  EXPECT_EQ(PlanText(table, cache), expected);
  EXPECT_EQ(cache->counters().disk_hits, 1);
}

TEST_F(DiskCacheTest, WhatIsNoFileIsAMiss) {
  const Table table = CopyOf("part-identity-string");
  const std::string expected = PlanText(table, NewCache());
  const fs::path image = Images().at(0);
  fs::remove(image);
  fs::create_directory(image);
  EXPECT_EQ(PlanText(table, NewCache()), expected);
  EXPECT_TRUE(fs::is_directory(image));
  fs::remove(image);
  ASSERT_EQ(::mkfifo(image.c_str(), 0600), 0);
  EXPECT_EQ(PlanText(table, NewCache()), expected);
  EXPECT_TRUE(fs::is_regular_file(image));
}

TEST_F(DiskCacheTest, ADirectoryThatCannotBeUsedChangesNothing) {
  const Table table = CopyOf("part-identity-string");
  const std::string expected = PlanText(table, nullptr);
  // Not even root can make a directory under a file.
  Write(root_ / "a", "a file");
  EXPECT_EQ(PlanText(table, NewCache()), expected);
  EXPECT_EQ(DiskManifestCache::Usage(cache_directory()).files, 0);
  EXPECT_EQ(DiskManifestCache::Clear(cache_directory()).files, 0);
}

TEST_F(DiskCacheTest, APathOfAnotherTableIsAnotherManifest) {
  for (const char* name : {"dv-basic", "mor-pos-partition", "part-identity-string", "dv-basic"}) {
    const Table table = CopyOf(name);
    EXPECT_EQ(PlanText(table, NewCache()), PlanText(table, nullptr)) << name;
  }
}

/// Iceberg never rewrites a manifest, but somebody did: same table, same place, same length.
TEST_F(DiskCacheTest, ARewrittenManifestIsReadAgain) {
  const Table table = CopyOf("part-identity-string");
  const std::string before = PlanText(table, NewCache());
  const ManifestFile file =
      ReadManifests(table, ChooseSnapshot(*table.metadata, {}).snapshot).at(0);
  const fs::path path(table.io->locations().Map(file.manifest_path));
  std::string bytes = ReadFileBytes(path);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  const auto time = fs::last_write_time(path);
  Write(path, bytes);
  fs::last_write_time(path, time);
  EXPECT_EQ(PlanText(table, NewCache()), PlanText(table, nullptr));
  fs::remove(path);
  const std::string missing = PlanText(table, NewCache());
  EXPECT_EQ(missing, PlanText(table, nullptr));
  EXPECT_NE(missing, before);
}

TEST_F(DiskCacheTest, StorageWithoutStampsIsToldApartByTheTable) {
  Table table = CopyOf("part-identity-string");
  table.io = std::make_shared<StampLessFileIO>(table.io);
  const std::string expected = PlanText(table, nullptr);
  EXPECT_EQ(PlanText(table, NewCache()), expected);
  EXPECT_EQ(Images().size(), 1u);
  const CachePtr cache = NewCache();
  EXPECT_EQ(PlanText(table, cache), expected);
  EXPECT_EQ(cache->counters().disk_hits, 1);
  // Without even an id of the table nothing is kept.
  auto metadata = std::make_shared<TableMetadata>(*table.metadata);
  metadata->table_uuid = std::nullopt;
  table.metadata = metadata;
  const CachePtr anonymous = NewCache();
  EXPECT_EQ(PlanText(table, anonymous), expected);
  EXPECT_EQ(anonymous->counters().disk_hits + anonymous->counters().disk_writes, 0);
}

TEST_F(DiskCacheTest, TheLeastRecentlyUsedGoFirst) {
  const Table table = OpenCopy(TestData() / "bookshop-orders");
  PlanText(table, NewCache());
  const std::vector<fs::path> images = Images();
  ASSERT_EQ(images.size(), 15u);
  int64_t bytes = 0;
  for (size_t i = 0; i < images.size(); ++i) {
    bytes += static_cast<int64_t>(fs::file_size(images[i]));
    MakeOlder(images[i], std::chrono::hours(100 - i));
  }
  fs::remove(fs::path(cache_directory()) / "swept.mark");
  // Writing one more makes room for all that is too much.
  PlanText(CopyOf("part-identity-string"), NewCache(bytes / 2));
  EXPECT_LE(DiskManifestCache::Usage(cache_directory()).bytes, bytes / 2);
  const std::vector<fs::path> left = Images();
  EXPECT_GT(left.size(), 4u);
  EXPECT_LT(left.size(), 12u);
  for (size_t i = 0; i < images.size(); ++i) {
    const bool kept = std::find(left.begin(), left.end(), images[i]) != left.end();
    EXPECT_EQ(kept, i + left.size() > images.size()) << i;
  }
}

TEST_F(DiskCacheTest, UseCountsAsATime) {
  const Table table = CopyOf("part-identity-string");
  PlanText(table, NewCache());
  const fs::path image = Images().at(0);
  MakeOlder(image, std::chrono::hours(5));
  PlanText(table, NewCache());
  EXPECT_LT(fs::file_time_type::clock::now() - fs::last_write_time(image), std::chrono::hours(1));
  // A little later it is not worth a write.
  MakeOlder(image, std::chrono::hours(0));
  fs::last_write_time(image, fs::last_write_time(image) - std::chrono::minutes(2));
  const auto time = fs::last_write_time(image);
  PlanText(table, NewCache());
  EXPECT_EQ(fs::last_write_time(image), time);
}

TEST_F(DiskCacheTest, LargeImagesAreNotKept) {
  const Table table = CopyOf("part-identity-string");
  const std::string expected = PlanText(table, nullptr);
  EXPECT_EQ(PlanText(table, NewCache(1000)), expected);
  EXPECT_TRUE(Images().empty());
}

TEST_F(DiskCacheTest, ClearingLeavesOtherFilesAlone) {
  PlanText(CopyOf("part-identity-string"), NewCache());
  const fs::path directory = cache_directory();
  const fs::path image = Images().at(0);
  const std::vector<std::string> others = {"notes.txt", "x.manifest", image.stem().string(),
                                           image.filename().string() + "x",
                                           "0123456789ABCDEF0123456789ABCDEF.manifest"};
  for (const std::string& name : others) Write(directory / name, "mine");
  Write(image.string() + ".0123.tmp", "left behind");
  const DiskUsage usage = DiskManifestCache::Usage(directory);
  EXPECT_EQ(usage.files, 2);
  EXPECT_EQ(usage.bytes, static_cast<int64_t>(fs::file_size(image)) + 11);
  EXPECT_EQ(DiskManifestCache::Clear(directory).bytes, usage.bytes);
  EXPECT_EQ(DiskManifestCache::Usage(directory).files, 0);
  for (const std::string& name : others) EXPECT_EQ(ReadFileBytes(directory / name), "mine");
}

TEST_F(DiskCacheTest, WhatADeadProcessLeftIsSwept) {
  const Table table = CopyOf("part-identity-string");
  PlanText(table, NewCache());
  const fs::path image = Images().at(0);
  const fs::path old = image.string() + ".0123.tmp";
  const fs::path young = image.string() + ".4567.tmp";
  Write(old, "left behind");
  Write(young, "being written");
  MakeOlder(old, std::chrono::hours(2));
  fs::remove(image);
  fs::remove(fs::path(cache_directory()) / "swept.mark");
  PlanText(table, NewCache());
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young));
}

TEST_F(DiskCacheTest, WritesOnTheExecutorOutliveTheScanAndTheCache) {
  const Table table = OpenCopy(TestData() / "bookshop-orders");
  {
    Context context;
    context.executor = MakeThreadPool(2);
    CachePtr cache = NewCache();
    const auto source = MakeSnapshotSource(table, ChooseSnapshot(*table.metadata, {}), cache);
    cache = nullptr;
    TableScan(source, BoundFilter()).Stream(context)->NextGroup();
  }
  EXPECT_GT(Images().size(), 0u);
  EXPECT_EQ(PlanText(table, NewCache()), PlanText(table, nullptr));
}

TEST_F(DiskCacheTest, ManyThreadsShareOne) {
  const Table table = OpenCopy(TestData() / "bookshop-orders");
  const std::string expected = PlanText(table, nullptr);
  std::atomic<int> different{0};
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 8; ++thread) {
      threads.emplace_back([&] {
        Context context;
        context.executor = MakeThreadPool(1);
        for (int i = 0; i < 5; ++i) different += PlanText(table, NewCache(), context) != expected;
      });
    }
  }
  EXPECT_EQ(different, 0);
  EXPECT_EQ(Images().size(), 15u);
}

/// Processes that write, read, evict and clear in one directory at once.
TEST_F(DiskCacheTest, ManyProcessesShareOne) {
  const Table table = OpenCopy(TestData() / "bookshop-orders");
  const std::string expected = PlanText(table, nullptr);
  std::vector<pid_t> children;
  for (int child = 0; child < 6; ++child) {
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      bool same = true;
      for (int i = 0; i < 20; ++i) {
        // Half of them have room for a part only.
        const CachePtr cache = NewCache(child % 2 == 0 ? int64_t{1} << 30 : 40000);
        same &= PlanText(table, cache) == expected;
        if (child == 5 && i % 7 == 0) DiskManifestCache::Clear(cache_directory());
      }
      ::_exit(same ? 0 : 1);
    }
    children.push_back(pid);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  for (const auto& file : fs::directory_iterator(cache_directory())) {
    EXPECT_NE(file.path().extension(), ".tmp");
  }
}

}  // namespace
}  // namespace nunatak::iceberg
