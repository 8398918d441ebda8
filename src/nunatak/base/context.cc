#include "nunatak/base/context.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"

namespace nunatak {

namespace {

class ThreadPool final : public Executor {
 public:
  explicit ThreadPool(int workers) {
    for (int i = 0; i < std::max(workers, 1); ++i) threads_.emplace_back([this] { Run(); });
  }

  ~ThreadPool() override {
    {
      std::lock_guard lock(mutex_);
      closing_ = true;
    }
    ready_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  int workers() const override { return static_cast<int>(threads_.size()); }

  void Submit(std::function<void()> work) override {
    {
      std::lock_guard lock(mutex_);
      queue_.push_back(std::move(work));
    }
    ready_.notify_one();
  }

 private:
  void Run() {
    for (;;) {
      std::function<void()> work;
      {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [this] { return closing_ || !queue_.empty(); });
        if (queue_.empty()) return;
        work = std::move(queue_.front());
        queue_.pop_front();
      }
      work();
    }
  }

  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<std::function<void()>> queue_;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

/// What the threads of one `ParallelFor` share; kept alive by helpers that start after the end. It
/// must not own the executor: a helper that is its last owner would have a pool join itself.
struct ParallelLoop {
  ParallelLoop(std::stop_token s, int64_t n, const std::function<void(int64_t)>& b)
      : context{.stop = std::move(s)}, count(n), body(b) {}

  const Context context;
  const int64_t count;
  /// Valid while an index below `count` can still be claimed, that is until the caller returns.
  const std::function<void(int64_t)>& body;
  std::atomic<int64_t> next{0};
  std::mutex mutex;
  std::condition_variable finished;
  int64_t done = 0;
  int64_t failed_index = std::numeric_limits<int64_t>::max();
  std::exception_ptr error;

  void Work() {
    for (;;) {
      const int64_t i = next.fetch_add(1);
      if (i >= count) return;
      std::exception_ptr thrown;
      bool skip;
      {
        std::lock_guard lock(mutex);
        skip = i > failed_index;
      }
      if (!skip) {
        try {
          context.CheckStop();
          body(i);
        } catch (...) {
          thrown = std::current_exception();
        }
      }
      std::lock_guard lock(mutex);
      if (thrown && i < failed_index) {
        failed_index = i;
        error = std::move(thrown);
      }
      if (++done == count) finished.notify_all();
    }
  }
};

}  // namespace

std::shared_ptr<Executor> MakeThreadPool(int workers) {
  return std::make_shared<ThreadPool>(workers);
}

void Context::CheckStop() const {
  if (stop.stop_requested()) throw Error(ErrorCode::kCancelled, "cancelled");
}

void ParallelFor(const Context& context, int64_t count, const std::function<void(int64_t)>& body) {
  if (count <= 0) return;
  auto loop = std::make_shared<ParallelLoop>(context.stop, count, body);
  const int64_t extra = context.executor ? std::min<int64_t>(context.workers(), count - 1) : 0;
  for (int64_t i = 0; i < extra; ++i) context.executor->Submit([loop] { loop->Work(); });
  loop->Work();
  std::unique_lock lock(loop->mutex);
  loop->finished.wait(lock, [&] { return loop->done == loop->count; });
  // Nobody else keeps the error: a helper that ends late would release it in its own thread, at any
  // time after the caller has caught it.
  if (loop->error) std::rethrow_exception(std::exchange(loop->error, nullptr));
}

}  // namespace nunatak
