#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "nunatak/iceberg/snapshots.h"
#include "nunatak/inspect/metadata_table.h"
#include "nunatak/table/data_file.h"
#include "nunatak/table/merged_partitions.h"

namespace nunatak {

struct PartitionTotals {
  int32_t spec_id = 0;
  int64_t record_count = 0;
  int64_t file_count = 0;
  int64_t data_file_bytes = 0;
  int64_t position_delete_records = 0;
  int64_t position_delete_files = 0;
  int64_t equality_delete_records = 0;
  int64_t equality_delete_files = 0;
  std::optional<int64_t> updated_at_ms;
  std::optional<int64_t> updated_by;

  void Add(const DataFile& file);
  void NoteUpdate(int64_t timestamp_ms, int64_t snapshot_id);
  void Merge(const PartitionTotals& later);
};

/// Orders tuples of the merged partition type: nulls first, then by value.
struct TupleLess {
  bool operator()(const Value& a, const Value& b) const;
};

/// The partitions of a version of a table, gathered part by part: parts may be added to at the same
/// time.
class PartitionRows {
 public:
  PartitionRows(MergedPartitions partitions, size_t parts)
      : merged_(std::move(partitions)), gathered_(parts) {}

  /// `added_by` is the snapshot that added the file; null when it is not known.
  void Add(size_t part, const PartitionSpec& spec, const DataFile& file,
           const iceberg::Snapshot* added_by);

  /// The metadata table; `gather` adds the files of a part to `rows`.
  static MetadataTable Table(const std::shared_ptr<PartitionRows>& rows,
                             std::function<void(size_t part)> gather);

 private:
  using Partitions = std::map<Value, PartitionTotals, TupleLess>;

  bool partitioned() const { return !merged_.type().fields().empty(); }
  Schema schema() const;
  void Collect(size_t part);
  void Finish(RowBuilder& rows) const;

  MergedPartitions merged_;
  /// Of each part, until it is collected.
  std::vector<Partitions> gathered_;
  Partitions partitions_;
};

}  // namespace nunatak
