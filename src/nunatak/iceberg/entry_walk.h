#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "nunatak/base/bytes.h"
#include "nunatak/iceberg/entry_decoder.h"
#include "nunatak/iceberg/manifest.h"
#include "nunatak/iceberg/manifest_blocks.h"
#include "nunatak/iceberg/manifest_cache.h"
#include "nunatak/iceberg/manifest_reader.h"

namespace nunatak::iceberg {

/// An entry of a manifest as the file records it (`slots`) and as it is after inheritance (`head`).
struct WalkedEntry {
  int64_t index = 0;
  EntrySlots slots;
  EntryHead head;
};

/// Walks over all entries of a manifest, DELETED ones included, without an object for each: for
/// those who look at what is recorded rather than plan with it.
class EntryWalk {
 public:
  /// Parses the manifest's header. Throws what reading a manifest throws; `spec_key` stands for
  /// spec and type (`SpecKey`).
  EntryWalk(Buffer bytes, const ManifestFile& file, const PartitionSpec& spec,
            const Type& partition_type, std::string_view spec_key, ManifestCache& cache);

  const ManifestShape& shape() const { return *shape_; }
  const avro::Container& container() const { return blocks_.container(); }
  size_t file_size() const { return blocks_.file_size(); }

  /// Calls `visit` for each entry in order; its bytes stay valid as long as this object. Throws
  /// what is wrong with an entry, naming it.
  void ForEach(const std::function<void(const WalkedEntry&)>& visit);

 private:
  ManifestBlocks blocks_;
  std::shared_ptr<const ManifestShape> shape_;
  const ManifestFile& file_;
};

}  // namespace nunatak::iceberg
