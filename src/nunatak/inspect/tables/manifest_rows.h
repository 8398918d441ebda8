#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nunatak/avro/slot.h"
#include "nunatak/iceberg/entry_walk.h"
#include "nunatak/inspect/tables/file_records.h"

namespace nunatak {

/// The entries of a manifest, DELETED ones included, as what the file records of them.
class ManifestRows final : public FileRecords {
 public:
  /// Reads to the end of the walk. Throws what reading a manifest throws; `file` outlives the rows.
  ManifestRows(iceberg::EntryWalk walk, const iceberg::ManifestFile& file);

  const iceberg::EntryHead& head(size_t entry) const { return heads_[entry]; }

  size_t size() const override { return heads_.size(); }
  const PartitionSpec& spec() const override { return walk_.shape().spec; }
  ValueView Scalar(ContentFileId field, size_t entry) const override;
  bool Numbers(ContentFileId field, size_t entry, std::vector<int64_t>* numbers) const override;
  ValueView Partition(size_t place, size_t entry) const override;
  bool HasMetrics(MetricMap map, size_t entry) const override;
  /// Nulls, and negative counts, which come from faulty writers, are left out; of a column that
  /// comes twice, the later pair counts.
  void AppendMetrics(MetricMap map, size_t entry, std::vector<MetricPair>* pairs) const override;
  void AddPlace(size_t entry, Error* error) const override;

 private:
  const avro::Slot& slot(size_t entry, int number) const {
    return slots_[entry * slot_count_ + static_cast<size_t>(number)];
  }

  iceberg::EntryWalk walk_;
  const iceberg::ManifestFile& file_;
  size_t slot_count_ = 0;
  /// Of each entry its slots (`iceberg::EntrySlot`), one after the other.
  std::vector<avro::Slot> slots_;
  std::vector<iceberg::EntryHead> heads_;
};

}  // namespace nunatak
