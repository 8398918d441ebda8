#pragma once

#include <span>
#include <vector>

#include "nunatak/inspect/tables/file_column.h"
#include "nunatak/inspect/tables/readable_metrics.h"
#include "nunatak/table/merged_partitions.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// A content file as columns of a metadata table. Immutable, and thread-safe.
class FileColumns {
 public:
  /// `schema` is the table's current one.
  FileColumns(const MergedPartitions& partitions, const Schema& schema);

  /// The fields of a content file (specification, "Data File Fields"), with their field ids;
  /// `partition` has the fields of all specs, and is missing where there are none.
  const std::vector<Field>& fields() const { return fields_; }
  /// `readable_metrics`, whose field ids come after all others.
  const Field& readable_metrics() const { return readable_metrics_.field(); }

  /// Whether any of the columns shows column metrics.
  bool HasMetrics(std::span<const Field> columns) const;

  /// What a field, possibly pruned, has of files. The field outlives the column.
  FileColumnPtr MakeColumn(const Field& field) const;
  /// The same for a struct of such fields.
  FileColumnPtr MakeColumns(const Type& type) const;

 private:
  std::vector<Field> fields_;
  ReadableMetrics readable_metrics_;
};

}  // namespace nunatak
