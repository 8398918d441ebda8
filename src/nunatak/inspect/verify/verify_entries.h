#pragma once

#include "nunatak/inspect/table_facts.h"
#include "nunatak/inspect/verify/verify_metrics.h"
#include "nunatak/inspect/verify/verify_report.h"

namespace nunatak {

/// Checks the entries of one manifest for themselves: snapshot and sequence numbers, row ids, and
/// what a file's record says of it.
class EntryChecker {
 public:
  /// All outlive the checker.
  EntryChecker(const TableFacts& facts, const iceberg::ManifestFile& manifest,
               const iceberg::ManifestShape& shape);

  void Check(const iceberg::WalkedEntry& entry, FileReport* report);
  /// Whether the entry's file is of a format that there is.
  static bool HasKnownFormat(const iceberg::WalkedEntry& entry);

 private:
  void CheckSnapshot(const iceberg::WalkedEntry& entry, FileReport* report) const;
  void CheckSequenceNumbers(const iceberg::WalkedEntry& entry, FileReport* report) const;
  void CheckAdded(const iceberg::WalkedEntry& entry, FileReport* report) const;
  void CheckRowIds(const iceberg::WalkedEntry& entry, FileReport* report) const;
  void CheckDeletionVector(const iceberg::WalkedEntry& entry, FileReport* report) const;
  void CheckSplitOffsets(const iceberg::WalkedEntry& entry, FileReport* report);
  void CheckEqualityIds(const iceberg::WalkedEntry& entry, FileReport* report);
  void CheckSortOrder(const iceberg::WalkedEntry& entry, FileReport* report) const;

  const TableFacts& facts_;
  const iceberg::ManifestFile& manifest_;
  /// Writers of the first hour of version 2 knew of no file sequence numbers.
  bool has_file_numbers_;
  avro::ArrayCursor split_offsets_;
  avro::ArrayCursor equality_ids_;
  MetricChecker metrics_;
};

}  // namespace nunatak
