#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/export.h"

namespace nunatak::iceberg {

/// Whether a name is that of a table metadata file: it ends in ".metadata.json", or in
/// ".metadata.json.gz".
NUNATAK_EXPORT bool IsMetadataFileName(std::string_view name);

/// A metadata file's name without that end, and without a codec before it: "v3" for
/// "v3.gz.metadata.json" and "v3.gzip.metadata.json", "v3" for "v3.metadata.json.gz". Only for
/// names of metadata files.
NUNATAK_EXPORT std::string_view MetadataFileStem(std::string_view name);

/// The version in a stem: 3 for "v3", "3" and "00003-<uuid>"; nullopt for others, such as a bare
/// UUID (a commit that did not finish).
NUNATAK_EXPORT std::optional<int64_t> VersionOfStem(std::string_view stem);

/// A whole text of at most 18 decimal digits as a number.
NUNATAK_EXPORT std::optional<int64_t> ParseVersionNumber(std::string_view digits);

}  // namespace nunatak::iceberg
