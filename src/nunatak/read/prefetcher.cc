#include "nunatak/read/prefetcher.h"

#include <stop_token>
#include <system_error>
#include <utility>

namespace nunatak {

Prefetcher::~Prefetcher() {
  for (std::jthread& thread : threads_) thread.request_stop();
}

void Prefetcher::Add(std::shared_ptr<TaskStream> stream) {
  if (threads_.size() < wanted_threads_) {
    try {
      threads_.emplace_back([this](const std::stop_token& stop) { Run(stop); });
    } catch (const std::system_error&) {
      wanted_threads_ = threads_.size();
    }
  }
  if (threads_.empty()) return stream->Start();
  {
    std::lock_guard lock(mutex_);
    streams_.push_back(std::move(stream));
  }
  changed_.notify_one();
}

void Prefetcher::Run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return !streams_.empty(); }) &&
         !stop.stop_requested()) {
    const std::shared_ptr<TaskStream> stream = std::move(streams_.front());
    streams_.pop_front();
    lock.unlock();
    stream->Prefetch();
    stream->Start();
    lock.lock();
  }
}

}  // namespace nunatak
