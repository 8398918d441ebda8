// An image of a decoded manifest, as a cache directory may hold it: its checksums are made right
// first, so that what lies behind them is read. The first byte of the input chooses the partition
// type that the image must have. Whatever is accepted must hold together.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/disk_manifest.h"
#include "nunatak/iceberg/manifest_image.h"
#include "nunatak/table/schema.h"

namespace nunatak::iceberg {
namespace {

class MemoryImage final : public ImageBytes {
 public:
  explicit MemoryImage(const std::string& bytes) : bytes_(bytes) {}
  uint64_t size() const override { return bytes_.size(); }
  void Read(uint64_t offset, std::span<uint8_t> to) const override {
    if (offset > bytes_.size() || to.size() > bytes_.size() - offset) std::abort();
    std::copy_n(bytes_.begin() + static_cast<ptrdiff_t>(offset), to.size(), to.begin());
  }

 private:
  const std::string& bytes_;
};

Type PartitionType(uint8_t choice) {
  std::vector<Field> fields;
  const auto add = [&](Type type) {
    const auto id = static_cast<int32_t>(1000 + fields.size());
    fields.push_back({.id = id, .name = "p", .required = false, .type = std::move(type)});
  };
  if (choice & 1) add(TypeId::kString);
  if (choice & 2) add(TypeId::kDate);
  if (choice & 4) add(Type::Decimal(9, 2));
  if (choice & 8) add(TypeId::kUuid);
  if (choice & 16) add(TypeId::kDouble);
  return Type::Struct(std::move(fields));
}

/// Reads all that a batch offers.
void Use(const FileBatch& batch) {
  std::vector<uint32_t> all(batch.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<DataFile> files;
  batch.AppendFiles(all, /*column_metrics=*/true, &files);
  for (size_t i = 0; i < batch.size(); ++i) {
    if (files[i].file_path != batch.file_paths[i]) std::abort();
    if (files[i].record_count != batch.record_counts[i]) std::abort();
    if (batch.tuple_numbers[i] >= batch.tuple_count) std::abort();
    for (size_t field = 0; field < batch.tuples.size(); ++field) {
      const Value value = Value::Of(batch.tuples[field][batch.tuple_numbers[i]]);
      if (!(value == files[i].partition[field])) std::abort();
    }
    for (const MetricColumn* column : batch.metrics) {
      const std::string lower(AsText(column->lower_bounds[i]));
      const std::string upper(AsText(column->upper_bounds[i]));
      if (lower.size() + upper.size() > size_t{1} << 30 || column->value_counts[i] < -1) {
        std::abort();
      }
    }
    (void)batch.FileSequenceNumber(i);
    (void)batch.SnapshotId(i);
    (void)batch.IsAdded(i);
  }
}

void Read(uint8_t choice, const std::string& image) {
  const ExpectedManifest expected{
      .key = "key",
      .content = choice & 32 ? ManifestContent::kDeletes : ManifestContent::kData,
      .spec_id = 0,
      .partition_type = PartitionType(choice)};
  const FileRequest request{.metric_ids = {1, 2, 3}, .column_metrics = true};
  const auto open = [&image] { return std::make_unique<const MemoryImage>(image); };
  const auto manifest = std::make_shared<const DiskManifest>(open, expected, request);
  Use(*manifest->Batch(manifest, request));
}

}  // namespace
}  // namespace nunatak::iceberg

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::string image(reinterpret_cast<const char*>(data) + 1, size - 1);
  nunatak::iceberg::ResealImage(&image);
  try {
    nunatak::iceberg::Read(data[0], image);
  } catch (const nunatak::Error&) {
  }
  return 0;
}
