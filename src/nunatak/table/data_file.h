#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/table/partition_values.h"

namespace nunatak {

enum class FileContent : uint8_t { kData = 0, kPositionDeletes = 1, kEqualityDeletes = 2 };
enum class FileFormat : uint8_t { kAvro, kOrc, kParquet, kPuffin };

/// "data", "position-deletes", "equality-deletes", as the REST specification spells them.
NUNATAK_EXPORT std::string_view ToString(FileContent content);
/// "AVRO", "ORC", "PARQUET", "PUFFIN".
NUNATAK_EXPORT std::string_view ToString(FileFormat format);
/// Case-insensitive; throws `ErrorCode::kUnsupported` for others, by name.
NUNATAK_EXPORT FileFormat ParseFileFormat(std::string_view text);

/// The metrics of one column of a file; what is absent is unknown.
struct NUNATAK_EXPORT ColumnMetrics {
  int32_t field_id = 0;
  std::optional<int64_t> column_size;
  std::optional<int64_t> value_count;
  std::optional<int64_t> null_value_count;
  std::optional<int64_t> nan_value_count;
  /// Binary single values (specification, Appendix D), possibly of the type the column had when the
  /// file was written, and truncated for strings and binary.
  std::optional<std::string> lower_bound;
  std::optional<std::string> upper_bound;

  friend bool operator==(const ColumnMetrics&, const ColumnMetrics&) = default;
};

/// A data or delete file (specification, "Data File Fields", ids 100 to 146), of any table format.
struct NUNATAK_EXPORT DataFile {
  FileContent content = FileContent::kData;
  /// The location as the table records it, percent sequences and blanks kept literally.
  std::string file_path;
  FileFormat file_format = FileFormat::kParquet;
  /// The spec that `partition` belongs to.
  int32_t partition_spec_id = 0;
  /// Positional, in the order of the spec's fields.
  PartitionValues partition;
  int64_t record_count = 0;
  int64_t file_size_in_bytes = 0;
  /// Sorted by field id; one entry for each column that any of the metric maps names.
  std::vector<ColumnMetrics> metrics;
  /// Which of the metric maps were present in the manifest (an absent map is not an empty one): bit
  /// 0 column_sizes, 1 value_counts, 2 null_value_counts, 3 nan_value_counts, 4 lower, 5 upper
  /// bounds.
  uint8_t metric_maps = 0;
  std::optional<std::string> key_metadata;
  std::optional<std::vector<int64_t>> split_offsets;
  /// The field ids of an equality delete file.
  std::optional<std::vector<int32_t>> equality_ids;
  std::optional<int32_t> sort_order_id;
  /// v3, after inheritance.
  std::optional<int64_t> first_row_id;
  /// The one data file that a position delete file or deletion vector applies to.
  std::optional<std::string> referenced_data_file;
  /// Where a deletion vector's blob lies in its Puffin file.
  std::optional<int64_t> content_offset;
  std::optional<int64_t> content_size_in_bytes;

  bool is_data() const { return content == FileContent::kData; }
  bool is_position_delete() const { return content == FileContent::kPositionDeletes; }
  bool is_equality_delete() const { return content == FileContent::kEqualityDeletes; }
  /// A position-delete entry in Puffin form: one blob, one referenced data file.
  bool is_deletion_vector() const {
    return is_position_delete() && file_format == FileFormat::kPuffin;
  }
  /// Null when no map names the column.
  const ColumnMetrics* FindMetrics(int32_t field_id) const;

  friend bool operator==(const DataFile&, const DataFile&) = default;
};

}  // namespace nunatak
