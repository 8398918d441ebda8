#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"

namespace nunatak {

enum class TableFormat : uint8_t { kIceberg, kDelta, kHive };

/// "iceberg", "delta", "hive".
NUNATAK_EXPORT std::string_view ToString(TableFormat format);
/// As a sentence has it: "an Iceberg table", "a Delta table", "a Hive-style directory".
NUNATAK_EXPORT std::string_view NounOf(TableFormat format);
/// Throws `ErrorCode::kUsage` for any other name.
NUNATAK_EXPORT TableFormat ParseTableFormat(std::string_view name);

/// What lies at a location: a metadata file, or a directory with `metadata/`, is an Iceberg table,
/// even where another format's log lies beside it; a directory with `_delta_log/` is a Delta table;
/// any other directory is a Hive-style one if files of a known format, or directories named `k=v`,
/// lie in it, and so is one such file by itself. Throws `ErrorCode::kNotFound` when nothing fits,
/// or nothing is there.
NUNATAK_EXPORT TableFormat DetectTableFormat(FileIO& io, const std::string& location);

}  // namespace nunatak
