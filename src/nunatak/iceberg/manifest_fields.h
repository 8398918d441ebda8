#pragma once

#include <vector>

#include "nunatak/avro/decode_plan.h"
#include "nunatak/table/partition_spec.h"

namespace nunatak::iceberg {

/// Where the decoded fields of a manifest entry stand in a record cursor; a file's schema that
/// lacks a field leaves its slot null, which is how the format's versions differ.
enum EntrySlot : int {
  kStatus,
  kSnapshotId,
  kSequenceNumber,
  kFileSequenceNumber,
  kContent,
  kFilePath,
  kFileFormat,
  kRecordCount,
  kFileSize,
  kColumnSizes,
  kValueCounts,
  kNullValueCounts,
  kNanValueCounts,
  kLowerBounds,
  kUpperBounds,
  kKeyMetadata,
  kSplitOffsets,
  kEqualityIds,
  kSortOrderId,
  kFirstRowId,
  kReferencedDataFile,
  kContentOffset,
  kContentSize,
  /// The first field of the partition tuple; the others follow in the order of the spec.
  kFirstPartitionField,
};

/// The fields of a manifest entry (specification, "Manifests"), for `avro::DecodePlan::Compile`.
std::vector<avro::Wanted> EntryFields(const PartitionSpec& spec);

/// The slots of one item of a map column, and of a list column (its element).
enum ItemSlot : int { kItemKey = 0, kItemValue = 1, kItemElement = 0 };

/// The same for one entry of a manifest list (specification, "Manifest Lists").
enum ListSlot : int {
  kManifestPath,
  kManifestLength,
  kPartitionSpecId,
  kManifestContent,
  kManifestSequenceNumber,
  kMinSequenceNumber,
  kAddedSnapshotId,
  kAddedFilesCount,
  kExistingFilesCount,
  kDeletedFilesCount,
  kAddedRowsCount,
  kExistingRowsCount,
  kDeletedRowsCount,
  kPartitions,
  kManifestKeyMetadata,
  kManifestFirstRowId,
};
/// The slots of one field summary.
enum SummarySlot : int { kContainsNull, kContainsNan, kLowerBound, kUpperBound };

std::vector<avro::Wanted> ManifestListFields();

/// A column's name as Avro's grammar allows it: how writers spell a partition field's name.
std::string AvroName(std::string_view name);

}  // namespace nunatak::iceberg
