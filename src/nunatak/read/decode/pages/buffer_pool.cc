#include "nunatak/read/decode/pages/buffer_pool.h"

#include <arrow/buffer.h>
#include <arrow/memory_pool.h>

#include <algorithm>
#include <bit>

#include "nunatak/read/decode/arrow_error.h"

namespace nunatak {

namespace {

constexpr int64_t kSmallest = 4096;
/// What is kept at most for later.
constexpr int64_t kMaxFreeBytes = int64_t{6} << 20;

}  // namespace

class BufferPool::Pooled final : public arrow::MutableBuffer {
 public:
  Pooled(const Block& block, int64_t size, std::shared_ptr<BufferPool> pool)
      : arrow::MutableBuffer(block.data, size), block_(block), pool_(std::move(pool)) {
    capacity_ = block.capacity;
  }
  ~Pooled() override { pool_->GiveBack(block_); }

 private:
  Block block_;
  std::shared_ptr<BufferPool> pool_;
};

BufferPool::~BufferPool() {
  for (const Block& block : free_) arrow::default_memory_pool()->Free(block.data, block.capacity);
}

int64_t BufferPool::CapacityFor(int64_t size) {
  return static_cast<int64_t>(
      std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(size, kSmallest))));
}

std::shared_ptr<arrow::Buffer> BufferPool::Allocate(int64_t size) {
  const Block block = Take(CapacityFor(size));
  return std::make_shared<Pooled>(block, size, shared_from_this());
}

BufferPool::Block BufferPool::Take(int64_t capacity) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(free_.rbegin(), free_.rend(),
                                    [&](const Block& block) { return block.capacity == capacity; });
    if (found != free_.rend()) {
      const Block block = *found;
      free_.erase(std::next(found).base());
      free_bytes_ -= capacity;
      return block;
    }
  }
  Block block{.capacity = capacity};
  CheckOk(arrow::default_memory_pool()->Allocate(capacity, &block.data));
  return block;
}

void BufferPool::GiveBack(const Block& block) {
  {
    const std::lock_guard lock(mutex_);
    if (free_bytes_ + block.capacity <= kMaxFreeBytes) {
      free_.push_back(block);
      free_bytes_ += block.capacity;
      return;
    }
  }
  arrow::default_memory_pool()->Free(block.data, block.capacity);
}

}  // namespace nunatak
