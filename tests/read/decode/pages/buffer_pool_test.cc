#include "nunatak/read/decode/pages/buffer_pool.h"

#include <arrow/buffer.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace nunatak {
namespace {

TEST(BufferPool, UsesAgainWhatWasGivenBack) {
  const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  std::shared_ptr<arrow::Buffer> buffer = pool->Allocate(10'000);
  EXPECT_EQ(buffer->size(), 10'000);
  EXPECT_EQ(buffer->capacity(), BufferPool::CapacityFor(10'000));
  const uint8_t* const data = buffer->data();
  const std::shared_ptr<arrow::Buffer> other = pool->Allocate(10'000);
  EXPECT_NE(other->data(), data);
  buffer.reset();
  // One of another capacity is another block.
  EXPECT_NE(pool->Allocate(100'000)->data(), data);
  buffer = pool->Allocate(9'000);
  EXPECT_EQ(buffer->data(), data);
  EXPECT_EQ(buffer->size(), 9'000);
}

TEST(BufferPool, BuffersOutliveTheirPool) {
  std::shared_ptr<arrow::Buffer> buffer = BufferPool::Make()->Allocate(100);
  std::memset(buffer->mutable_data(), 7, 100);
  EXPECT_EQ(buffer->data()[99], 7);
}

TEST(BufferPool, KeepsNoMoreThanItsShare) {
  const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  constexpr int64_t kSize = int64_t{2} << 20;
  const int64_t before = arrow::default_memory_pool()->bytes_allocated();
  {
    std::vector<std::shared_ptr<arrow::Buffer>> buffers;
    for (int i = 0; i < 5; ++i) buffers.push_back(pool->Allocate(kSize));
    EXPECT_EQ(arrow::default_memory_pool()->bytes_allocated() - before, 5 * kSize);
  }
  EXPECT_EQ(arrow::default_memory_pool()->bytes_allocated() - before, 3 * kSize);
}

}  // namespace
}  // namespace nunatak
