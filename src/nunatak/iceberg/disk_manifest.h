#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/iceberg/manifest.h"
#include "nunatak/iceberg/manifest_cache.h"
#include "nunatak/iceberg/manifest_image.h"
#include "nunatak/iceberg/packed_column.h"
#include "nunatak/plan/file_batch.h"
#include "nunatak/table/type.h"

namespace nunatak::iceberg {

/// What an image must be of.
struct ExpectedManifest {
  /// Must be the image's key, byte for byte.
  std::string key;
  ManifestContent content = ManifestContent::kData;
  int32_t spec_id = 0;
  /// Of the spec.
  Type partition_type;
};

/// A decoded manifest that is read from its image, as far as it is asked for. What is read is
/// verified, and then kept: the image may go away at any time. Thread-safe.
class NUNATAK_EXPORT DiskManifest final : public DecodedManifest {
 public:
  /// Opens the image; null when it cannot be had.
  using OpenImage = std::function<std::unique_ptr<const ImageBytes>()>;

  /// Reads what `request` needs. Throws `ErrorCode::kInvalid` when the image is damaged or another
  /// than expected, and `kIo` when it cannot be read. Allocates at most 128 bytes for each byte of
  /// the image and each requested field.
  DiskManifest(OpenImage open, const ExpectedManifest& expected, const FileRequest& request);

  size_t size() const { return contents_.size(); }
  PartitionValues PartitionOf(uint32_t tuple) const;
  void AppendFiles(std::span<const uint32_t> positions, bool column_metrics,
                   std::vector<DataFile>* files) const;

  /// Null when the request needs what was not read yet, and the image is gone or damaged.
  std::shared_ptr<const FileBatch> Batch(std::shared_ptr<const DecodedManifest> self,
                                         const FileRequest& request) const override;
  /// Of the whole image, read or not.
  int64_t memory_bytes() const override { return memory_bytes_; }

 private:
  friend class DiskBatch;

  /// The metrics of one field, where they lie in their section.
  struct FieldMetrics {
    SectionBytes section;
    PackedIntegers column_sizes, value_counts, null_value_counts, nan_value_counts;
    PackedTexts lower_bounds, upper_bounds;

    void AppendTo(DataFile* file, int32_t field_id, size_t i) const;
  };

  void ReadBase(ByteSpan bytes, const ExpectedManifest& expected);
  void ReadTuples(const Type& partition_type, TaskBytesReader* in);
  void ReadPaths(ByteSpan bytes);
  void ReadRest(ByteSpan bytes);
  FieldMetrics ReadMetrics(SectionBytes section) const;
  MetricColumn SweepColumn(int32_t field_id) const;

  /// Fields with metrics that a request needs and that were not read. Call with the lock held.
  std::vector<int32_t> MissingMetrics(const FileRequest& request) const;
  void LoadMetrics(const ImageBytes& image, const FileRequest& request) const;
  /// Opens the image again; false when that is in vain.
  bool LoadLater(const FileRequest& request) const;
  std::vector<const MetricColumn*> Columns(std::span<const int32_t> field_ids) const;

  OpenImage open_;
  ImageHeader header_;
  SectionBytes body_;

  std::vector<FileContent> contents_;
  std::vector<std::string_view> file_paths_;
  std::vector<int64_t> record_counts_, file_sizes_, sequence_numbers_;
  std::vector<uint32_t> tuple_numbers_;
  size_t tuple_count_ = 0;
  std::vector<std::vector<ValueView>> tuples_;

  PackedIntegers formats_, metric_maps_, added_;
  OptionalIntegers file_sequence_numbers_, snapshot_ids_, first_row_ids_, sort_order_ids_,
      content_offsets_, content_sizes_;
  PackedTexts key_metadata_, referenced_data_files_;
  PackedLists split_offsets_, equality_ids_;
  int64_t memory_bytes_ = 0;

  mutable std::mutex mutex_;
  /// By field id, those that were read.
  mutable std::map<int32_t, FieldMetrics> metrics_;
  mutable std::map<int32_t, MetricColumn> columns_;
};

}  // namespace nunatak::iceberg
