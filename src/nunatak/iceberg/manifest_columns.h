#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "nunatak/avro/slot.h"
#include "nunatak/base/bytes.h"
#include "nunatak/base/context.h"
#include "nunatak/iceberg/entry_decoder.h"
#include "nunatak/iceberg/manifest.h"
#include "nunatak/iceberg/manifest_blocks.h"
#include "nunatak/iceberg/manifest_cache.h"
#include "nunatak/plan/file_batch.h"
#include "nunatak/plan/partition_tuples.h"

namespace nunatak::iceberg {

/// The live entries of one manifest, decoded once: every value of an entry as a number or a span of
/// the inflated blocks, and what planning sweeps over as arrays. Metrics of a field are arranged as
/// a column when they are first asked for. Thread-safe; what a cache of decoded manifests keeps.
class ManifestColumns final : public DecodedManifest {
 public:
  /// Decodes a manifest; its blocks in parallel when it is large. Throws what reading a manifest
  /// throws.
  ManifestColumns(const Context& context, ManifestBlocks blocks,
                  std::shared_ptr<const ManifestShape> shape, const ManifestFile& file);

  size_t size() const { return rows_.size(); }
  const std::vector<FileContent>& contents() const { return contents_; }
  const std::vector<std::string_view>& file_paths() const { return file_paths_; }
  const std::vector<int64_t>& record_counts() const { return record_counts_; }
  const std::vector<int64_t>& file_sizes() const { return file_sizes_; }
  const std::vector<int64_t>& data_sequence_numbers() const { return sequence_numbers_; }
  const PartitionTuples& tuples() const { return tuples_; }
  const std::vector<uint32_t>& tuple_numbers() const { return tuple_numbers_; }
  const PartitionSpec& spec() const { return shape_->spec; }

  /// One column per field id, valid as long as this object.
  std::vector<const MetricColumn*> Metrics(std::span<const int32_t> field_ids) const;

  void AppendFiles(std::span<const uint32_t> positions, bool column_metrics,
                   std::vector<DataFile>* files) const;
  std::optional<int64_t> FileSequenceNumber(size_t i) const;
  std::optional<int64_t> SnapshotId(size_t i) const;
  bool IsAdded(size_t i) const { return StatusOf(i) == EntryStatus::kAdded; }
  /// `DataFile::metric_maps`.
  uint8_t MetricMaps(size_t i) const;

  /// The slots of the live entries, and what they mean.
  std::span<const avro::Slot* const> rows() const { return rows_; }
  const ManifestShape& shape() const { return *shape_; }

  std::shared_ptr<const FileBatch> Batch(std::shared_ptr<const DecodedManifest> self,
                                         const FileRequest& request) const override;
  /// With the metric columns that were made so far.
  int64_t memory_bytes() const override { return memory_bytes_; }

 private:
  EntryStatus StatusOf(size_t i) const {
    return static_cast<EntryStatus>(rows_[i][kStatus].integer());
  }
  EntrySlots Row(size_t i) const { return {rows_[i], slot_count_}; }
  void DecodeRows(const Context& context);
  void AddEntry(EntrySlots slots, const EntryHead& head);
  void AddEntries(const ManifestFile& file);
  void CountMemory();
  EntryHead HeadOf(size_t i) const;
  void FillMetrics(int32_t field_id, MetricColumn* column) const;

  ManifestBlocks blocks_;
  std::shared_ptr<const ManifestShape> shape_;
  Inheritance inheritance_;
  size_t slot_count_;
  /// Per block the slots of its entries, one after the other.
  std::vector<std::vector<avro::Slot>> block_slots_;
  /// Where the slots of each live entry are.
  std::vector<const avro::Slot*> rows_;

  std::vector<FileContent> contents_;
  std::vector<std::string_view> file_paths_;
  std::vector<int64_t> record_counts_;
  std::vector<int64_t> file_sizes_;
  std::vector<int64_t> sequence_numbers_;
  /// Empty when the manifest has no first row id to inherit.
  std::vector<std::optional<int64_t>> first_row_ids_;
  PartitionTuples tuples_;
  std::vector<uint32_t> tuple_numbers_;
  std::vector<ValueView> tuple_;

  mutable std::atomic<int64_t> memory_bytes_ = 0;
  mutable std::mutex metrics_mutex_;
  mutable std::map<int32_t, MetricColumn> metrics_;
};

/// Decodes a manifest under the table's spec; `spec_key` stands for spec and type (`SpecKey`). The
/// cache spares compiling the manifest's schema.
std::shared_ptr<const ManifestColumns> ReadManifestColumns(
    const Context& context, Buffer bytes, const ManifestFile& file, const PartitionSpec& spec,
    const Type& partition_type, std::string_view spec_key, ManifestCache& cache);

}  // namespace nunatak::iceberg
