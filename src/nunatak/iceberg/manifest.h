#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"
#include "nunatak/plan/snapshot_source.h"
#include "nunatak/table/data_file.h"
#include "nunatak/table/partition_spec.h"
#include "nunatak/table/schema.h"

namespace nunatak::iceberg {

class ManifestCache;

enum class ManifestContent : uint8_t { kData = 0, kDeletes = 1 };
enum class EntryStatus : uint8_t { kExisting = 0, kAdded = 1, kDeleted = 2 };

/// One entry of a manifest list (specification, `manifest_file`, field ids 500 to 520). Absent
/// counts are unknown, not zero.
struct NUNATAK_EXPORT ManifestFile {
  std::string manifest_path;
  int64_t manifest_length = 0;
  int32_t partition_spec_id = 0;
  /// Always kData in a v1 manifest list.
  ManifestContent content = ManifestContent::kData;
  int64_t sequence_number = 0;
  int64_t min_sequence_number = 0;
  std::optional<int64_t> added_snapshot_id;
  std::optional<int32_t> added_files_count;
  std::optional<int32_t> existing_files_count;
  std::optional<int32_t> deleted_files_count;
  std::optional<int64_t> added_rows_count;
  std::optional<int64_t> existing_rows_count;
  std::optional<int64_t> deleted_rows_count;
  std::optional<std::vector<FieldSummary>> partitions;
  std::optional<std::string> key_metadata;
  /// v3: the row id of the first row of the first data file that has none of its own.
  std::optional<int64_t> first_row_id;

  bool is_delete_manifest() const { return content == ManifestContent::kDeletes; }
  /// Entries that are not DELETED, as far as the counts can say.
  std::optional<int64_t> live_files() const;

  friend bool operator==(const ManifestFile&, const ManifestFile&) = default;
};

/// A manifest entry with every inherited value filled in.
struct NUNATAK_EXPORT ManifestEntry {
  EntryStatus status = EntryStatus::kAdded;
  std::optional<int64_t> snapshot_id;
  /// The data sequence number.
  int64_t sequence_number = 0;
  int64_t file_sequence_number = 0;
  DataFile data_file;

  bool is_live() const { return status != EntryStatus::kDeleted; }

  friend bool operator==(const ManifestEntry&, const ManifestEntry&) = default;
};

/// A decoded manifest: what its header says, and its entries in the order of the file.
struct NUNATAK_EXPORT Manifest {
  std::vector<ManifestEntry> entries;
  PartitionSpec partition_spec;
  int32_t partition_spec_id = 0;
  Schema schema;
  int32_t format_version = 1;
  ManifestContent content = ManifestContent::kData;

  std::vector<ManifestEntry> live_entries() const;
};

/// Reads a snapshot's manifest list, v1 to v3. An error names the location, and the byte offset or
/// the field. A cache spares reading the file again, and compiling its schema.
NUNATAK_EXPORT std::vector<ManifestFile> ReadManifestList(FileIO& io, const std::string& location,
                                                          ManifestCache* cache = nullptr);
NUNATAK_EXPORT std::vector<ManifestFile> ReadManifestList(ByteSpan bytes,
                                                          ManifestCache* cache = nullptr);

struct ManifestReadOptions {
  /// Whether files have their `metrics`; without, it takes half the time.
  bool column_metrics = true;
};

/// Reads a manifest, inheriting what the manifest list supplies. The partition tuples are decoded
/// by the spec and schema in the manifest's own header. A null sequence number that may not be
/// inherited is an error (`ErrorCode::kInvalid`). A cache spares reading the file again, and
/// compiling its schema.
NUNATAK_EXPORT Manifest ReadManifest(FileIO& io, const ManifestFile& file,
                                     ManifestCache* cache = nullptr);
NUNATAK_EXPORT Manifest ReadManifest(ByteSpan bytes, const ManifestFile& file,
                                     ManifestCache* cache = nullptr);

/// The same with the table's own spec and the schema that resolves its sources, for manifests whose
/// header is missing or odd.
NUNATAK_EXPORT Manifest ReadManifest(ByteSpan bytes, const ManifestFile& file,
                                     const PartitionSpec& spec, const Type& partition_type,
                                     ManifestCache* cache = nullptr,
                                     const ManifestReadOptions& options = {});

/// The id of the schema that a manifest was written with, as its header has it; nullopt when that
/// names none.
NUNATAK_EXPORT std::optional<int32_t> ReadManifestSchemaId(ByteSpan bytes);

}  // namespace nunatak::iceberg
