#include <fmt/format.h>

#include <limits>
#include <memory>
#include <utility>

#include "nunatak/avro/array_cursor.h"
#include "nunatak/avro/container.h"
#include "nunatak/avro/record_cursor.h"
#include "nunatak/base/error.h"
#include "nunatak/iceberg/manifest.h"
#include "nunatak/iceberg/manifest_cache.h"
#include "nunatak/iceberg/manifest_fields.h"
#include "nunatak/iceberg/slot_values.h"

namespace nunatak::iceberg {

using avro::Slot;

std::optional<int64_t> ManifestFile::live_files() const {
  if (!added_files_count || !existing_files_count) return std::nullopt;
  return int64_t{*added_files_count} + *existing_files_count;
}

namespace {

/// Negative counts come from faulty writers, and say nothing.
template <typename T>
std::optional<T> Count(const Slot& slot) {
  if (slot.is_null() || slot.integer() < 0) return std::nullopt;
  if (slot.integer() > std::numeric_limits<T>::max()) return std::nullopt;
  return static_cast<T>(slot.integer());
}

/// `expected` is how many summaries there may well be.
std::optional<std::vector<FieldSummary>> Summaries(const Slot& list, avro::ArrayCursor* items,
                                                   size_t expected) {
  if (list.is_null()) return std::nullopt;
  std::vector<FieldSummary> summaries;
  summaries.reserve(expected);
  items->Reset(list);
  while (items->Next()) {
    FieldSummary& summary = summaries.emplace_back();
    const Slot& nulls = items->slot(kContainsNull);
    summary.contains_null = nulls.is_null() || nulls.boolean();
    const Slot& nans = items->slot(kContainsNan);
    if (!nans.is_null()) summary.contains_nan = nans.boolean();
    summary.lower_bound = OptionalText(items->slot(kLowerBound));
    summary.upper_bound = OptionalText(items->slot(kUpperBound));
  }
  return summaries;
}

ManifestFile DecodeManifestFile(std::span<const Slot> slots, avro::ArrayCursor* summaries,
                                size_t expected_summaries) {
  ManifestFile file;
  file.manifest_path = RequiredSlot(slots, kManifestPath, "manifest_path").text();
  file.manifest_length = OptionalInteger(slots[kManifestLength]).value_or(0);
  file.partition_spec_id = static_cast<int32_t>(
      InRange(RequiredSlot(slots, kPartitionSpecId, "partition_spec_id").integer(),
              std::numeric_limits<int32_t>::max(), "partition_spec_id"));
  const Slot& content = slots[kManifestContent];
  if (!content.is_null()) {
    file.content = static_cast<ManifestContent>(InRange(content.integer(), 1, "content"));
  }
  file.sequence_number = OptionalInteger(slots[kManifestSequenceNumber]).value_or(0);
  file.min_sequence_number = OptionalInteger(slots[kMinSequenceNumber]).value_or(0);
  file.added_snapshot_id = OptionalInteger(slots[kAddedSnapshotId]);
  file.added_files_count = Count<int32_t>(slots[kAddedFilesCount]);
  file.existing_files_count = Count<int32_t>(slots[kExistingFilesCount]);
  file.deleted_files_count = Count<int32_t>(slots[kDeletedFilesCount]);
  file.added_rows_count = Count<int64_t>(slots[kAddedRowsCount]);
  file.existing_rows_count = Count<int64_t>(slots[kExistingRowsCount]);
  file.deleted_rows_count = Count<int64_t>(slots[kDeletedRowsCount]);
  file.partitions = Summaries(slots[kPartitions], summaries, expected_summaries);
  file.key_metadata = OptionalText(slots[kManifestKeyMetadata]);
  file.first_row_id = OptionalInteger(slots[kManifestFirstRowId]);
  return file;
}

}  // namespace

std::vector<ManifestFile> ReadManifestList(ByteSpan bytes, ManifestCache* cache) {
  const avro::Container container(bytes);
  const std::shared_ptr<const avro::DecodePlan> plan = (*CacheOrNone(cache)).ListPlan(container);
  std::vector<ManifestFile> files;
  avro::RecordCursor cursor(*plan);
  avro::ArrayCursor summaries(plan->items(kPartitions));
  avro::Decompressor decompressor;
  avro::ByteBuffer buffer;
  size_t expected_summaries = 0;
  for (const avro::CompressedBlock& compressed : container.blocks()) {
    cursor.Reset(container.ReadBlock(compressed, decompressor, buffer));
    if (files.empty()) files.reserve(static_cast<size_t>(compressed.count));
    while (cursor.Next()) {
      try {
        files.push_back(DecodeManifestFile(cursor.slots(), &summaries, expected_summaries));
        const auto& partitions = files.back().partitions;
        expected_summaries = partitions ? partitions->size() : 0;
      } catch (Error& error) {
        error.AddContext(fmt::format("entry {}", files.size()));
        throw;
      }
    }
  }
  return files;
}

std::vector<ManifestFile> ReadManifestList(FileIO& io, const std::string& location,
                                           ManifestCache* cache) {
  const Buffer buffer = ReadCached(io, location, cache);
  return WithContext(location, [&] { return ReadManifestList(buffer.bytes, cache); });
}

}  // namespace nunatak::iceberg
