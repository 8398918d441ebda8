#pragma once

#include <memory>
#include <string>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/iceberg/table_metadata.h"

namespace nunatak::iceberg {

/// Parses a table metadata file, plain or gzip (told apart by its first bytes, whatever its name).
///
/// Throws `ErrorCode::kInvalid` when the JSON is malformed, a field that the format version
/// requires is missing, or the guarantees of `TableMetadata` do not hold, and `kUnsupported` for
/// format versions above 3, encrypted tables and unknown types. The message has the path inside the
/// JSON; callers add the file's name. Explicit nulls count as absent, and unknown fields are
/// ignored.
///
/// The elements of its lists are parsed one by one, and schemas and snapshots stay text, which the
/// metadata keeps alive: besides the text, this allocates a small multiple of all else.
/// Compressed bytes may inflate to 256 times their size and no further.
NUNATAK_EXPORT std::shared_ptr<const TableMetadata> ParseTableMetadata(Buffer bytes);
/// The same with a copy of the bytes.
NUNATAK_EXPORT std::shared_ptr<const TableMetadata> ParseTableMetadata(ByteSpan bytes);

/// The JSON text of a table metadata file, inflated when it is gzip.
NUNATAK_EXPORT std::string MetadataText(ByteSpan bytes);

}  // namespace nunatak::iceberg
