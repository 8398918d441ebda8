#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>

#include "nunatak/base/export.h"

namespace nunatak {

/// Runs closures for the library. An embedder may bring its own; thread-safe.
class NUNATAK_EXPORT Executor {
 public:
  virtual ~Executor() = default;
  /// How many closures can run at once, at least 1.
  virtual int workers() const = 0;
  /// Runs `work` at some time, on some thread. `work` does not throw.
  virtual void Submit(std::function<void()> work) = 0;
};

/// A fixed number of threads; the destructor finishes what was submitted.
NUNATAK_EXPORT std::shared_ptr<Executor> MakeThreadPool(int workers);

/// How an embedder stays in charge of a scan: passed to everything that computes or waits. There is
/// no global pool and no other global state. Cheap to copy; a copy refers to the same executor.
struct NUNATAK_EXPORT Context {
  /// Where CPU work runs; null means the calling thread.
  std::shared_ptr<Executor> executor = nullptr;
  /// Requests to storage in flight at once; not bound to the number of workers.
  int io_concurrency = 64;
  /// Bytes that a scan may hold in fetched and decoded data, approximately.
  int64_t memory_budget = int64_t{512} << 20;
  /// Work ends with `ErrorCode::kCancelled` soon after this token is triggered.
  std::stop_token stop = {};

  int workers() const { return executor ? executor->workers() : 1; }
  /// Throws `ErrorCode::kCancelled` when the stop token was triggered.
  void CheckStop() const;
};

/// Calls `body(i)` for each i in [0, count) on the context's workers and the calling thread, and
/// returns when all are done. If calls throw, the error of the lowest index is rethrown and indices
/// not yet started are skipped.
NUNATAK_EXPORT void ParallelFor(const Context& context, int64_t count,
                                const std::function<void(int64_t)>& body);

}  // namespace nunatak
