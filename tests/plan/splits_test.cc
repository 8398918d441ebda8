#include "nunatak/plan/splits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>

#include "nunatak/base/error.h"

namespace nunatak {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;
constexpr int64_t kMaxInt64 = std::numeric_limits<int64_t>::max();
constexpr int32_t kUnlimited = std::numeric_limits<int32_t>::max();

FileScanTask WholeFile(int64_t size, std::optional<std::vector<int64_t>> offsets = {},
                       FileFormat format = FileFormat::kParquet) {
  auto file = std::make_shared<DataFile>();
  file->file_path = "f";
  file->file_format = format;
  file->file_size_in_bytes = size;
  file->split_offsets = std::move(offsets);
  FileScanTask task;
  task.length = size;
  task.data_file = std::move(file);
  return task;
}

std::shared_ptr<const DeleteFile> PositionDeletes(int64_t size) {
  auto file = std::make_shared<DeleteFile>();
  file->file.content = FileContent::kPositionDeletes;
  file->file.file_size_in_bytes = size;
  return file;
}

/// A vector of `size` bytes in a Puffin file that holds many.
std::shared_ptr<const DeleteFile> DeletionVector(int64_t size) {
  auto file = std::make_shared<DeleteFile>();
  file->file.content = FileContent::kPositionDeletes;
  file->file.file_format = FileFormat::kPuffin;
  file->file.file_size_in_bytes = 1000000;
  file->file.content_offset = 4;
  file->file.content_size_in_bytes = size;
  return file;
}

/// Where a split starts, and how long it is.
using Range = std::pair<int64_t, int64_t>;
using Ranges = std::vector<Range>;

Ranges RangesOf(const std::vector<FileScanTask>& tasks) {
  Ranges ranges;
  for (const FileScanTask& task : tasks) ranges.emplace_back(task.start, task.length);
  return ranges;
}

Ranges Split(const FileScanTask& task, int64_t target_size) {
  std::vector<FileScanTask> splits;
  SplitTask(task, target_size, [&](FileScanTask split) { splits.push_back(std::move(split)); });
  return RangesOf(splits);
}

/// The lengths of the tasks of each group.
std::vector<std::vector<int64_t>> Lengths(const std::vector<ScanTaskGroup>& groups) {
  std::vector<std::vector<int64_t>> lengths;
  for (const ScanTaskGroup& group : groups) {
    lengths.emplace_back();
    for (const FileScanTask& task : group.tasks) lengths.back().push_back(task.length);
  }
  return lengths;
}

std::vector<FileScanTask> Files(const std::vector<int64_t>& sizes) {
  std::vector<FileScanTask> tasks;
  for (int64_t size : sizes) tasks.push_back(WholeFile(size));
  return tasks;
}

std::vector<FileScanTask> Files(size_t count, int64_t size,
                                const std::optional<std::vector<int64_t>>& offsets = {}) {
  std::vector<FileScanTask> tasks;
  for (size_t i = 0; i < count; ++i) tasks.push_back(WholeFile(size, offsets));
  return tasks;
}

std::vector<FileScanTask> operator+(std::vector<FileScanTask> a,
                                    const std::vector<FileScanTask>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

template <typename Body>
Error ErrorOf(Body body) {
  try {
    body();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "accepted";
  return Error(ErrorCode::kIo, "");
}

// Java's TestOffsetsBasedSplitScanTaskIterator, but that the first split starts at 0.
TEST(Splits, AFileIsCutAtItsOffsets) {
  const int64_t size = 48;
  EXPECT_EQ(Split(WholeFile(size, {{4, 10, 15, 18, 30, 45}}), 1),
            (Ranges{{0, 10}, {10, 5}, {15, 3}, {18, 12}, {30, 15}, {45, 3}}));
  EXPECT_EQ(Split(WholeFile(size, {{4, 10, 15, 18, 30, 47}}), 1000),
            (Ranges{{0, 10}, {10, 5}, {15, 3}, {18, 12}, {30, 17}, {47, 1}}));
  EXPECT_EQ(Split(WholeFile(size, {{4}}), 1), (Ranges{{0, 48}}));
  EXPECT_EQ(Split(WholeFile(size, {{0, 20}}, FileFormat::kAvro), 1), (Ranges{{0, 20}, {20, 28}}));
}

// Java's TestFixedSizeSplitScanTaskIterator.
TEST(Splits, AFileWithoutOffsetsIsCutEveryTargetSize) {
  EXPECT_EQ(Split(WholeFile(100), 15),
            (Ranges{{0, 15}, {15, 15}, {30, 15}, {45, 15}, {60, 15}, {75, 15}, {90, 10}}));
  EXPECT_EQ(Split(WholeFile(10), 10), (Ranges{{0, 10}}));
  EXPECT_EQ(Split(WholeFile(10), 20), (Ranges{{0, 10}}));
  EXPECT_EQ(Split(WholeFile(10, std::nullopt, FileFormat::kOrc), 6), (Ranges{{0, 6}, {6, 4}}));
  EXPECT_EQ(Split(WholeFile(10), kMaxInt64), (Ranges{{0, 10}}));
}

// BaseFile.hasWellDefinedOffsets and BaseContentScanTask.split of Java: offsets that are none, or
// not strictly ascending, or whose last is not within the file, are as if there were none.
TEST(Splits, InvalidOffsetsCountForNothing) {
  const std::vector<std::vector<int64_t>> invalid = {{},     {2, 12},   {10},    {4, 4},
                                                     {4, 3}, {5, 4, 6}, {-1, 5}, {kMaxInt64}};
  for (const std::vector<int64_t>& offsets : invalid) {
    EXPECT_EQ(Split(WholeFile(10, offsets), 4), (Ranges{{0, 4}, {4, 4}, {8, 2}}))
        << testing::PrintToString(offsets);
  }
}

TEST(Splits, WhatCannotBeCutIsPassedOn) {
  EXPECT_EQ(Split(WholeFile(10, {{4, 5}}, FileFormat::kPuffin), 4), (Ranges{{0, 10}}));
  // Not dropped: that it has no bytes is for its reader to say.
  EXPECT_EQ(Split(WholeFile(0), 4), (Ranges{{0, 0}}));
  FileScanTask part = WholeFile(10, {{4, 5}});
  part.length = 5;
  EXPECT_EQ(Split(part, 1), (Ranges{{0, 5}}));
  part.start = 5;
  EXPECT_EQ(Split(part, 1), (Ranges{{5, 5}}));
}

TEST(Splits, ASplitKeepsAllThatTheTaskHas) {
  FileScanTask task = WholeFile(10, {{4, 6}});
  task.data_sequence_number = 7;
  task.spec = std::make_shared<const PartitionSpec>();
  task.residual = std::make_shared<const BoundFilter>();
  task.deletes = {PositionDeletes(3)};
  int count = 0;
  SplitTask(task, 5, [&](const FileScanTask& split) {
    ++count;
    EXPECT_EQ(split.data_file, task.data_file);
    EXPECT_EQ(split.data_sequence_number, 7);
    EXPECT_EQ(split.spec, task.spec);
    EXPECT_EQ(split.residual, task.residual);
    EXPECT_EQ(split.deletes, task.deletes);
  });
  EXPECT_EQ(count, 2);
}

TEST(Splits, ASizeThatWouldNeverEndIsRefused) {
  const Error error = ErrorOf([] { Split(WholeFile(kMaxInt64), 1); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalid);
  EXPECT_NE(error.message().find("f: 9223372036854775807 bytes"), std::string::npos);
  EXPECT_EQ(Split(WholeFile(kMaxInt64), int64_t{1} << 53).size(), 1024u);
  EXPECT_EQ(ErrorOf([] { Split(WholeFile((int64_t{1} << 24) + 1), 1); }).code(),
            ErrorCode::kInvalid);
}

// Each row group belongs to the split that holds its first byte.
TEST(Splits, EachRowGroupBelongsToOneSplitAndTheSplitsCoverTheFile) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const auto below = [&](int64_t n) {
      return std::uniform_int_distribution<int64_t>(0, n - 1)(random);
    };
    const int64_t size = 1 + below(2000);
    std::vector<int64_t> row_groups;
    for (int64_t at = below(8); at < size; at += 1 + below(1 + size / 5)) row_groups.push_back(at);
    std::vector<int64_t> offsets = row_groups;
    // Some writers record some of the offsets, offsets of another file, or nonsense.
    if (below(3) == 0) std::erase_if(offsets, [&](int64_t) { return below(3) == 0; });
    if (below(4) == 0) {
      for (int64_t& offset : offsets) offset += below(40) - 20;
    }
    if (below(6) == 0) std::shuffle(offsets.begin(), offsets.end(), random);
    SplitOptions options;
    options.target_size = 1 + below(size + size / 2);
    options.lookback = static_cast<int32_t>(1 + below(4));
    options.open_file_cost = below(20);

    const FileScanTask task = WholeFile(size, offsets);
    int64_t covered = 0;
    for (const auto& [start, length] : Split(task, options.target_size)) {
      EXPECT_EQ(start, covered);
      EXPECT_GT(length, 0);
      covered += length;
    }
    EXPECT_EQ(covered, size);

    std::map<int64_t, int> owners;
    for (const ScanTaskGroup& group : GroupTasks({task}, options)) {
      for (const auto& [start, length] : RangesOf(group.tasks)) {
        for (int64_t at : row_groups) owners[at] += at >= start && at < start + length ? 1 : 0;
      }
    }
    for (int64_t at : row_groups) EXPECT_EQ(owners[at], 1) << "row group at " << at;
  }
}

// ScanTaskUtil.contentSizeInBytes, ContentScanTask.sizeBytes and the weight of planTaskGroups.
TEST(Splits, AWeightCountsDeletesAndTheCostOfOpening) {
  FileScanTask task = WholeFile(100);
  EXPECT_EQ(SplitWeight(task, 0), 100);
  EXPECT_EQ(SplitWeight(task, 99), 100);
  EXPECT_EQ(SplitWeight(task, 150), 150);
  task.deletes = {DeletionVector(20)};
  EXPECT_EQ(SplitWeight(task, 0), 120);
  task.deletes = {PositionDeletes(30), PositionDeletes(7)};
  EXPECT_EQ(SplitWeight(task, 0), 137);
  EXPECT_EQ(SplitWeight(task, 50), 150);
  task.length = 10;  // A split bears the deletes of its file whole.
  EXPECT_EQ(SplitWeight(task, 0), 47);
  task.deletes = {PositionDeletes(kMaxInt64)};
  EXPECT_EQ(SplitWeight(task, 0), kMaxInt64);
  EXPECT_EQ(SplitWeight(task, kMaxInt64), kMaxInt64);
}

struct PackingCase {
  std::vector<int64_t> sizes;
  int64_t target_size;
  int32_t lookback;
  std::vector<std::vector<int64_t>> groups;
};

// Java's TestBinPacking, as far as its items fit their bins or the heaviest bin goes first.
TEST(TaskGrouper, PacksAsJavaDoes) {
  const PackingCase cases[] = {
      {{1, 2, 3, 4, 5}, 5, kUnlimited, {{1, 2}, {3}, {4}, {5}}},
      {{1, 2, 3, 4, 5}, 6, kUnlimited, {{1, 2, 3}, {4}, {5}}},
      {{1, 2, 3, 4, 5}, 8, kUnlimited, {{1, 2, 3}, {4}, {5}}},
      {{1, 2, 3, 4, 5}, 9, kUnlimited, {{1, 2, 3}, {4, 5}}},
      {{1, 2, 3, 4, 5}, 10, kUnlimited, {{1, 2, 3, 4}, {5}}},
      {{1, 2, 3, 4, 5}, 14, kUnlimited, {{1, 2, 3, 4}, {5}}},
      {{1, 2, 3, 4, 5}, 15, kUnlimited, {{1, 2, 3, 4, 5}}},
      {{5, 1, 5, 1, 5, 1}, 8, kUnlimited, {{5, 1, 1, 1}, {5}, {5}}},
      {{36, 36, 36, 36, 65, 65, 128}, 128, 2, {{36, 36, 36}, {128}, {36, 65}, {65}}},
      {{64, 64, 128, 32, 32, 32, 32}, 128, 1, {{64, 64}, {128}, {32, 32, 32, 32}}},
      {{}, 10, 1, {}},
  };
  for (const PackingCase& c : cases) {
    const SplitOptions options{c.target_size, c.lookback, 0};
    EXPECT_EQ(Lengths(GroupTasks(Files(c.sizes), options)), c.groups)
        << testing::PrintToString(c.sizes) << " into " << c.target_size;
  }
}

// TestTableScanUtil.testPlanTaskWithDeleteFiles.
TEST(TaskGrouper, DeletesWeighToo) {
  std::vector<FileScanTask> tasks = Files({150, 50, 50, 1, 75});
  tasks[0].deletes = {PositionDeletes(50), PositionDeletes(100)};
  tasks[1].deletes = {PositionDeletes(1), PositionDeletes(50)};
  tasks[2].deletes = {PositionDeletes(100)};
  tasks[3].deletes = {PositionDeletes(1), PositionDeletes(1)};
  tasks[4].deletes = {PositionDeletes(75)};
  const std::vector<ScanTaskGroup> groups = GroupTasks(tasks, {300, 3, 50});
  EXPECT_EQ(Lengths(groups), (std::vector<std::vector<int64_t>>{{150}, {50, 50}, {1, 75}}));
  EXPECT_EQ(groups[0].weight, 300);
  EXPECT_EQ(groups[1].weight, 300);
}

struct PlanningCase {
  const char* name;
  std::vector<FileScanTask> tasks;
  SplitOptions options;
  size_t groups;
};

// Java's TestSplitPlanning.
TEST(TaskGrouper, AsManyGroupsAsJavaMakes) {
  const SplitOptions defaults{128 * kMiB, kUnlimited, 4 * kMiB};
  const PlanningCase cases[] = {
      {"files of the target size", Files(4, 128 * kMiB), defaults, 4},
      {"small ones beside them", Files(4, 128 * kMiB) + Files(16, 32 * kMiB), defaults, 8},
      {"opening costs", Files(50, 60 * kMiB) + Files(370, 5 * 1024), defaults, 35},
      {"opening is free",
       Files(2, 60 * kMiB) + Files(100, 5 * 1024),
       {128 * kMiB, kUnlimited, 0},
       1},
      {"a larger target", Files(4, 128 * kMiB), {256 * kMiB, kUnlimited, 4 * kMiB}, 2},
      {"a dearer opening", Files(16, 16 * kMiB), {128 * kMiB, kUnlimited, 32 * kMiB}, 4},
      {"offsets within the target",
       Files(16, 16 * kMiB, {{0, 8 * kMiB}}),
       {10 * kMiB, kUnlimited, 4 * kMiB},
       32},
      {"offsets coarser than the target",
       Files(16, 16 * kMiB, {{0, 8 * kMiB}}),
       {4 * kMiB, kUnlimited, 0},
       32},
      {"offsets beyond the file", Files(1, 10, {{2, 12}}), {1, 1, 0}, 10},
  };
  for (const PlanningCase& c : cases) {
    EXPECT_EQ(GroupTasks(c.tasks, c.options).size(), c.groups) << c.name;
  }
  // testSplitPlanningWithOverridenLookback: the larger one goes first.
  const std::vector<ScanTaskGroup> groups =
      GroupTasks(Files({120 * kMiB, 128 * kMiB}), {128 * kMiB, 1, 4 * kMiB});
  EXPECT_EQ(Lengths(groups), (std::vector<std::vector<int64_t>>{{128 * kMiB}, {120 * kMiB}}));
}

// TableScanUtil.mergeTasks with BaseFileScanTask.SplitScanTask.canMerge.
TEST(TaskGrouper, AdjoiningSplitsOfAFileAreOneTaskAgain) {
  const FileScanTask file = WholeFile(100, {{4, 40, 60}});
  const auto ranges = [](const std::vector<ScanTaskGroup>& groups) {
    std::vector<Ranges> ranges;
    for (const ScanTaskGroup& group : groups) ranges.push_back(RangesOf(group.tasks));
    return ranges;
  };
  EXPECT_EQ(ranges(GroupTasks({file}, {100, 10, 0})), (std::vector<Ranges>{{{0, 100}}}));
  EXPECT_EQ(ranges(GroupTasks({file}, {60, 10, 0})), (std::vector<Ranges>{{{0, 60}}, {{60, 40}}}));
  EXPECT_EQ(ranges(GroupTasks({WholeFile(25), file}, {65, 10, 0})),
            (std::vector<Ranges>{{{0, 25}, {0, 40}}, {{40, 60}}}));
  // The first and the last split share a group, but do not adjoin.
  EXPECT_EQ(ranges(GroupTasks({WholeFile(105, {{0, 10, 95}})}, {90, 10, 0})),
            (std::vector<Ranges>{{{0, 10}, {95, 10}}, {{10, 85}}}));
  const std::vector<ScanTaskGroup> twins = GroupTasks({WholeFile(5), WholeFile(5)}, {10, 10, 0});
  EXPECT_EQ(ranges(twins), (std::vector<Ranges>{{{0, 5}, {0, 5}}}));
}

TEST(TaskGrouper, NoMoreThanTheLookbackStaysOpen) {
  for (int32_t lookback : {1, 3, 10}) {
    size_t added = 0;
    size_t handed_out = 0;
    TaskGrouper grouper({10, lookback, 0},
                        [&](const ScanTaskGroup& group) { handed_out += group.tasks.size(); });
    for (const FileScanTask& task : Files(100, 10)) {
      grouper.Add(task);
      ++added;
      EXPECT_LE(added - handed_out, static_cast<size_t>(lookback));
    }
    grouper.Finish();
    EXPECT_EQ(handed_out, added);
  }
}

TEST(TaskGrouper, GreatWeightsDoNotOverflow) {
  const std::vector<ScanTaskGroup> groups =
      GroupTasks(Files({kMaxInt64, kMaxInt64, 1}), {kMaxInt64, 10, kMaxInt64});
  EXPECT_EQ(Lengths(groups), (std::vector<std::vector<int64_t>>{{kMaxInt64}, {kMaxInt64}, {1}}));
}

TEST(TaskGrouper, OptionsOutOfRangeAreRefused) {
  for (const SplitOptions& options :
       {SplitOptions{0, 10, 0}, SplitOptions{-10, 10, 0}, SplitOptions{10, 0, 0},
        SplitOptions{10, -10, 0}, SplitOptions{10, 10, -10}}) {
    EXPECT_EQ(ErrorOf([&] { GroupTasks({}, options); }).code(), ErrorCode::kUsage);
  }
}

TEST(SplitOptions, DefaultsAndTableProperties) {
  std::map<std::string, std::string, std::less<>> properties;
  const SplitOptions::FindProperty find =
      [&](std::string_view key) -> std::optional<std::string_view> {
    const auto at = properties.find(key);
    if (at == properties.end()) return std::nullopt;
    return at->second;
  };
  SplitOptions options = SplitOptions::FromProperties(find);
  EXPECT_EQ(options.target_size, 134217728);
  EXPECT_EQ(options.lookback, 10);
  EXPECT_EQ(options.open_file_cost, 4194304);
  properties = {{"read.split.target-size", "1000"},
                {"read.split.planning-lookback", "2147483647"},
                {"read.split.open-file-cost", "0"}};
  options = SplitOptions::FromProperties(find);
  EXPECT_EQ(options.target_size, 1000);
  EXPECT_EQ(options.lookback, kUnlimited);
  EXPECT_EQ(options.open_file_cost, 0);
  const std::pair<const char*, const char*> invalid[] = {
      {"read.split.target-size", "0"},        {"read.split.target-size", "128MB"},
      {"read.split.target-size", ""},         {"read.split.target-size", "9223372036854775808"},
      {"read.split.planning-lookback", "-1"}, {"read.split.planning-lookback", "2147483648"},
      {"read.split.open-file-cost", "-1"},    {"read.split.open-file-cost", " 1"}};
  for (const auto& [key, value] : invalid) {
    properties = {{key, value}};
    const Error error = ErrorOf([&] { SplitOptions::FromProperties(find); });
    EXPECT_EQ(error.code(), ErrorCode::kInvalid);
    EXPECT_NE(error.message().find(key), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace nunatak
