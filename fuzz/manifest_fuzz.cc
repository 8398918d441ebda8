// A manifest: read whole as an entry list, and as a batch of columns whose files are then decoded
// one by one; the live entries of the two must be the same. The first byte of the input chooses
// what the manifest list says of it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/manifest.h"
#include "nunatak/iceberg/manifest_cache.h"
#include "nunatak/iceberg/manifest_columns.h"

namespace nunatak::iceberg {
namespace {

ManifestFile ListEntry(uint8_t choice) {
  ManifestFile file;
  file.manifest_path = "m.avro";
  file.content = choice & 1 ? ManifestContent::kDeletes : ManifestContent::kData;
  file.sequence_number = choice & 2 ? 7 : 0;
  file.added_snapshot_id = 900;
  if (choice & 4) file.first_row_id = 1000;
  return file;
}

/// Fields that seeds and mutants of them are likely to have.
PartitionSpec Spec(uint8_t choice) {
  PartitionSpec spec;
  if (choice & 8) spec.fields.push_back({{2}, 1000, "p", TransformId::kIdentity});
  if (choice & 16) spec.fields.push_back({{1}, 1001, "q", TransformId::kDay});
  return spec;
}

Schema TableSchema() {
  return Schema(0, {Field{.id = 1, .name = "ts", .required = false, .type = TypeId::kTimestamp},
                    Field{.id = 2, .name = "s", .required = false, .type = TypeId::kString}});
}

void CheckBatch(const Manifest& manifest, const FileBatch& batch) {
  const std::vector<ManifestEntry> live = manifest.live_entries();
  if (batch.size() != live.size()) std::abort();
  std::vector<uint32_t> all(live.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<DataFile> files;
  batch.AppendFiles(all, /*column_metrics=*/true, &files);
  for (size_t i = 0; i < live.size(); ++i) {
    if (!(files[i] == live[i].data_file)) std::abort();
    if (batch.data_sequence_numbers[i] != live[i].sequence_number) std::abort();
  }
}

void Read(uint8_t choice, ByteSpan bytes) {
  const ManifestFile file = ListEntry(choice);
  const PartitionSpec spec = Spec(choice);
  const Type type = spec.PartitionType(TableSchema());
  const Manifest manifest = ReadManifest(bytes, file, spec, type);
  ManifestCache cache;
  const auto columns =
      ReadManifestColumns(Context(), Buffer{bytes, nullptr}, file, spec, type, "", cache);
  CheckBatch(manifest, *columns->Batch(columns, {.metric_ids = {1, 2}}));
}

}  // namespace
}  // namespace nunatak::iceberg

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const nunatak::ByteSpan bytes(data + 1, size - 1);
  try {
    nunatak::iceberg::Read(data[0], bytes);
  } catch (const nunatak::Error&) {
  }
  try {
    nunatak::iceberg::ReadManifest(bytes, nunatak::iceberg::ListEntry(data[0]));
  } catch (const nunatak::Error&) {
  }
  return 0;
}
