#pragma once

#include <memory>
#include <optional>

#include "nunatak/avro/container.h"
#include "nunatak/avro/schema.h"
#include "nunatak/iceberg/entry_decoder.h"

namespace nunatak::iceberg {

/// What a manifest's header says of itself; absent or odd entries stay unset, since a scan needs
/// only the table's metadata.
struct ManifestHeader {
  std::optional<int32_t> format_version;
  std::optional<int32_t> partition_spec_id;
  std::optional<int32_t> schema_id;
  std::optional<ManifestContent> content;
};

ManifestHeader ReadManifestHeader(const avro::Container& container);

/// Compiles the schema of a manifest. Throws when the manifest cannot be read under the spec: a
/// partition field that its tuples lack, a format version that nobody here knows.
ManifestShape MakeManifestShape(std::shared_ptr<const avro::Schema> schema, ManifestHeader header,
                                const PartitionSpec& spec, const Type& partition_type);

/// Throws when a manifest that is shorter than its list records also holds fewer entries than the
/// list counts: a file that was cut between two blocks is otherwise a whole one. (Either alone is
/// only a writer's mistake.)
void CheckNotCut(const ManifestFile& file, size_t bytes, int64_t entries);

/// Refuses an encrypted manifest by name.
void RefuseEncrypted(const ManifestFile& file);

}  // namespace nunatak::iceberg
