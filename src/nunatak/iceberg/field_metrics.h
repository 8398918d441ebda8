#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "nunatak/avro/array_cursor.h"
#include "nunatak/base/bytes.h"
#include "nunatak/iceberg/entry_decoder.h"

namespace nunatak::iceberg {

/// What the metric maps of a file say of one of its fields, as recorded: negative counts too.
struct FieldMetrics {
  int64_t field_id = 0;
  std::optional<int64_t> column_size = std::nullopt;
  std::optional<int64_t> value_count = std::nullopt;
  std::optional<int64_t> null_value_count = std::nullopt;
  std::optional<int64_t> nan_value_count = std::nullopt;
  std::optional<ByteSpan> lower_bound = std::nullopt;
  std::optional<ByteSpan> upper_bound = std::nullopt;
  /// Whether a map has the field twice: the last value counts.
  bool twice = false;
};

/// Reads the metric maps of the entries of one manifest, which write them map by map, field by
/// field.
class FieldMetricsReader {
 public:
  /// `shape` outlives the reader.
  explicit FieldMetricsReader(const ManifestShape& shape);

  /// In the order in which the maps name the fields. Valid until the next call; the bounds, as long
  /// as the entry.
  std::span<const FieldMetrics> Read(EntrySlots entry);

 private:
  /// Where a field of the entry at hand is, among all entries' fields.
  struct Place {
    int64_t entry = -1;
    size_t index = 0;
  };

  void ReadCounts(EntrySlots entry, int slot, std::optional<int64_t> FieldMetrics::* count);
  void ReadBounds(EntrySlots entry, int slot, std::optional<ByteSpan> FieldMetrics::* bound);
  template <typename Visit>
  void ForEachItem(EntrySlots entry, int slot, Visit visit);
  FieldMetrics& At(int64_t field_id);

  std::vector<avro::ArrayCursor> maps_;
  std::vector<FieldMetrics> fields_;
  std::unordered_map<int64_t, Place> places_;
  int64_t entry_ = -1;
};

}  // namespace nunatak::iceberg
