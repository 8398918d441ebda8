#include "nunatak/base/ordered_pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"

namespace nunatak {
namespace {

/// Items per worker between the last one taken and the last one begun, so that workers seldom wait
/// for the slowest of them.
constexpr size_t kItemsPerWorker = 8;
/// The same per request in flight, so that fetching goes on while the results are taken.
constexpr size_t kItemsPerRequest = 2;

size_t WindowOf(const Context& context, const PipelineWork& work) {
  size_t window = kItemsPerWorker * (static_cast<size_t>(context.workers()) + 1);
  if (work.fetch) {
    window = std::max(window, kItemsPerRequest * static_cast<size_t>(context.io_concurrency));
  }
  return window;
}

}  // namespace

/// Kept alive by closures that the executor starts after the end, which then do nothing.
class OrderedPipeline::State : public std::enable_shared_from_this<State> {
 public:
  State(const Context& context, PipelineWork work)
      : stop_(context.stop),
        workers_(context.executor ? static_cast<size_t>(context.workers()) : 0),
        max_threads_(static_cast<size_t>(std::max(context.io_concurrency, 1))),
        budget_(context.memory_budget),
        executor_(context.executor.get()),
        window_(WindowOf(context, work)),
        work_(std::move(work)),
        items_(work_.count) {}

  void Start() {
    std::unique_lock lock(mutex_);
    Hire(lock);
  }

  std::optional<size_t> Next() {
    std::unique_lock lock(mutex_);
    if (taken_ == work_.count || failed_) return std::nullopt;
    while (items_[taken_].stage != Stage::kDone) {
      if (const std::optional<size_t> item = Claim()) {
        Compute(*item, lock);
      } else {
        done_.wait(lock);
      }
    }
    return Take(lock);
  }

  /// Ends the work; returns when nothing is running.
  void Close() {
    std::unique_lock lock(mutex_);
    closing_ = true;
    may_begin_.notify_all();
    done_.wait(lock, [this] { return running_ == 0; });
    std::vector<std::thread> threads = std::move(threads_);
    lock.unlock();
    for (std::thread& thread : threads) thread.join();
  }

  int64_t peak_bytes() {
    std::lock_guard lock(mutex_);
    return peak_bytes_;
  }

 private:
  enum class Stage : uint8_t { kWaiting, kFetching, kFetched, kComputing, kDone };
  struct Item {
    Stage stage = Stage::kWaiting;
    std::exception_ptr error;
  };

  int64_t BytesOf(size_t item) const { return work_.bytes ? work_.bytes(item) : 0; }

  /// Whether the next item may begin. The one that is waited for always may.
  bool MayBegin() const {
    if (closing_ || begun_ == work_.count) return false;
    if (begun_ == taken_) return true;
    return begun_ - taken_ < window_ && bytes_ + BytesOf(begun_) <= budget_;
  }

  size_t Begin() {
    bytes_ += BytesOf(begun_);
    peak_bytes_ = std::max(peak_bytes_, bytes_);
    return begun_++;
  }

  /// An item to compute, the first one first: fetched, or not begun when there is nothing to fetch.
  std::optional<size_t> Claim() {
    if (closing_) return std::nullopt;
    if (!work_.fetch) {
      if (!MayBegin()) return std::nullopt;
      const size_t item = Begin();
      items_[item].stage = Stage::kComputing;
      return item;
    }
    first_fetched_ = std::max(first_fetched_, taken_);
    while (first_fetched_ < begun_ && items_[first_fetched_].stage > Stage::kFetched) {
      ++first_fetched_;
    }
    for (size_t item = first_fetched_; fetched_ > 0 && item < begun_; ++item) {
      if (items_[item].stage != Stage::kFetched) continue;
      --fetched_;
      items_[item].stage = Stage::kComputing;
      return item;
    }
    return std::nullopt;
  }

  /// Runs a stage of an item without the lock.
  void Run(const std::function<void(size_t)>& stage, size_t item,
           std::unique_lock<std::mutex>& lock) {
    if (items_[item].error) return;
    ++running_;
    lock.unlock();
    std::exception_ptr error;
    try {
      Context{.stop = stop_}.CheckStop();
      stage(item);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    --running_;
    if (error) items_[item].error = std::move(error);
  }

  void Compute(size_t item, std::unique_lock<std::mutex>& lock) {
    Run(work_.compute, item, lock);
    items_[item].stage = Stage::kDone;
    Notify(item);
  }

  /// Wakes the caller when there is something to take, or to do for one who has no workers.
  void Notify(size_t item) {
    if (item == taken_ || closing_ || workers_ == 0) done_.notify_one();
  }

  size_t Take(std::unique_lock<std::mutex>& lock) {
    if (const std::exception_ptr error = std::move(items_[taken_].error)) {
      failed_ = true;
      closing_ = true;
      may_begin_.notify_all();
      std::rethrow_exception(error);
    }
    bytes_ -= BytesOf(taken_);
    const size_t item = taken_++;
    Hire(lock);
    return item;
  }

  /// Gives work that may begin to those who do nothing.
  void Hire(std::unique_lock<std::mutex>& lock) {
    if (work_.fetch) {
      while (MayBegin() && idle_threads_ == 0 && threads_.size() < max_threads_ &&
             threads_.size() < work_.count) {
        // Each new thread begins one item before the next is looked at.
        if (!AddThread()) break;
        items_[Begin()].stage = Stage::kFetching;
      }
      if (idle_threads_ > 0 && MayBegin()) may_begin_.notify_one();
    } else {
      HireWorkers(lock, MayBegin() ? work_.count - begun_ : 0);
    }
  }

  /// A thread for the item that begins next. Where the system gives no more of them, those that are
  /// there do; false then.
  bool AddThread() {
    try {
      threads_.emplace_back([this, item = begun_] { FetchFrom(item); });
      return true;
    } catch (const std::system_error& error) {
      if (threads_.empty()) {
        throw Error(ErrorCode::kIo, fmt::format("cannot start a thread: {}", error.what()),
                    "the process or the machine has too many threads");
      }
      max_threads_ = threads_.size();
      return false;
    }
  }

  void HireWorkers(std::unique_lock<std::mutex>& lock, size_t items) {
    size_t hired = 0;
    for (; hired < items && active_workers_ < workers_; ++hired) ++active_workers_;
    if (hired == 0) return;
    lock.unlock();
    for (; hired > 0; --hired) executor_->Submit([self = shared_from_this()] { self->Work(); });
    lock.lock();
  }

  void Work() {
    std::unique_lock lock(mutex_);
    while (const std::optional<size_t> item = Claim()) Compute(*item, lock);
    --active_workers_;
  }

  /// The life of a thread that fetches; it is joined before the state goes.
  void FetchFrom(size_t item) {
    std::unique_lock lock(mutex_);
    for (;;) {
      Run(work_.fetch, item, lock);
      items_[item].stage = Stage::kFetched;
      ++fetched_;
      Notify(item);
      HireWorkers(lock, 1);
      ++idle_threads_;
      may_begin_.wait(lock, [this] { return closing_ || MayBegin() || begun_ == work_.count; });
      --idle_threads_;
      if (!MayBegin()) return;
      item = Begin();
      items_[item].stage = Stage::kFetching;
      if (idle_threads_ > 0 && (MayBegin() || begun_ == work_.count)) may_begin_.notify_one();
    }
  }

  const std::stop_token stop_;
  const size_t workers_;
  size_t max_threads_;
  const int64_t budget_;
  /// Valid until `Close` has returned: not owned, since a closure that is the last to own a pool
  /// would have the pool join itself.
  Executor* const executor_;
  const size_t window_;
  const PipelineWork work_;

  std::mutex mutex_;
  /// For the caller: an item was done, or something stopped running.
  std::condition_variable done_;
  /// For idle threads: an item may begin, or the end has come.
  std::condition_variable may_begin_;
  std::vector<Item> items_;
  size_t begun_ = 0;
  size_t taken_ = 0;
  size_t fetched_ = 0;
  size_t first_fetched_ = 0;
  int64_t bytes_ = 0;
  int64_t peak_bytes_ = 0;
  size_t running_ = 0;
  size_t active_workers_ = 0;
  size_t idle_threads_ = 0;
  std::vector<std::thread> threads_;
  bool failed_ = false;
  bool closing_ = false;
};

OrderedPipeline::OrderedPipeline(const Context& context, PipelineWork work)
    : state_(std::make_shared<State>(context, std::move(work))) {
  state_->Start();
}

OrderedPipeline::~OrderedPipeline() { state_->Close(); }

std::optional<size_t> OrderedPipeline::Next() { return state_->Next(); }

int64_t OrderedPipeline::peak_bytes() const { return state_->peak_bytes(); }

}  // namespace nunatak
