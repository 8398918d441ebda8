#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/base/json.h"

namespace nunatak::delta {

/// What the actions of a log say that are not about files (specification, "Actions").

struct Protocol {
  int32_t min_reader_version = 1;
  int32_t min_writer_version = 1;
  /// Only of reader version 3, and writer version 7.
  std::vector<std::string> reader_features;
  std::vector<std::string> writer_features;

  friend bool operator==(const Protocol&, const Protocol&) = default;
};

/// The schema of a table that has none yet.
inline constexpr const char* kNoColumns = R"({"type":"struct","fields":[]})";

struct Metadata {
  std::string id;
  std::optional<std::string> name;
  std::optional<std::string> description;
  std::string format_provider = "parquet";
  /// JSON (specification, "Schema Serialization Format").
  std::string schema_string;
  std::vector<std::string> partition_columns;
  std::map<std::string, std::string> configuration;
  /// Milliseconds since 1970-01-01 UTC.
  std::optional<int64_t> created_time;

  /// Null when the table does not set the property.
  const std::string* FindProperty(const std::string& key) const;

  friend bool operator==(const Metadata&, const Metadata&) = default;
};

/// The last version of an application's own numbering that a table has ("txn").
struct Transaction {
  std::string app_id;
  int64_t version = 0;
  std::optional<int64_t> last_updated;
};

struct DomainMetadata {
  std::string domain;
  std::string configuration;
  bool removed = false;
};

/// A file of a version-2 checkpoint that holds its file actions.
struct Sidecar {
  std::string path;
  int64_t size_in_bytes = 0;
};

/// Each reads the value of the action's one key. Throws `ErrorCode::kInvalid` naming the field;
/// unknown fields are ignored.
NUNATAK_EXPORT Protocol ProtocolFromJson(Json json);
NUNATAK_EXPORT Metadata MetadataFromJson(Json json);
NUNATAK_EXPORT Transaction TransactionFromJson(Json json);
NUNATAK_EXPORT DomainMetadata DomainMetadataFromJson(Json json);
NUNATAK_EXPORT Sidecar SidecarFromJson(Json json);

}  // namespace nunatak::delta
