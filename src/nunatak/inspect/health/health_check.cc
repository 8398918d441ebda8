#include "nunatak/inspect/health/health_check.h"

#include <array>
#include <cstddef>

namespace nunatak {

namespace {

constexpr std::array kChecks = {
    HealthCheckInfo{
        HealthCheck::kSmallFiles, "small-files",
        "each file costs an entry in a manifest, a footer and several requests to read, however "
        "few rows it has",
        "Spark: CALL system.rewrite_data_files(table => 'db.table')\n"
        "Trino: ALTER TABLE db.table EXECUTE optimize"},
    HealthCheckInfo{
        HealthCheck::kTinyPartitions, "tiny-partitions",
        "a file never has rows of two partitions, so that compaction cannot make these files "
        "bigger: the partitioning is too fine",
        "Spark: ALTER TABLE db.table REPLACE PARTITION FIELD <field> WITH <a coarser transform>\n"
        "then:  CALL system.rewrite_data_files(table => 'db.table', options => "
        "map('rewrite-all', 'true'))"},
    HealthCheckInfo{
        HealthCheck::kPartitionSkew, "partition-skew",
        "queries and jobs that work by partition wait for the biggest one",
        "Spark: ALTER TABLE db.table ADD PARTITION FIELD bucket(16, <a column of many values>)"},
    HealthCheckInfo{HealthCheck::kManyManifests, "many-manifests",
                    "every query reads the manifest list and opens all manifests that it cannot "
                    "rule out, before it reads a row",
                    "Spark: CALL system.rewrite_manifests('db.table')\n"
                    "Trino: ALTER TABLE db.table EXECUTE optimize_manifests"},
    HealthCheckInfo{HealthCheck::kSmallManifests, "small-manifests",
                    "a manifest costs a request and a header to read, however few files it names",
                    "Spark: CALL system.rewrite_manifests('db.table')\n"
                    "Trino: ALTER TABLE db.table EXECUTE optimize_manifests"},
    HealthCheckInfo{HealthCheck::kBigManifests, "big-manifests",
                    "a manifest is read as a whole and by one thread: planning waits for the "
                    "biggest, and partition summaries rule out little",
                    "Spark: ALTER TABLE db.table SET TBLPROPERTIES "
                    "('commit.manifest.target-size-bytes' = '8388608')\n"
                    "then:  CALL system.rewrite_manifests('db.table')"},
    HealthCheckInfo{
        HealthCheck::kDeleteDebt, "delete-debt",
        "every reader opens the delete files of each data file, and reads rows only to drop them",
        "Spark: CALL system.rewrite_data_files(table => 'db.table', options => "
        "map('delete-file-threshold', '1'))\n"
        "or, to merge the delete files alone: CALL system.rewrite_position_delete_files(table => "
        "'db.table')"},
    HealthCheckInfo{
        HealthCheck::kEqualityDeletes, "equality-deletes",
        "readers must look each row up among the deleted values: the dearest kind of delete, and "
        "one that some engines refuse",
        "Spark: CALL system.rewrite_data_files(table => 'db.table', options => "
        "map('delete-file-threshold', '1'))"},
    HealthCheckInfo{
        HealthCheck::kDanglingDeletes, "dangling-deletes",
        "delete files that apply to no data file any more are still planned with and kept",
        "Spark: CALL system.rewrite_data_files(table => 'db.table', options => "
        "map('remove-dangling-deletes', 'true'))"},
    HealthCheckInfo{
        HealthCheck::kExpiredSnapshots, "expired-snapshots",
        "the files that only old snapshots need stay in storage, and the metadata file names them "
        "all",
        "Spark: CALL system.expire_snapshots(table => 'db.table')\n"
        "Trino: ALTER TABLE db.table EXECUTE expire_snapshots"},
    HealthCheckInfo{
        HealthCheck::kManySnapshots, "many-snapshots",
        "the metadata file lists every snapshot; each reader parses it, each commit writes it anew",
        "Spark: ALTER TABLE db.table SET TBLPROPERTIES ('history.expire.max-snapshot-age-ms' = "
        "'86400000')\n"
        "then:  CALL system.expire_snapshots(table => 'db.table')"},
    HealthCheckInfo{
        HealthCheck::kMetadataLog, "metadata-log",
        "metadata files that fall off the end of the log are not deleted: they stay in storage, "
        "and nothing names them any more",
        "Spark: ALTER TABLE db.table SET TBLPROPERTIES "
        "('write.metadata.delete-after-commit.enabled' = 'true')\n"
        "and:   CALL system.remove_orphan_files(table => 'db.table')"},
    HealthCheckInfo{
        HealthCheck::kOldMetadata, "old-metadata",
        "earlier metadata files are kept for time travel by file alone; each holds all snapshots "
        "of its time",
        "Spark: ALTER TABLE db.table SET TBLPROPERTIES "
        "('write.metadata.delete-after-commit.enabled' = 'true', "
        "'write.metadata.previous-versions-max' = '20')"},
    HealthCheckInfo{HealthCheck::kMetadataFile, "metadata-file",
                    "the metadata file is read whole by every query and written anew by every "
                    "commit",
                    "Spark: CALL system.expire_snapshots(table => 'db.table')"},
    HealthCheckInfo{
        HealthCheck::kCommitRate, "commit-rate",
        "each commit adds a snapshot, a manifest list, manifests and a metadata file, and most "
        "often small files; commits that come at once must be tried again",
        "Flink: a longer execution.checkpointing.interval\n"
        "Spark: .trigger(processingTime = '10 minutes')"},
    HealthCheckInfo{
        HealthCheck::kBoundsPruneNothing, "bounds-prune-nothing",
        "nearly every file may hold any value of these columns: a filter on them reads all files",
        "Spark: ALTER TABLE db.table WRITE ORDERED BY <the columns that queries filter by>\n"
        "then:  CALL system.rewrite_data_files(table => 'db.table', strategy => 'sort')\n"
        "and see what a query reads: nunatak explain TABLE --where ..."},
    HealthCheckInfo{
        HealthCheck::kSortOrderLost, "sort-order-lost",
        "the table has a sort order, but its files overlap in it: filters on its column read more "
        "than they need",
        "Spark: CALL system.rewrite_data_files(table => 'db.table', strategy => 'sort')"},
    HealthCheckInfo{HealthCheck::kMissingMetrics, "missing-metrics",
                    "without bounds of a column, no filter on it rules a file out",
                    "Spark: ALTER TABLE db.table SET TBLPROPERTIES "
                    "('write.metadata.metrics.column.<column>' = 'truncate(16)')\n"
                    "then:  CALL system.rewrite_data_files(table => 'db.table', options => "
                    "map('rewrite-all', 'true'))"},
    HealthCheckInfo{
        HealthCheck::kTruncatedBounds, "truncated-bounds",
        "values differ only behind the part that bounds keep of them, so that a file's lower and "
        "upper bound say the same",
        "Spark: ALTER TABLE db.table SET TBLPROPERTIES "
        "('write.metadata.metrics.column.<column>' = 'full')\n"
        "then:  CALL system.rewrite_data_files(table => 'db.table', options => "
        "map('rewrite-all', 'true'))"},
    HealthCheckInfo{
        HealthCheck::kOldSpecs, "old-specs",
        "files of earlier partition specs are ruled out by those specs alone, and compacted apart",
        "Spark: CALL system.rewrite_data_files(table => 'db.table', options => "
        "map('rewrite-all', 'true'))"},
    HealthCheckInfo{
        HealthCheck::kStaleStatistics, "stale-statistics",
        "optimizers choose join orders by numbers that are not those of the table any more",
        "Spark: CALL system.compute_table_stats(table => 'db.table')\n"
        "Trino: ANALYZE db.table"},
    HealthCheckInfo{HealthCheck::kOrphanFiles, "orphan-files",
                    "files that no snapshot names cost storage, and no expiry will remove them",
                    "Spark: CALL system.remove_orphan_files(table => 'db.table', dry_run => true)\n"
                    "Trino: ALTER TABLE db.table EXECUTE remove_orphan_files"},
};

constexpr bool AreInOrder() {
  for (size_t i = 0; i < kChecks.size(); ++i) {
    if (static_cast<size_t>(kChecks[i].check) != i) return false;
  }
  return true;
}
static_assert(AreInOrder());

}  // namespace

const HealthCheckInfo& InfoOf(HealthCheck check) { return kChecks.at(static_cast<size_t>(check)); }

std::span<const HealthCheckInfo> AllHealthChecks() { return kChecks; }

}  // namespace nunatak
