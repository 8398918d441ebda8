#pragma once

#include <cstdint>

#include "nunatak/base/export.h"
#include "nunatak/table/schema.h"
#include "nunatak/table/type.h"

namespace nunatak {

/// The columns that every table has beside its own (specification, "Reserved Field IDs" and "Row
/// Lineage"), by their field ids.

/// `_file`, required string: the location of the row's data file, as the table records it.
inline constexpr int32_t kFileColumnId = 2147483646;
/// `_pos`, required long: the row's position in its file, from 0, deleted rows counted.
inline constexpr int32_t kPositionColumnId = 2147483645;
/// `_deleted`, required boolean: whether deletes remove the row. Who asks for it gets the rows that
/// are deleted too.
inline constexpr int32_t kDeletedColumnId = 2147483644;
/// `_spec_id`, required int: the partition spec of the row's file.
inline constexpr int32_t kSpecIdColumnId = 2147483643;
/// `_partition`, optional struct: the partition fields of all of the table's specs; null where the
/// file's spec has no such field.
inline constexpr int32_t kPartitionColumnId = 2147483642;
/// `_row_id`, optional long: the id that the row keeps when it is rewritten (version 3).
inline constexpr int32_t kRowIdColumnId = 2147483540;
/// `_last_updated_sequence_number`, optional long: of the commit that wrote the row as it is
/// (version 3).
inline constexpr int32_t kLastUpdatedColumnId = 2147483539;

NUNATAK_EXPORT bool IsMetadataColumn(int32_t field_id);

/// A schema with the metadata columns behind its own, so that they can be selected and filtered by
/// like any other. A column of the table itself hides the metadata column of its name.
/// `partition_type` is the type of `_partition`: fields by partition field id. Where these are no
/// higher than `last_column_id`, a column that the table has or had may have the same id, and
/// the field has another here (`PartitionFieldIdOf` gives its own back).
NUNATAK_EXPORT Schema WithMetadataColumns(const Schema& schema, const Type& partition_type,
                                          int32_t last_column_id);

/// The partition field id of a field of `_partition`.
NUNATAK_EXPORT int32_t PartitionFieldIdOf(int32_t field_id);

}  // namespace nunatak
