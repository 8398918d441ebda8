#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/delta/actions.h"
#include "nunatak/read/name_mapping.h"
#include "nunatak/table/partition_spec.h"
#include "nunatak/table/schema.h"

namespace nunatak::delta {

/// How columns are found in files (specification, "Column Mapping").
enum class ColumnMapping : uint8_t { kNone, kName, kId };

/// The columns of one version of a table, as types and field ids of the tables that are read by id.
struct NUNATAK_EXPORT TableSchema {
  /// With the ids of the column mapping where the table has them, else with ids in the order of the
  /// columns.
  Schema schema;
  ColumnMapping mapping = ColumnMapping::kNone;
  /// The names of fields in files, partition values and statistics, by field id.
  std::map<int32_t, std::string> physical_names;
  /// One identity field per partition column.
  PartitionSpec spec;
  /// The highest field id, of columns and of partition fields.
  int32_t last_id = 0;

  /// The physical names from a top-level column down to the field.
  std::vector<std::string> PhysicalPath(int32_t field_id) const;
  /// What files call the columns; with `mapping` by id, no more than the columns of row tracking,
  /// which have no ids.
  NameMapping FileColumns(const Metadata& metadata) const;
};

/// The physical names of the partition columns, in the order of the spec.
std::vector<std::string> PartitionColumnsOf(const TableSchema& table);

/// Throws `ErrorCode::kInvalid` for a schema that is malformed, has columns that differ in case
/// alone or lacks a partition column; and `kUnsupported` for a type, a type change or a column
/// mapping that nobody here knows, by name.
NUNATAK_EXPORT TableSchema MakeTableSchema(const Protocol& protocol, const Metadata& metadata);

}  // namespace nunatak::delta
