#pragma once

#include <vector>

#include "nunatak/read/decode/file_field.h"
#include "nunatak/read/name_mapping.h"

namespace nunatak {

/// Takes the ids of all fields away, at every depth.
void ClearIds(std::vector<FileField>& fields);

/// Gives the columns of a file without field ids those that the mapping has for their names, at
/// every depth.
void AssignMappedIds(const NameMapping& mapping, std::vector<FileField>& fields);

/// Gives top-level columns without an id, in a file of which others have one, those reserved ids
/// that the mapping has for their names: formats keep columns of their own in files that have none.
void AssignReservedIds(const NameMapping& mapping, std::vector<FileField>& fields);

/// Gives the top-level columns of a file without field ids the ids 1, 2, 3 …, as the Java
/// implementation does for a table without a name mapping. Nested fields get none.
void AssignIdsByPosition(std::vector<FileField>& fields);

}  // namespace nunatak
