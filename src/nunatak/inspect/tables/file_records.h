#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/error.h"
#include "nunatak/inspect/tables/content_file_ids.h"
#include "nunatak/table/partition_spec.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// The metric maps of a file, in the order in which manifests have them.
enum class MetricMap : uint8_t {
  kColumnSizes,
  kValueCounts,
  kNullValueCounts,
  kNanValueCounts,
  kLowerBounds,
  kUpperBounds
};

inline constexpr size_t kMetricMaps = 6;

/// What a metric map has of a column: a count, or a bound.
struct MetricPair {
  int32_t field_id = 0;
  int64_t count = 0;
  ByteSpan bound = {};
};

/// Content files of one partition spec, of which columns are made (file_columns.h), wherever they
/// come from. Immutable, and thread-safe; values point into the records.
class FileRecords {
 public:
  virtual ~FileRecords() = default;

  virtual size_t size() const = 0;
  virtual const PartitionSpec& spec() const = 0;
  /// A field that is neither a map, nor a list, nor the partition.
  virtual ValueView Scalar(ContentFileId field, size_t file) const = 0;
  /// `split_offsets` or `equality_ids`; false when the file has none.
  virtual bool Numbers(ContentFileId field, size_t file, std::vector<int64_t>* numbers) const = 0;
  /// The value of a field of the spec.
  virtual ValueView Partition(size_t place, size_t file) const = 0;
  /// Whether the file has such a map.
  virtual bool HasMetrics(MetricMap map, size_t file) const = 0;
  /// Appends the pairs of a map, ascending by field id; a column comes once.
  virtual void AppendMetrics(MetricMap map, size_t file, std::vector<MetricPair>* pairs) const = 0;

  /// Says in an error which file it is about.
  virtual void AddPlace(size_t file, Error* error) const = 0;

  /// Calls `visit` for each of the files; what it throws leaves with the file's place.
  template <typename Visit>
  void ForEach(std::span<const uint32_t> files, Visit visit) const {
    size_t at = 0;
    try {
      for (; at < files.size(); ++at) visit(files[at]);
    } catch (Error& error) {
      AddPlace(files[at], &error);
      throw;
    }
  }
};

}  // namespace nunatak
