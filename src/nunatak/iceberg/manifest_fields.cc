#include "nunatak/iceberg/manifest_fields.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace nunatak::iceberg {

using avro::Wanted;
using avro::WantedKind;

namespace {

Wanted Primitive(int id, std::vector<std::string> names, WantedKind kind, int slot) {
  return Wanted{id, std::move(names), kind, slot, {}};
}

Wanted Map(int id, std::string name, int key_id, int value_id, WantedKind value, int slot) {
  return Wanted{id,
                {std::move(name)},
                WantedKind::kMap,
                slot,
                {Primitive(key_id, {"key"}, WantedKind::kInteger, kItemKey),
                 Primitive(value_id, {"value"}, value, kItemValue)}};
}

Wanted IntegerList(int id, std::string name, int element_id, int slot) {
  return Wanted{id,
                {std::move(name)},
                WantedKind::kList,
                slot,
                {Primitive(element_id, {"element"}, WantedKind::kInteger, kItemElement)}};
}

Wanted PartitionTuple(const PartitionSpec& spec) {
  Wanted tuple{102, {"partition"}, WantedKind::kRecord, -1, {}};
  for (size_t i = 0; i < spec.fields.size(); ++i) {
    const PartitionField& field = spec.fields[i];
    tuple.children.push_back(Primitive(field.field_id, {field.name, AvroName(field.name)},
                                       WantedKind::kAny,
                                       kFirstPartitionField + static_cast<int>(i)));
  }
  return tuple;
}

}  // namespace

std::vector<Wanted> EntryFields(const PartitionSpec& spec) {
  Wanted file{2, {"data_file"}, WantedKind::kRecord, -1, {}};
  file.children = {
      Primitive(134, {"content"}, WantedKind::kInteger, kContent),
      Primitive(100, {"file_path"}, WantedKind::kBytes, kFilePath),
      Primitive(101, {"file_format"}, WantedKind::kBytes, kFileFormat),
      PartitionTuple(spec),
      Primitive(103, {"record_count"}, WantedKind::kInteger, kRecordCount),
      Primitive(104, {"file_size_in_bytes"}, WantedKind::kInteger, kFileSize),
      Map(108, "column_sizes", 117, 118, WantedKind::kInteger, kColumnSizes),
      Map(109, "value_counts", 119, 120, WantedKind::kInteger, kValueCounts),
      Map(110, "null_value_counts", 121, 122, WantedKind::kInteger, kNullValueCounts),
      Map(137, "nan_value_counts", 138, 139, WantedKind::kInteger, kNanValueCounts),
      Map(125, "lower_bounds", 126, 127, WantedKind::kBytes, kLowerBounds),
      Map(128, "upper_bounds", 129, 130, WantedKind::kBytes, kUpperBounds),
      Primitive(131, {"key_metadata"}, WantedKind::kBytes, kKeyMetadata),
      IntegerList(132, "split_offsets", 133, kSplitOffsets),
      IntegerList(135, "equality_ids", 136, kEqualityIds),
      Primitive(140, {"sort_order_id"}, WantedKind::kInteger, kSortOrderId),
      Primitive(142, {"first_row_id"}, WantedKind::kInteger, kFirstRowId),
      Primitive(143, {"referenced_data_file"}, WantedKind::kBytes, kReferencedDataFile),
      Primitive(144, {"content_offset"}, WantedKind::kInteger, kContentOffset),
      Primitive(145, {"content_size_in_bytes"}, WantedKind::kInteger, kContentSize),
  };
  return {
      Primitive(0, {"status"}, WantedKind::kInteger, kStatus),
      Primitive(1, {"snapshot_id"}, WantedKind::kInteger, kSnapshotId),
      Primitive(3, {"sequence_number"}, WantedKind::kInteger, kSequenceNumber),
      Primitive(4, {"file_sequence_number"}, WantedKind::kInteger, kFileSequenceNumber),
      std::move(file),
  };
}

std::vector<Wanted> ManifestListFields() {
  Wanted summary{508, {"element"}, WantedKind::kRecord, -1, {}};
  summary.children = {
      Primitive(509, {"contains_null"}, WantedKind::kBoolean, kContainsNull),
      Primitive(518, {"contains_nan"}, WantedKind::kBoolean, kContainsNan),
      Primitive(510, {"lower_bound"}, WantedKind::kBytes, kLowerBound),
      Primitive(511, {"upper_bound"}, WantedKind::kBytes, kUpperBound),
  };
  const auto integer = [](int id, std::vector<std::string> names, int slot) {
    return Primitive(id, std::move(names), WantedKind::kInteger, slot);
  };
  return {
      Primitive(500, {"manifest_path"}, WantedKind::kBytes, kManifestPath),
      integer(501, {"manifest_length"}, kManifestLength),
      integer(502, {"partition_spec_id"}, kPartitionSpecId),
      integer(517, {"content"}, kManifestContent),
      integer(515, {"sequence_number"}, kManifestSequenceNumber),
      integer(516, {"min_sequence_number"}, kMinSequenceNumber),
      integer(503, {"added_snapshot_id"}, kAddedSnapshotId),
      integer(504, {"added_files_count", "added_data_files_count"}, kAddedFilesCount),
      integer(505, {"existing_files_count", "existing_data_files_count"}, kExistingFilesCount),
      integer(506, {"deleted_files_count", "deleted_data_files_count"}, kDeletedFilesCount),
      integer(512, {"added_rows_count"}, kAddedRowsCount),
      integer(513, {"existing_rows_count"}, kExistingRowsCount),
      integer(514, {"deleted_rows_count"}, kDeletedRowsCount),
      Wanted{507, {"partitions"}, WantedKind::kList, kPartitions, {summary}},
      Primitive(519, {"key_metadata"}, WantedKind::kBytes, kManifestKeyMetadata),
      integer(520, {"first_row_id"}, kManifestFirstRowId),
  };
}

std::string AvroName(std::string_view name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  std::string result;
  for (char c : name) {
    if (is_letter(c) || (is_digit(c) && !result.empty())) {
      result.push_back(c);
    } else if (is_digit(c)) {
      result += {'_', c};
    } else {
      result += fmt::format("_x{:X}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

}  // namespace nunatak::iceberg
