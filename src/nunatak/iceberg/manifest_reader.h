#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nunatak/avro/container.h"
#include "nunatak/iceberg/entry_decoder.h"

namespace nunatak::iceberg {

/// What a manifest's header says of itself; absent or odd entries stay unset, since a scan needs
/// only the table's metadata.
struct ManifestHeader {
  std::optional<int32_t> format_version;
  std::optional<int32_t> partition_spec_id;
  std::optional<ManifestContent> content;
};

ManifestHeader ReadManifestHeader(const avro::Container& container);

/// Compiles the schema of a manifest for the wanted columns. Throws when the manifest cannot be
/// read under the spec: a partition field that its tuples lack, a format version that nobody here
/// knows.
ManifestShape MakeManifestShape(const avro::Container& container, const PartitionSpec& spec,
                                const Type& partition_type, EntryColumns columns);

/// The blocks of a manifest, inflated; they and the file's bytes stay alive with it.
class InflatedManifest {
 public:
  explicit InflatedManifest(Buffer file);

  const avro::Container& container() const { return container_; }
  const std::vector<avro::Block>& blocks() const { return blocks_; }
  /// Bytes of the file.
  size_t size() const { return file_.size(); }

 private:
  Buffer file_;
  avro::Container container_;
  std::vector<avro::ByteBuffer> buffers_;
  std::vector<avro::Block> blocks_;
};

/// Throws when a manifest that is shorter than its list records also holds fewer entries than the
/// list counts: a file that was cut between two blocks is otherwise a whole one. (Either alone is
/// only a writer's mistake.)
void CheckNotCut(const ManifestFile& file, size_t bytes, int64_t entries);

/// Refuses an encrypted manifest by name.
void RefuseEncrypted(const ManifestFile& file);

}  // namespace nunatak::iceberg
