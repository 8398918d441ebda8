#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "nunatak/read/task_stream.h"

namespace nunatak {

/// Threads that wait for storage in the place of those that decode: they open the files of streams
/// and fetch their first bytes, in the order in which the streams were added.
class Prefetcher {
 public:
  explicit Prefetcher(size_t threads) : wanted_threads_(threads) {}
  /// Waits for requests that are running, and makes none of the others.
  ~Prefetcher();

  /// Where the system gives no thread, the stream does it all itself.
  void Add(std::shared_ptr<TaskStream> stream);

 private:
  void Run(const std::stop_token& stop);

  size_t wanted_threads_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::shared_ptr<TaskStream>> streams_;
  /// Last: they use the others.
  std::vector<std::jthread> threads_;
};

}  // namespace nunatak
