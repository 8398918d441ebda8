#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/expr/evaluate.h"
#include "nunatak/plan/file_batch.h"
#include "nunatak/table/data_file.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// Where a column lies in its schema; how far its counts can be trusted follows from it.
enum class ColumnPlacement : uint8_t {
  kTopLevel,
  /// Inside structs alone, or dropped from the schema, which cannot say where it was: rows whose
  /// struct is null may be missing from its counts.
  kNested,
  /// Inside a list or map: its metrics say nothing of rows.
  kRepeated,
};

/// What one file's metadata records of one column: spans with null data are absent bounds (an empty
/// one is a bound), negative counts are absent counts.
struct RecordedMetrics {
  ByteSpan lower_bound;
  ByteSpan upper_bound;
  int64_t value_count = -1;
  int64_t null_value_count = -1;
  int64_t nan_value_count = -1;
};

/// What metrics say of a column of a file with `record_count` rows (negative: unknown). Bounds are
/// decoded for the type that the column has now; bytes of the answer point into `metrics`. Never
/// claims more than every correct writer's metrics support: bounds with a NaN among them are
/// unknown, and counts that contradict each other are unknown.
NUNATAK_EXPORT ColumnStats StatsFromMetrics(const BoundFilter::Column& column,
                                            ColumnPlacement placement,
                                            const RecordedMetrics& metrics, int64_t record_count);

/// The columns of a table whose metrics a filter reads, each with its place in the schema. Worked
/// out once per filter; immutable.
class NUNATAK_EXPORT MetricsLayout {
 public:
  MetricsLayout() = default;
  MetricsLayout(std::span<const BoundFilter::Column> columns, const Schema& schema);

  /// Ascending and distinct; what a `FileRequest` asks for.
  const std::vector<int32_t>& field_ids() const { return field_ids_; }
  /// The position of a field among `field_ids()`, or −1.
  int Find(int32_t field_id) const;
  ColumnPlacement placement(size_t i) const { return placements_[i]; }

 private:
  std::vector<int32_t> field_ids_;
  std::vector<ColumnPlacement> placements_;
};

/// The metrics of file `i` of a batch that was requested with `layout.field_ids()`, and what the
/// batch says of metadata columns. Refers to its
/// arguments; allocates nothing.
class NUNATAK_EXPORT BatchFileStats : public StatsSource {
 public:
  BatchFileStats(const MetricsLayout& layout, const FileBatch& batch, size_t i)
      : layout_(layout), batch_(batch), i_(i) {}
  ColumnStats Stats(const BoundFilter::Column& column) const override;

 private:
  const MetricsLayout& layout_;
  const FileBatch& batch_;
  size_t i_;
};

/// The metrics of one file; columns that `layout` does not name are unknown. Refers to its
/// arguments.
class NUNATAK_EXPORT DataFileStats : public StatsSource {
 public:
  DataFileStats(const MetricsLayout& layout, const DataFile& file) : layout_(layout), file_(file) {}
  ColumnStats Stats(const BoundFilter::Column& column) const override;

 private:
  const MetricsLayout& layout_;
  const DataFile& file_;
};

}  // namespace nunatak
