#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "nunatak/inspect/tables/readable_metrics.h"
#include "nunatak/table/data_file.h"
#include "nunatak/table/merged_partitions.h"
#include "nunatak/table/partition_spec.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// A content file as columns of a metadata table. Immutable, and thread-safe.
class FileColumns {
 public:
  /// `schema` is the table's current one.
  FileColumns(MergedPartitions partitions, const Schema& schema);

  /// The fields of a content file (specification, "Data File Fields"), with their field ids;
  /// `partition` has the fields of all specs, and is missing where there are none.
  const std::vector<Field>& fields() const { return fields_; }
  /// `readable_metrics`, whose field ids come after all others.
  const Field& readable_metrics() const { return readable_metrics_.field(); }

  /// Whether any of the columns, at any depth, shows column metrics.
  static bool HasMetrics(std::span<const Field> columns);

  /// Appends what one of the fields, possibly pruned, has of a file under its spec.
  void Append(const Field& field, const DataFile& file, const PartitionSpec& spec,
              arrow::ArrayBuilder& builder) const;
  /// The same for a struct of such fields.
  void AppendStruct(std::span<const Field> fields, const DataFile& file, const PartitionSpec& spec,
                    arrow::ArrayBuilder& builder) const;

 private:
  MergedPartitions partitions_;
  std::vector<Field> fields_;
  ReadableMetrics readable_metrics_;
};

}  // namespace nunatak
