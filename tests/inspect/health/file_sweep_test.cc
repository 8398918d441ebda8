#include "nunatak/inspect/health/file_sweep.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "nunatak/inspect/health/findings.h"
#include "plan/fake_source.h"

namespace nunatak {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

Schema TwoColumns() {
  return Schema(0, {{.id = 1, .name = "id", .type = TypeId::kLong},
                    {.id = 2, .name = "dt", .type = TypeId::kString}});
}

PartitionSpec ByDt() { return {0, {{{2}, 1000, "dt", Transform(TransformId::kIdentity)}}}; }

FakeEntry Data(const std::string& path, const std::string& dt, int64_t bytes,
               int64_t sequence = 1) {
  FakeEntry entry;
  entry.file.file_path = path;
  if (!dt.empty()) entry.file.partition = {Value::Bytes(dt)};
  entry.file.record_count = 100;
  entry.file.file_size_in_bytes = bytes;
  entry.sequence_number = sequence;
  return entry;
}

FakeEntry Delete(FileContent content, const std::string& path, const std::string& dt,
                 int64_t sequence) {
  FakeEntry entry = Data(path, dt, 1000, sequence);
  entry.file.content = content;
  entry.file.record_count = 7;
  if (content == FileContent::kEqualityDeletes) entry.file.equality_ids = {{1}};
  return entry;
}

FakeEntry Vector(const std::string& of, const std::string& dt, int64_t sequence) {
  FakeEntry entry = Delete(FileContent::kPositionDeletes, "v.puffin", dt, sequence);
  entry.file.file_format = FileFormat::kPuffin;
  entry.file.referenced_data_file = of;
  entry.file.content_offset = 4;
  entry.file.content_size_in_bytes = 40;
  return entry;
}

TableFigures SweepOf(const std::shared_ptr<FakeSource>& source, SweepOptions options = {}) {
  TableFigures figures;
  SweepFiles(source, Context{}, options, &figures);
  return figures;
}

TEST(FileSweep, FilesAreCountedBySizePartitionAndSpec) {
  const auto source = std::make_shared<FakeSource>(TwoColumns());
  source->AddSpec(ByDt());
  source->AddSpec({1, {}});
  source->AddGroup(0, {Data("a", "x", 1), Data("b", "y", 400 * kMiB)});
  source->AddGroup(0, {Data("c", "x", 3), Data("d", "x", 384 * kMiB)});
  source->AddGroup(1, {Data("e", "", 384 * kMiB - 1)});
  const TableFigures figures = SweepOf(source);
  EXPECT_EQ(figures.data.files, 5);
  EXPECT_EQ(figures.data.records, 500);
  EXPECT_EQ(figures.data.bytes, 4 + 400 * kMiB + 2 * 384 * kMiB - 1);
  EXPECT_EQ(figures.data.small_files, 3);
  EXPECT_EQ(figures.data.by_size[0], 1);
  EXPECT_EQ(figures.data.by_size[1], 1);
  EXPECT_EQ(figures.data.by_size[28], 3);
  EXPECT_EQ(figures.data.files_by_spec, (std::map<int32_t, int64_t>{{0, 4}, {1, 1}}));
  std::map<std::string, int64_t> small;
  for (const auto& [key, partition] : figures.data.partitions) {
    small[partition.name] = partition.small_files * 100 + partition.files;
  }
  EXPECT_EQ(small, (std::map<std::string, int64_t>{{"dt=x", 203}, {"dt=y", 1}, {"", 101}}));
}

TEST(FileSweep, ManifestsAreBigSmallOrNeither) {
  const auto source = std::make_shared<FakeSource>(TwoColumns());
  source->AddSpec({0, {}});
  const auto group = [&](int64_t files, int64_t length, bool deletes = false) {
    FileGroup& added = source->AddGroup(0, {}, deletes);
    added.live_files = files;
    added.length = length;
  };
  group(9, kMiB - 1);
  group(10, kMiB - 1);
  group(9, kMiB);
  group(0, 50 * kMiB);
  group(0, 50 * kMiB + 1, true);
  const ManifestFigures manifests = SweepOf(source).manifests;
  EXPECT_EQ(manifests.data_manifests, 4);
  EXPECT_EQ(manifests.delete_manifests, 1);
  EXPECT_EQ(manifests.small, 1);
  EXPECT_EQ(manifests.big, 1);
  EXPECT_EQ(manifests.max_files, 10);
  EXPECT_EQ(manifests.max_bytes, 50 * kMiB + 1);
}

TEST(FileSweep, DeletesAreThoseThatApply) {
  const auto source = std::make_shared<FakeSource>(TwoColumns());
  source->AddSpec(ByDt());
  source->AddGroup(0, {Data("a", "x", 1, 1), Data("b", "x", 1, 3), Data("c", "y", 1, 1)});
  source->AddGroup(0,
                   {Delete(FileContent::kPositionDeletes, "p1", "x", 2),  // a
                    Delete(FileContent::kPositionDeletes, "p2", "x", 3),  // a, b
                    Delete(FileContent::kEqualityDeletes, "e1", "x", 3),  // a
                    Delete(FileContent::kEqualityDeletes, "e2", "y", 1),  // none: not newer
                    Delete(FileContent::kPositionDeletes, "p3", "z", 9),  // none
                    Vector("c", "y", 2), Vector("gone", "y", 2)},         // c, none
                   true);
  const DeleteFigures deletes = SweepOf(source).deletes;
  EXPECT_EQ(deletes.position_files, 3);
  EXPECT_EQ(deletes.vectors, 2);
  EXPECT_EQ(deletes.equality_files, 2);
  EXPECT_EQ(deletes.position_records + deletes.vector_records, 35);
  EXPECT_EQ(deletes.deleted_rows, 21);
  EXPECT_EQ(deletes.equality_records, 14);
  EXPECT_EQ(deletes.references, 5);
  EXPECT_EQ(deletes.max_per_data_file, 3);
  EXPECT_EQ(deletes.dangling_files, 3);
  EXPECT_EQ(deletes.dangling_records, 21);
  EXPECT_EQ(deletes.data_files_by_deletes, (std::array<int64_t, 5>{0, 2, 1, 0, 0}));
}

TEST(FileSweep, ClaimsBeyondReasonAreCapped) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  const auto source = std::make_shared<FakeSource>(TwoColumns());
  source->AddSpec({0, {}});
  std::vector<FakeEntry> files = {Data("a", "", kMax), Data("b", "", kMax), Data("c", "", -5)};
  for (FakeEntry& entry : files) entry.file.record_count = kMax;
  std::vector<FakeEntry> deletes = {Delete(FileContent::kPositionDeletes, "p", "", 2),
                                    Delete(FileContent::kEqualityDeletes, "e", "", 2),
                                    Delete(FileContent::kEqualityDeletes, "f", "", 0)};
  for (FakeEntry& entry : deletes) entry.file.record_count = kMax;
  source->AddGroup(0, std::move(files)).live_files = kMax;
  source->AddGroup(0, std::move(deletes), true).length = kMax;
  const TableFigures figures = SweepOf(source);
  EXPECT_EQ(figures.data.bytes, kMax);
  EXPECT_EQ(figures.data.records, kMax);
  EXPECT_EQ(figures.data.by_size[62], 2);
  EXPECT_EQ(figures.deletes.deleted_rows, kMax);
  EXPECT_EQ(figures.deletes.equality_records, kMax);
  EXPECT_GE(figures.deletes.dangling_records, 0);
  EXPECT_FALSE(FindAll(figures).empty());
}

TEST(FileSweep, DeletesOfATableWithoutDataAllDangle) {
  const auto source = std::make_shared<FakeSource>(TwoColumns());
  source->AddSpec({0, {}});
  source->AddGroup(0, {Delete(FileContent::kPositionDeletes, "p", "", 2)}, true);
  EXPECT_EQ(SweepOf(source).deletes.dangling_files, 1);
}

ColumnMetrics Bounds(int64_t lower, int64_t upper) {
  ColumnMetrics metrics{.field_id = 1, .value_count = 100, .null_value_count = 0};
  metrics.lower_bound = EncodeSingleValue(TypeId::kLong, ValueView::Integer(lower));
  metrics.upper_bound = EncodeSingleValue(TypeId::kLong, ValueView::Integer(upper));
  return metrics;
}

/// `files` files of which `depth` lie over each other.
std::shared_ptr<FakeSource> Overlapping(int64_t files, int64_t depth) {
  const auto source = std::make_shared<FakeSource>(TwoColumns());
  source->AddSpec({0, {}});
  std::vector<FakeEntry> entries;
  for (int64_t i = 0; i < files; ++i) {
    FakeEntry& entry = entries.emplace_back(Data(fmt::format("data/{}", i), "", 1));
    entry.file.metrics = {Bounds(i, i + depth - 1)};
    entry.file.metric_maps = 0x3E;
  }
  source->AddGroup(0, std::move(entries));
  return source;
}

SweepOptions IdAlone() {
  return {.columns = {{.column = {.field_id = 1, .type = TypeId::kLong, .name = "id"}}}};
}

TEST(FileSweep, EveryFileOfASmallTableIsLookedAt) {
  const TableFigures figures = SweepOf(Overlapping(500, 10), IdAlone());
  EXPECT_EQ(figures.sampled_files, 500);
  ASSERT_EQ(figures.columns.size(), 1U);
  EXPECT_EQ(figures.columns[0].with_bounds, 500);
  EXPECT_EQ(figures.columns[0].depth.max, 10);
  // The first nine ranges have fewer before them.
  EXPECT_NEAR(figures.columns[0].depth.average, 10 - 45.0 / 500, 1e-9);
}

TEST(FileSweep, ASampleStandsForTheFilesOfALargeTable) {
  SweepOptions options = IdAlone();
  options.max_sampled_files = 1000;
  const TableFigures figures = SweepOf(Overlapping(10'000, 2000), options);
  EXPECT_GT(figures.sampled_files, 700);
  EXPECT_LT(figures.sampled_files, 1400);
  EXPECT_NEAR(figures.columns[0].depth.average, 1800, 200);
  EXPECT_EQ(figures.data.files, 10'000);
  // Sorted files stay so in a sample.
  EXPECT_EQ(SweepOf(Overlapping(10'000, 1), options).columns[0].depth.average, 1);
}

}  // namespace
}  // namespace nunatak
