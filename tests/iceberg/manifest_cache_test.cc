#include "nunatak/iceberg/manifest_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "iceberg/corpus.h"
#include "iceberg/errors.h"
#include "iceberg/manifest_builder.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/plan/file_scan_task_json.h"
#include "nunatak/plan/table_scan.h"
#include "test_data.h"

namespace nunatak::iceberg {
namespace {

using CachePtr = std::shared_ptr<ManifestCache>;

CachePtr Colliding() {
  auto cache = std::make_shared<ManifestCache>();
  cache->CollideAllHashes();
  return cache;
}

Table OpenCopy(const std::filesystem::path& directory) {
  return OpenTable(MakeLocalFileIO(), directory.string(), {.moved = true});
}

/// The tables that ship with the tests, and the corpus when there is one.
std::vector<std::filesystem::path> AllTables() {
  const std::filesystem::path data = TestData();
  std::vector<std::filesystem::path> tables = {data / "bookshop-orders"};
  for (const auto& entry : std::filesystem::directory_iterator(data / "iceberg")) {
    if (entry.is_directory()) tables.push_back(entry.path());
  }
  for (const std::string& name : CorpusTables()) tables.push_back(CorpusDirectory() / name);
  return tables;
}

/// The plan of everything with all that a task holds, or what was wrong.
std::string PlanText(const Table& table, CachePtr cache, const Context& context = {}) {
  try {
    const auto source =
        MakeSnapshotSource(table, ChooseSnapshot(*table.metadata, {}), std::move(cache));
    const TableScan scan(source, BoundFilter(), {.column_metrics = true});
    return PlanToJson(scan.PlanFiles(context), *source)
        .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  } catch (const Error& error) {
    return error.message();
  }
}

TEST(ManifestCache, PlansAreTheSameWithAnyCacheOrNone) {
  for (const std::filesystem::path& directory : AllTables()) {
    const Table table = OpenCopy(directory);
    const std::string expected = PlanText(table, nullptr);
    EXPECT_EQ(PlanText(table, ManifestCache::Disabled()), expected) << directory;
    for (const CachePtr& cache : {std::make_shared<ManifestCache>(), Colliding()}) {
      EXPECT_EQ(PlanText(table, cache), expected) << directory;
      const int64_t requests = table.io->counters().requests;
      EXPECT_EQ(PlanText(table, cache), expected) << directory;
      EXPECT_EQ(table.io->counters().requests, requests) << directory;
    }
  }
}

TEST(ManifestCache, OneCacheServesManyTables) {
  const CachePtr cache = Colliding();
  for (int round = 0; round < 2; ++round) {
    for (const std::filesystem::path& directory : AllTables()) {
      const Table table = OpenCopy(directory);
      EXPECT_EQ(PlanText(table, cache), PlanText(table, nullptr)) << directory;
    }
  }
  EXPECT_GT(cache->counters().hits, 0);
}

TEST(ManifestCache, ManifestsReadTheSameWithACacheOrWithout) {
  for (const std::filesystem::path& directory : AllTables()) {
    const Table table = OpenCopy(directory);
    const ChosenSnapshot chosen = ChooseSnapshot(*table.metadata, {});
    const CachePtr cache = Colliding();
    const std::vector<ManifestFile> files = ReadManifests(table, chosen.snapshot);
    for (int round = 0; round < 2; ++round) {
      EXPECT_EQ(ReadManifests(table, chosen.snapshot, cache.get()), files) << directory;
      for (const ManifestFile& file : files) {
        EXPECT_EQ(ReadManifest(table, file, cache.get()).entries, ReadManifest(table, file).entries)
            << file.manifest_path;
      }
    }
  }
}

TEST(ManifestColumns, MetricColumnsAreTheMetricsOfTheFiles) {
  size_t bounds = 0;
  for (const std::filesystem::path& directory : AllTables()) {
    const Table table = OpenCopy(directory);
    const auto source = MakeSnapshotSource(table, ChooseSnapshot(*table.metadata, {}));
    for (size_t group = 0; group < source->groups().size(); ++group) {
      FileRequest request;
      for (int32_t id = 0; id < 40; ++id) request.metric_ids.push_back(id);
      const auto batch = source->ReadGroup({}, group, request);
      std::vector<uint32_t> all(batch->size());
      std::iota(all.begin(), all.end(), 0);
      std::vector<DataFile> files;
      batch->AppendFiles(all, /*column_metrics=*/true, &files);
      for (size_t i = 0; i < files.size(); ++i) {
        for (int32_t id = 0; id < 40; ++id) {
          const ColumnMetrics* found = files[i].FindMetrics(id);
          const ColumnMetrics want = found ? *found : ColumnMetrics{};
          const MetricColumn& column = *batch->metrics[static_cast<size_t>(id)];
          EXPECT_EQ(column.value_counts[i], want.value_count.value_or(-1));
          EXPECT_EQ(column.null_value_counts[i], want.null_value_count.value_or(-1));
          EXPECT_EQ(column.nan_value_counts[i], want.nan_value_count.value_or(-1));
          ASSERT_EQ(column.lower_bounds[i].data() != nullptr, want.lower_bound.has_value());
          ASSERT_EQ(column.upper_bounds[i].data() != nullptr, want.upper_bound.has_value());
          EXPECT_EQ(AsText(column.lower_bounds[i]), want.lower_bound.value_or(""));
          EXPECT_EQ(AsText(column.upper_bounds[i]), want.upper_bound.value_or(""));
          bounds += want.lower_bound.has_value() ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(bounds, 50u);
}

class BookshopCacheTest : public ::testing::Test {
 protected:
  static std::string PlanAt(const Table& table, size_t snapshot, const CachePtr& cache) {
    SnapshotChoice choice;
    choice.snapshot_id = table.metadata->snapshots.id(snapshot);
    const auto source = MakeSnapshotSource(table, ChooseSnapshot(*table.metadata, choice), cache);
    return PlanToJson(TableScan(source, BoundFilter()).PlanFiles({}), *source).dump();
  }

  Table table_ = OpenCopy(TestData() / "bookshop-orders");
};

TEST_F(BookshopCacheTest, ANewSnapshotReadsOnlyWhatWasNotSeen) {
  const auto cache = std::make_shared<ManifestCache>();
  const auto requests_of = [&](size_t snapshot) {
    const int64_t before = table_.io->counters().requests;
    PlanAt(table_, snapshot, cache);
    return table_.io->counters().requests - before;
  };
  EXPECT_EQ(requests_of(0), 2);  // its list, its manifest
  EXPECT_EQ(requests_of(1), 2);  // its list, the one manifest that the append added
  EXPECT_EQ(requests_of(2), 2);
  EXPECT_EQ(requests_of(1), 0);
}

TEST_F(BookshopCacheTest, ManifestsOfOneWriterShareAShape) {
  const auto cache = std::make_shared<ManifestCache>();
  PlanText(table_, cache);
  const ManifestCacheCounters counters = cache->counters();
  // A manifest list and 15 manifests, 3 schemas in all: the parsed schema of the manifests is one.
  EXPECT_EQ(counters.misses, 3);
  EXPECT_EQ(counters.hits, 14);
  EXPECT_EQ(counters.file_hits, 0);
  PlanText(table_, cache);
  EXPECT_EQ(cache->counters().file_hits, 1);
  EXPECT_EQ(cache->counters().column_hits, 15);
}

TEST_F(BookshopCacheTest, ADisabledCacheKeepsNothing) {
  const CachePtr cache = ManifestCache::Disabled();
  PlanText(table_, cache);
  PlanText(table_, cache);
  const ManifestCacheCounters counters = cache->counters();
  EXPECT_EQ(counters.hits, 0);
  EXPECT_GT(counters.misses, 30);
  EXPECT_EQ(counters.file_bytes + counters.column_bytes, 0);
}

TEST_F(BookshopCacheTest, TheLeastRecentlyUsedGoFirst) {
  auto cache = std::make_shared<ManifestCache>(
      ManifestCacheOptions{.max_file_bytes = 10, .max_column_bytes = 0});
  const auto bytes = [](char c) { return Buffer::From(std::vector<uint8_t>(4, c)); };
  cache->KeepFile("a", bytes('a'));
  cache->KeepFile("b", bytes('b'));
  EXPECT_TRUE(cache->FindFile("a"));
  cache->KeepFile("c", bytes('c'));
  EXPECT_TRUE(cache->FindFile("a"));
  EXPECT_FALSE(cache->FindFile("b"));
  EXPECT_EQ(cache->FindFile("c")->bytes[0], 'c');
  EXPECT_EQ(cache->counters().file_bytes, 8);
  cache->KeepFile("large", Buffer::From(std::vector<uint8_t>(11)));
  EXPECT_FALSE(cache->FindFile("large"));
  EXPECT_TRUE(cache->FindFile("a"));
}

TEST_F(BookshopCacheTest, ColumnsBeyondTheBudgetAreDecodedAgain) {
  auto cache = std::make_shared<ManifestCache>(ManifestCacheOptions{.max_column_bytes = 40000});
  const std::string expected = PlanText(table_, nullptr);
  EXPECT_EQ(PlanText(table_, cache), expected);
  const int64_t requests = table_.io->counters().requests;
  EXPECT_EQ(PlanText(table_, cache), expected);
  EXPECT_EQ(table_.io->counters().requests, requests);
  EXPECT_LE(cache->counters().column_bytes, 40000);
  EXPECT_GT(cache->counters().column_bytes, 0);
  EXPECT_GT(cache->counters().file_hits, 1);
}

TEST_F(BookshopCacheTest, ColumnsOfMetricsCountForTheBudgetToo) {
  const auto plan = [&](const char* where, const CachePtr& cache) {
    const auto source = MakeSnapshotSource(table_, ChooseSnapshot(*table_.metadata, {}), cache);
    EXPECT_EQ(TableScan(source, BindFilter(where, source->schema())).PlanFiles({}).tasks.size(),
              15u);
    return cache->counters();
  };
  const char* metrics = "order_id > 0 and amount > 0";
  const auto ample = std::make_shared<ManifestCache>();
  const int64_t without = plan("", ample).column_bytes;
  plan(metrics, ample);
  EXPECT_GT(plan("", ample).column_bytes, without);

  // Room for the manifests, but not for columns of their metrics: some manifests have to go.
  const auto tight =
      std::make_shared<ManifestCache>(ManifestCacheOptions{.max_column_bytes = without});
  plan("", tight);
  const int64_t before = plan(metrics, tight).column_hits;
  EXPECT_EQ(before, 15);
  plan(metrics, tight);
  EXPECT_LT(plan(metrics, tight).column_hits - before, 30);
  EXPECT_LE(tight->counters().column_bytes, without);
}

TEST_F(BookshopCacheTest, TasksOutliveCachePlanAndTable) {
  std::vector<FileScanTask> tasks;
  std::string expected;
  {
    const Table table = OpenCopy(table_.base_location);
    const auto source = MakeSnapshotSource(table, ChooseSnapshot(*table.metadata, {}),
                                           std::make_shared<ManifestCache>());
    const BoundFilter filter = BindFilter("order_id > 10 and status = 'shipped'", source->schema());
    TableScan::Result plan = TableScan(source, filter).PlanFiles({});
    expected = PlanToJson(plan, *source)["tasks"].dump();
    tasks = std::move(plan.tasks);
  }
  const auto source = MakeSnapshotSource(table_, ChooseSnapshot(*table_.metadata, {}));
  EXPECT_EQ(PlanToJson({.tasks = tasks, .counts = {}}, *source)["tasks"].dump(), expected);
  EXPECT_GT(tasks.size(), 0u);
}

TEST_F(BookshopCacheTest, ManyThreadsShareOneCache) {
  const auto cache = std::make_shared<ManifestCache>(
      ManifestCacheOptions{.max_file_bytes = 30000, .max_column_bytes = 60000});
  const std::string expected = PlanText(table_, nullptr);
  std::atomic<int> different{0};
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 16; ++thread) {
      threads.emplace_back([&] {
        Context context;
        context.executor = MakeThreadPool(1);
        for (int i = 0; i < 100; ++i) different += PlanText(table_, cache, context) != expected;
      });
    }
  }
  EXPECT_EQ(different, 0);
}

TEST(ManifestCacheKeys, AReusedPathOfAnotherTableIsAnotherManifest) {
  const std::string directory = ::testing::TempDir() + "nunatak_reused";
  const std::filesystem::path data = TestData();
  const auto cache = std::make_shared<ManifestCache>();
  for (const char* name : {"dv-basic", "mor-pos-partition", "dv-basic"}) {
    std::filesystem::remove_all(directory);
    std::filesystem::copy(data / "iceberg" / name, directory,
                          std::filesystem::copy_options::recursive);
    const Table table = OpenCopy(directory);
    EXPECT_EQ(PlanText(table, cache), PlanText(table, nullptr)) << name;
  }
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace nunatak::iceberg
