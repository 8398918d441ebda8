#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"

namespace nunatak {

/// The work of an `OrderedPipeline`: items 0 … count − 1, each of which is fetched and then
/// computed.
struct PipelineWork {
  size_t count = 0;
  /// Waits for something, such as a network, and computes next to nothing. It runs on threads of
  /// its own, up to `Context::io_concurrency` of them; null when nothing waits.
  std::function<void(size_t)> fetch = nullptr;
  /// Runs on the executor's workers and on the thread that waits in `Next`.
  std::function<void(size_t)> compute;
  /// About how many bytes an item holds from its start until it was taken; may be null.
  std::function<int64_t(size_t)> bytes = nullptr;
};

/// Works ahead of its caller, who takes the results in order: an item is begun while no more than
/// `Context::memory_budget` bytes and a window of items lie between it and the last one taken.
/// Destroying it early stops the work and waits for what is running. To be used by one thread.
class NUNATAK_EXPORT OrderedPipeline {
 public:
  OrderedPipeline(const Context& context, PipelineWork work);
  ~OrderedPipeline();
  OrderedPipeline(const OrderedPipeline&) = delete;
  OrderedPipeline& operator=(const OrderedPipeline&) = delete;

  /// The next item, computed; nullopt after the last one. Throws what its `fetch` or `compute`
  /// threw, and `ErrorCode::kCancelled` when the context was stopped; nothing comes after that.
  std::optional<size_t> Next();

  /// The most bytes that items between begun and taken held at once.
  int64_t peak_bytes() const;

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace nunatak
