#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nunatak/avro/codec.h"
#include "nunatak/avro/container.h"
#include "nunatak/base/bytes.h"

namespace nunatak::iceberg {

/// The blocks of a manifest, inflated one by one and kept.
class ManifestBlocks {
 public:
  explicit ManifestBlocks(Buffer file)
      : file_(std::move(file)), container_(file_.bytes), buffers_(container_.blocks().size()) {}

  const avro::Container& container() const { return container_; }
  size_t count() const { return buffers_.size(); }
  size_t file_size() const { return file_.size(); }

  /// Valid as long as this object. Several blocks may be inflated at once, each with a decompressor
  /// of its own.
  avro::Block Inflate(size_t i, avro::Decompressor& decompressor) {
    return container_.ReadBlock(container_.blocks()[i], decompressor, buffers_[i]);
  }

  /// The file, and what was inflated so far.
  int64_t memory_bytes() const {
    size_t bytes = file_.size();
    for (const avro::ByteBuffer& buffer : buffers_) bytes += buffer.capacity();
    return static_cast<int64_t>(bytes);
  }

 private:
  Buffer file_;
  avro::Container container_;
  std::vector<avro::ByteBuffer> buffers_;
};

}  // namespace nunatak::iceberg
