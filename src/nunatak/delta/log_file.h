#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"

namespace nunatak::delta {

/// The folder of a table's log, below the table's own.
inline constexpr std::string_view kLogFolder = "_delta_log";
/// The folder of a version-2 checkpoint's sidecars, below the log's.
inline constexpr std::string_view kSidecarFolder = "_sidecars";

enum class LogFileKind : uint8_t {
  kCommit,          ///< 00000000000000000003.json
  kCompaction,      ///< 00000000000000000001.00000000000000000003.compacted.json
  kCheckpoint,      ///< 00000000000000000003.checkpoint.parquet
  kCheckpointPart,  ///< 00000000000000000003.checkpoint.0000000001.0000000002.parquet
  kUuidCheckpoint,  ///< 00000000000000000003.checkpoint.<uuid>.parquet or .json
  kChecksum,        ///< 00000000000000000003.crc
};

/// What the name of a file in the log says of it.
struct LogFileName {
  LogFileKind kind = LogFileKind::kCommit;
  int64_t version = 0;
  /// Of a compaction: the last version that it covers.
  int64_t end_version = 0;
  /// Of a checkpoint in parts: which of how many, from 1.
  int32_t part = 1;
  int32_t parts = 1;
  /// Of a checkpoint: JSON rather than Parquet.
  bool json = false;

  friend bool operator==(const LogFileName&, const LogFileName&) = default;
};

struct LogFile {
  LogFileName name;
  FileInfo info;
};

/// Nullopt for what is no file of the log's own: `_last_checkpoint`, folders, files of others.
NUNATAK_EXPORT std::optional<LogFileName> ParseLogFileName(std::string_view name);

}  // namespace nunatak::delta
