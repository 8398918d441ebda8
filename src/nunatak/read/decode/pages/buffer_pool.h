#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "nunatak/base/export.h"

namespace nunatak {

/// Memory for arrays that come and go batch by batch: what is given back is used again, so that the
/// operating system need not clear it each time. Thread-safe; buffers keep it alive.
class NUNATAK_EXPORT BufferPool : public std::enable_shared_from_this<BufferPool> {
 public:
  static std::shared_ptr<BufferPool> Make() { return std::make_shared<BufferPool>(); }
  BufferPool() = default;
  ~BufferPool();
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  /// A buffer of `size` bytes, of any content, with room for `CapacityFor(size)`.
  std::shared_ptr<arrow::Buffer> Allocate(int64_t size);
  static int64_t CapacityFor(int64_t size);

 private:
  class Pooled;
  struct Block {
    uint8_t* data = nullptr;
    int64_t capacity = 0;
  };

  Block Take(int64_t capacity);
  void GiveBack(const Block& block);

  std::mutex mutex_;
  std::vector<Block> free_;
  int64_t free_bytes_ = 0;
};

}  // namespace nunatak
