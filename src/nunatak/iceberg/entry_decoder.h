#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "nunatak/avro/array_cursor.h"
#include "nunatak/avro/decode_plan.h"
#include "nunatak/avro/slot.h"
#include "nunatak/iceberg/inheritance.h"
#include "nunatak/iceberg/manifest_fields.h"
#include "nunatak/table/data_file.h"
#include "nunatak/table/partition_spec.h"
#include "nunatak/table/type.h"

namespace nunatak::iceberg {

/// A manifest's header and schema, resolved: what it takes to decode its entries. Manifests with
/// the same header share one, so this is what a cache of manifests keeps.
struct ManifestShape {
  int32_t format_version = 1;
  bool has_sequence_numbers = false;
  PartitionSpec spec;
  Type partition_type;
  std::shared_ptr<const avro::DecodePlan> plan;
};

/// A decoded entry, one value per `EntrySlot`.
using EntrySlots = std::span<const avro::Slot>;

/// The parts of an entry that every reader needs, checked and after inheritance.
struct EntryHead {
  EntryStatus status = EntryStatus::kAdded;
  FileContent content = FileContent::kData;
  int64_t record_count = 0;
  int64_t file_size = 0;
  std::optional<int64_t> snapshot_id;
  /// Null when it may not be inherited.
  std::optional<int64_t> sequence_number;
  std::optional<int64_t> file_sequence_number;
  std::optional<int64_t> first_row_id;
};

/// Call for every entry of a manifest in order: row ids are counted. Throws `ErrorCode::kInvalid`
/// for values outside the specification, naming the field.
EntryHead DecodeHead(EntrySlots slots, ManifestContent content, Inheritance* inheritance);

/// Throws `ErrorCode::kInvalid` when a sequence number of the entry is null and may not be
/// inherited.
void CheckSequenceNumbers(const EntryHead& head);

/// A partition value as the type of the spec has it, decoded by the writer's schema: decimals and
/// UUIDs as bytes or fixed, days as int or date. Throws `ErrorCode::kInvalid` when it does not fit.
ValueView PartitionValue(const avro::Node& writer_type, const Type& type, const avro::Slot& slot);

/// `DataFile::metric_maps` of an entry.
uint8_t MetricMapsOf(EntrySlots slots);

/// Turns entries of one manifest into `DataFile`s.
class FileDecoder {
 public:
  /// `shape` must outlive the decoder.
  explicit FileDecoder(const ManifestShape& shape);

  /// The entry's partition tuple.
  PartitionValues DecodePartition(EntrySlots slots) const;

  /// Fills a new `DataFile` but for its partition. Without `column_metrics` its `metrics` stay
  /// empty, and `metric_maps` 0.
  void Decode(EntrySlots slots, const EntryHead& head, bool column_metrics, DataFile* file);

 private:
  void DecodeMetrics(EntrySlots slots, DataFile* file);

  const ManifestShape& shape_;
  avro::ArrayCursor column_sizes_, value_counts_, null_counts_, nan_counts_, lower_, upper_;
  avro::ArrayCursor split_offsets_, equality_ids_;
  /// Of the last file that was decoded with metrics.
  size_t columns_with_metrics_ = 0;
};

}  // namespace nunatak::iceberg
