#include "nunatak/inspect/health/findings.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace nunatak {
namespace {

using enum HealthCheck;
using enum HealthSeverity;

constexpr int64_t kMiB = int64_t{1} << 20;
constexpr int64_t kTarget = 512 * kMiB;

PartitionFigures Partition(const std::string& name, int64_t files, int64_t small_files,
                           int64_t file_bytes) {
  return {.name = name,
          .spec_id = 0,
          .files = files,
          .bytes = files * file_bytes,
          .records = files * 1000,
          .small_files = small_files,
          .small_bytes = small_files * file_bytes};
}

void AddPartition(TableFigures* figures, const PartitionFigures& partition) {
  DataFileFigures& data = figures->data;
  data.files += partition.files;
  data.bytes += partition.bytes;
  data.records += partition.records;
  data.small_files += partition.small_files;
  data.files_by_spec[partition.spec_id] += partition.files;
  data.partitions[partition.name] = partition;
}

ColumnFigures Column(const std::string& name, int64_t files, double overlap) {
  return {.name = name,
          .with_bounds = files,
          .depth = {.average = overlap * static_cast<double>(files), .max = files},
          .overlap = overlap};
}

/// An unpartitioned table of 20 files as big as they should be.
TableFigures Healthy() {
  TableFigures figures;
  AddPartition(&figures, Partition("", 20, 0, kTarget));
  figures.manifests = {
      .data_manifests = 12, .bytes = 24 * kMiB, .max_bytes = 2 * kMiB, .max_files = 2};
  figures.sampled_files = 20;
  figures.columns = {Column("id", 20, 0.05), Column("note", 20, 0.5)};
  figures.snapshots = {.snapshots = 12, .expired = 0, .commits_ms = {}, .commits_of_last_day = 12};
  figures.metadata = {.bytes = 100'000, .log_entries = 12, .old_files = 12, .old_bytes = 1'000'000};
  return figures;
}

struct Case {
  std::string what;
  std::function<void(TableFigures&)> change;
  HealthCheck check;
  std::optional<HealthSeverity> want;
};

/// Each finding is given exactly when its condition holds, and no other with it.
void Check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    TableFigures figures = Healthy();
    c.change(figures);
    const HealthFindings findings = FindAll(figures);
    if (!c.want) {
      for (const HealthFinding& finding : findings) ADD_FAILURE() << finding.name();
      continue;
    }
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].name(), InfoOf(c.check).name);
    EXPECT_EQ(ToString(findings[0].severity), ToString(*c.want));
    EXPECT_FALSE(findings[0].title.empty());
    EXPECT_TRUE(findings[0].figures.is_object());
  }
}

TEST(Findings, AHealthyTableHasNone) {
  EXPECT_TRUE(FindAll(Healthy()).empty());
  EXPECT_TRUE(FindAll(TableFigures()).empty());
}

TEST(Findings, SmallFiles) {
  // What is left of n small files of b bytes is n b / target files, rounded up.
  const auto small = [](int64_t files, int64_t bytes, int64_t big = 0) {
    return [=](TableFigures& figures) {
      figures.data = {};
      PartitionFigures partition = Partition("", files, files, bytes);
      partition.files += big;
      AddPartition(&figures, partition);
      figures.manifests.max_files = 900;
    };
  };
  Check({{"four are too few", small(4, kMiB), kSmallFiles, std::nullopt},
         {"five become one", small(5, kMiB), kSmallFiles, kInfo},
         {"100 become one: 99 saved", small(100, kMiB), kSmallFiles, kInfo},
         {"101 become one: 100 saved", small(101, kMiB), kSmallFiles, kWarning},
         {"100 saved of 1010", small(101, kMiB, 909), kSmallFiles, kInfo},
         {"1001 become one", small(1001, kTarget / 1001), kSmallFiles, kSerious},
         {"six of three quarters become five", small(6, kTarget / 4 * 3 - 1), kSmallFiles, kInfo}});
}

TEST(Findings, SmallFilesOfDifferentPartitionsCannotBeMerged) {
  Check({{"four in each of 20",
          [](TableFigures& figures) {
            figures.data = {};
            figures.partitioned = true;
            for (int i = 0; i < 20; ++i) {
              AddPartition(&figures, Partition("p" + std::to_string(i), 4, 4, 300 * kMiB));
            }
          },
          kSmallFiles, std::nullopt}});
}

/// Partitions of one file each, `biggest` of them once more with other bytes.
std::function<void(TableFigures&)> Partitions(int64_t count, int64_t bytes, int64_t biggest = 0) {
  return [=](TableFigures& figures) {
    figures.data = {};
    figures.partitioned = true;
    for (int64_t i = 0; i < count; ++i) {
      AddPartition(&figures, Partition("p" + std::to_string(i), 1, 0, bytes));
    }
    if (biggest > 0) AddPartition(&figures, Partition("big", 1, 0, biggest));
  };
}

TEST(Findings, PartitionSkew) {
  Check(
      {{"nine and one of ten times", Partitions(9, 100 * kMiB, 1000 * kMiB), kPartitionSkew, kInfo},
       {"nine times", Partitions(9, 100 * kMiB, 900 * kMiB), kPartitionSkew, std::nullopt},
       {"a hundred times", Partitions(9, 100 * kMiB, 10'000 * kMiB), kPartitionSkew, kWarning},
       {"too few partitions", Partitions(8, 100 * kMiB, 10'000 * kMiB), kPartitionSkew,
        std::nullopt},
       {"what fits into a file", Partitions(9, kMiB, kTarget), kPartitionSkew, std::nullopt}});
}

TEST(Findings, TinyPartitions) {
  // The limit is a sixteenth of the target: 32 MiB.
  Check({{"99", Partitions(99, kMiB), kTinyPartitions, std::nullopt},
         {"100", Partitions(100, 32 * kMiB - 1), kTinyPartitions, kInfo},
         {"as big as the limit", Partitions(100, 32 * kMiB), kTinyPartitions, std::nullopt},
         {"1000", Partitions(1000, kMiB), kTinyPartitions, kWarning},
         {"10,000", Partitions(10'000, kMiB), kTinyPartitions, kSerious}});
}

TEST(Findings, Manifests) {
  const auto manifests = [](ManifestFigures measured) {
    return [=](TableFigures& figures) { figures.manifests = measured; };
  };
  Check(
      {{"10,000", manifests({.data_manifests = 9000, .delete_manifests = 1000}), kManyManifests,
        std::nullopt},
       {"10,001", manifests({.data_manifests = 9000, .delete_manifests = 1001}), kManyManifests,
        kSerious},
       {"99 small", manifests({.data_manifests = 200, .small = 99}), kSmallManifests, std::nullopt},
       {"100 small", manifests({.data_manifests = 200, .small = 100}), kSmallManifests, kInfo},
       {"1000 small", manifests({.data_manifests = 1000, .small = 1000}), kSmallManifests,
        kWarning},
       {"one big of ten", manifests({.data_manifests = 10, .big = 1}), kBigManifests, kInfo},
       {"one big of nine", manifests({.data_manifests = 9, .big = 1}), kBigManifests, kWarning},
       {"1000 files in one", manifests({.data_manifests = 1, .max_files = 1000}), kBigManifests,
        std::nullopt},
       {"1001 files in one", manifests({.data_manifests = 1, .max_files = 1001}), kBigManifests,
        kInfo},
       {"1001 files in one of ten", manifests({.data_manifests = 10, .max_files = 1001}),
        kBigManifests, std::nullopt}});
}

TEST(Findings, DeleteDebt) {
  // The table has 20 files of 1000 rows.
  const auto deletes = [](int64_t rows, int64_t references) {
    return [=](TableFigures& figures) {
      figures.deletes.deleted_rows = rows;
      figures.deletes.references = references;
    };
  };
  Check({{"just below 5 %", deletes(999, 19), kDeleteDebt, std::nullopt},
         {"5 %", deletes(1000, 0), kDeleteDebt, kInfo},
         {"10 %", deletes(2000, 0), kDeleteDebt, kWarning},
         {"30 %", deletes(6000, 0), kDeleteDebt, kSerious},
         {"one for each file", deletes(0, 20), kDeleteDebt, kInfo},
         {"five for each file", deletes(0, 100), kDeleteDebt, kWarning},
         {"twenty for each file", deletes(0, 400), kDeleteDebt, kSerious},
         {"the worse of both counts", deletes(1000, 400), kDeleteDebt, kSerious}});
}

TEST(Findings, EqualityAndDanglingDeletes) {
  const auto equality = [](int64_t files) {
    return [=](TableFigures& figures) { figures.deletes.equality_files = files; };
  };
  const auto dangling = [](int64_t files) {
    return [=](TableFigures& figures) { figures.deletes.dangling_files = files; };
  };
  Check({{"one", equality(1), kEqualityDeletes, kInfo},
         {"100", equality(100), kEqualityDeletes, kWarning},
         {"1000", equality(1000), kEqualityDeletes, kSerious},
         {"one", dangling(1), kDanglingDeletes, kInfo},
         {"100", dangling(100), kDanglingDeletes, kWarning}});
}

TEST(Findings, Snapshots) {
  const auto expired = [](int64_t count) {
    return [=](TableFigures& figures) { figures.snapshots.expired = count; };
  };
  const auto kept = [](int64_t count) {
    return [=](TableFigures& figures) { figures.snapshots.snapshots = count; };
  };
  const auto commits = [](int64_t count) {
    return [=](TableFigures& figures) { figures.snapshots.commits_of_last_day = count; };
  };
  Check({{"one", expired(1), kExpiredSnapshots, kInfo},
         {"100", expired(100), kExpiredSnapshots, kWarning},
         {"1000", expired(1000), kExpiredSnapshots, kSerious},
         {"999", kept(999), kManySnapshots, std::nullopt},
         {"1000", kept(1000), kManySnapshots, kWarning},
         {"10,000", kept(10'000), kManySnapshots, kSerious},
         {"287 a day", commits(287), kCommitRate, std::nullopt},
         {"288 a day", commits(288), kCommitRate, kInfo},
         {"1440 a day", commits(1440), kCommitRate, kWarning},
         {"8640 a day", commits(8640), kCommitRate, kSerious}});
}

TEST(Findings, MetadataFiles) {
  const auto log = [](int64_t entries, bool deleted) {
    return [=](TableFigures& figures) {
      figures.metadata.log_entries = entries;
      figures.metadata.delete_after_commit = deleted;
    };
  };
  const auto old_bytes = [](int64_t bytes) {
    return [=](TableFigures& figures) { figures.metadata.old_bytes = bytes; };
  };
  const auto bytes = [](int64_t size) {
    return [=](TableFigures& figures) { figures.metadata.bytes = size; };
  };
  Check({{"99 entries of 100", log(99, false), kMetadataLog, std::nullopt},
         {"a full log", log(100, false), kMetadataLog, kWarning},
         {"a full log whose files are deleted", log(100, true), kMetadataLog, std::nullopt},
         {"more than are to be kept", log(101, true), kMetadataLog, kInfo},
         {"just below 100 MiB", old_bytes(100 * kMiB - 1), kOldMetadata, std::nullopt},
         {"100 MiB", old_bytes(100 * kMiB), kOldMetadata, kInfo},
         {"1 GiB", old_bytes(1024 * kMiB), kOldMetadata, kWarning},
         {"10 GiB", old_bytes(10'240 * kMiB), kOldMetadata, kSerious},
         {"just below 4 MiB", bytes(4 * kMiB - 1), kMetadataFile, std::nullopt},
         {"4 MiB", bytes(4 * kMiB), kMetadataFile, kInfo},
         {"16 MiB", bytes(16 * kMiB), kMetadataFile, kWarning},
         {"128 MiB", bytes(128 * kMiB), kMetadataFile, kSerious}});
}

TEST(Findings, Bounds) {
  const auto columns = [](std::vector<ColumnFigures> measured, bool partitioned = false) {
    return [=](TableFigures& figures) {
      figures.columns = measured;
      if (!partitioned) return;
      figures.partitioned = true;
      AddPartition(&figures, Partition("p", 1, 0, kTarget));
    };
  };
  Check({{"all overlap", columns({Column("id", 20, 0.9), Column("note", 20, 1)}),
          kBoundsPruneNothing, kWarning},
         {"one does not", columns({Column("id", 20, 0.89), Column("note", 20, 1)}),
          kBoundsPruneNothing, kInfo},
         {"none does", columns({Column("id", 20, 0.89), Column("note", 20, 0.1)}),
          kBoundsPruneNothing, std::nullopt},
         {"partitions prune", columns({Column("id", 20, 1)}, true), kBoundsPruneNothing, kInfo},
         {"few files", columns({Column("id", 9, 1)}), kBoundsPruneNothing, std::nullopt}});
}

TEST(Findings, SortOrder) {
  const auto sorted = [](int64_t files, double overlap) {
    return [=](TableFigures& figures) {
      figures.columns = {Column("id", files, overlap), Column("note", files, 0.5)};
      figures.columns[0].leads_sort_order = true;
    };
  };
  Check({{"a tenth of 100 files", sorted(100, 0.1), kSortOrderLost, std::nullopt},
         {"more", sorted(100, 0.11), kSortOrderLost, kInfo},
         {"few files", sorted(9, 0.8), kSortOrderLost, std::nullopt},
         {"two of ten files", sorted(10, 0.2), kSortOrderLost, std::nullopt}});
  TableFigures figures = Healthy();
  sorted(100, 0.95)(figures);
  const HealthFindings findings = FindAll(figures);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].name(), "sort-order-lost");
  EXPECT_EQ(findings[0].severity, kWarning);
}

TEST(Findings, Metrics) {
  const auto column = [](int64_t missing, int64_t truncated, bool bounds_off = false) {
    return [=](TableFigures& figures) {
      figures.columns[1].missing = missing;
      figures.columns[1].truncated = truncated;
      figures.columns[1].bounds_off = bounds_off;
    };
  };
  Check({{"one file lacks bounds", column(1, 0), kMissingMetrics, kInfo},
         {"half of them do", column(10, 0), kMissingMetrics, kWarning},
         {"as the properties have it", column(20, 0, true), kMissingMetrics, std::nullopt},
         {"one file's bounds are cut", column(0, 1), kTruncatedBounds, kInfo},
         {"those of half of them", column(0, 10), kTruncatedBounds, kWarning}});
}

TEST(Findings, Layout) {
  const auto old_files = [](int64_t files) {
    return
        [=](TableFigures& figures) { figures.data.files_by_spec = {{0, 20 - files}, {1, files}}; };
  };
  const auto stale = [](std::optional<int64_t> behind, std::optional<double> changed) {
    return [=](TableFigures& figures) {
      figures.stale_statistics = StatisticsFigures{1, behind, changed};
    };
  };
  const auto orphans = [](int64_t files, int64_t bytes) {
    return [=](TableFigures& figures) {
      figures.orphans = OrphanFigures{100, 1000, files, bytes, {}};
    };
  };
  Check({{"one file of another spec", old_files(1), kOldSpecs, kInfo},
         {"half of them", old_files(10), kOldSpecs, kWarning},
         {"a fifth changed", stale(2, 0.2), kStaleStatistics, kWarning},
         {"less changed", stale(2, 0.19), kStaleStatistics, kInfo},
         {"unknown changes", stale(2, std::nullopt), kStaleStatistics, kInfo},
         {"of no ancestor", stale(std::nullopt, std::nullopt), kStaleStatistics, kWarning},
         {"nothing is unnamed", orphans(0, 0), kOrphanFiles, std::nullopt},
         {"a file is", orphans(1, 99), kOrphanFiles, kInfo},
         {"a tenth of the bytes is", orphans(1, 100), kOrphanFiles, kWarning}});
}

TEST(Findings, TheMostSevereComeFirst) {
  TableFigures figures = Healthy();
  figures.snapshots.expired = 1;
  figures.deletes.equality_files = 1000;
  figures.metadata.log_entries = 100;
  std::vector<std::string_view> names;
  for (const HealthFinding& finding : FindAll(figures)) names.push_back(finding.name());
  EXPECT_EQ(names, (std::vector<std::string_view>{"equality-deletes", "metadata-log",
                                                  "expired-snapshots"}));
}

TEST(HealthScore, FindingsTakePointsBySeverity) {
  const auto score = [](std::vector<HealthSeverity> severities) {
    HealthFindings findings;
    for (const HealthSeverity severity : severities) findings.push_back({.severity = severity});
    return HealthScore(findings);
  };
  EXPECT_EQ(score({}), 100);
  EXPECT_EQ(score({kInfo}), 99);
  EXPECT_EQ(score({kWarning, kInfo}), 91);
  EXPECT_EQ(score({kSerious, kWarning}), 72);
  EXPECT_EQ(score(std::vector(6, kSerious)), 0);
}

}  // namespace
}  // namespace nunatak
