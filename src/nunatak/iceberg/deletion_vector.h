#pragma once

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/iceberg/position_set.h"
#include "nunatak/io/file_io.h"
#include "nunatak/table/data_file.h"

namespace nunatak::iceberg {

/// Where a deletion vector's blob lies: the range to fetch and give to `ParseDeletionVector`.
/// Throws `ErrorCode::kInvalid` when the entry lacks `content_offset` or `content_size_in_bytes`,
/// or when they do not fit into the file.
NUNATAK_EXPORT FetchRequest DeletionVectorRequest(const DataFile& file);

/// Parses a blob of type `deletion-vector-v1` (Puffin specification), which Delta tables keep in
/// files of their own, or an older form of it that those may have. Length, magic and checksum
/// come first, then every container of the bitmap is checked. Throws `ErrorCode::kInvalid` with the
/// byte offset inside the blob; callers add the file's name and the blob's offset, and compare the
/// cardinality with the manifest entry's record count.
NUNATAK_EXPORT PositionSet ParseDeletionVector(ByteSpan blob);

}  // namespace nunatak::iceberg
