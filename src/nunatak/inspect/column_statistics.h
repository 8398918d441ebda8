#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/iceberg/snapshot_choice.h"
#include "nunatak/iceberg/table.h"
#include "nunatak/plan/snapshot_source.h"
#include "nunatak/table/type.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// What the metadata says of one column over the live data files of a snapshot. Deletes are not
/// taken into account: deleted rows are counted, and may be a bound.
struct NUNATAK_EXPORT ColumnStatistics {
  int32_t field_id = 0;
  /// The dotted path.
  std::string column;
  Type type;
  /// The snapshot's data files.
  int64_t files = 0;
  /// Sums over the files that record them; null when none does. In lists and maps, values may
  /// outnumber rows.
  std::optional<int64_t> value_count = std::nullopt;
  std::optional<int64_t> null_value_count = std::nullopt;
  std::optional<int64_t> nan_value_count = std::nullopt;
  /// The files that record a value count, and those whose values are known to lie within the bounds
  /// below: they have bounds, or nothing but null and NaN. Where either is less than `files`, the
  /// counts or bounds are not those of the whole column.
  int64_t counted_files = 0;
  int64_t bounded_files = 0;
  /// The least lower and the greatest upper bound; null when there is none. Bounds of texts and
  /// bytes may be cut.
  std::optional<Value> lower_bound = std::nullopt;
  std::optional<Value> upper_bound = std::nullopt;
  /// An estimate from a Puffin statistics file, and the snapshot that it was made of: the chosen
  /// one or, when it has none, the nearest ancestor that has one.
  std::optional<int64_t> distinct_values = std::nullopt;
  std::optional<int64_t> distinct_snapshot_id = std::nullopt;
};

/// One for each column of the snapshot's schema that is not nested, in the order of the schema.
/// Throws what reading manifests throws, and what reading a Puffin footer throws where the metadata
/// does not have an estimate itself.
NUNATAK_EXPORT std::vector<ColumnStatistics> ReadColumnStatistics(
    const iceberg::Table& table, const Context& context, const iceberg::ChosenSnapshot& snapshot);

/// The same of the files of a source of any format, by the metrics that it has of them.
NUNATAK_EXPORT std::vector<ColumnStatistics> ReadColumnStatistics(
    std::shared_ptr<const SnapshotSource> source, const Context& context);

}  // namespace nunatak
