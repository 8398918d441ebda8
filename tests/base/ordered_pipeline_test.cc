#include "nunatak/base/ordered_pipeline.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

#include "nunatak/base/error.h"

namespace nunatak {
namespace {

std::vector<size_t> TakeAll(OrderedPipeline& pipeline) {
  std::vector<size_t> taken;
  while (const std::optional<size_t> item = pipeline.Next()) taken.push_back(*item);
  return taken;
}

std::vector<size_t> Numbers(size_t count) {
  std::vector<size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

void Pause(size_t item) {
  std::this_thread::sleep_for(std::chrono::microseconds((item * 7919) % 97));
}

/// With and without workers, with and without a stage that waits.
struct Setup {
  int workers = 0;
  bool fetches = false;
};

class EveryOrderedPipeline : public testing::TestWithParam<Setup> {
 protected:
  EveryOrderedPipeline() {
    context_.io_concurrency = 5;
    if (GetParam().workers > 0) context_.executor = MakeThreadPool(GetParam().workers);
  }

  PipelineWork Work(size_t count, std::function<void(size_t)> compute) const {
    PipelineWork work{.count = count, .compute = std::move(compute)};
    if (GetParam().fetches) work.fetch = Pause;
    return work;
  }

  Context context_;
};

INSTANTIATE_TEST_SUITE_P(Setups, EveryOrderedPipeline,
                         testing::Values(Setup{0, false}, Setup{0, true}, Setup{1, false},
                                         Setup{1, true}, Setup{4, false}, Setup{4, true}));

TEST_P(EveryOrderedPipeline, GivesEachItemOnceAndInOrder) {
  for (size_t count : {0u, 1u, 7u, 500u}) {
    std::vector<std::atomic<int>> computed(count);
    OrderedPipeline pipeline(context_, Work(count, [&](size_t item) {
                               Pause(item);
                               ++computed[item];
                             }));
    size_t expected = 0;
    while (const std::optional<size_t> item = pipeline.Next()) {
      EXPECT_EQ(*item, expected++);
      EXPECT_EQ(computed[*item], 1);
    }
    EXPECT_EQ(expected, count);
  }
}

TEST_P(EveryOrderedPipeline, AnErrorComesInItsPlaceAndEndsTheWork) {
  std::atomic<size_t> last{0};
  OrderedPipeline pipeline(context_, Work(100000, [&](size_t item) {
                             last = std::max<size_t>(last, item);
                             if (item == 10 || item == 12) {
                               throw Error(ErrorCode::kIo, "item " + std::to_string(item));
                             }
                           }));
  for (size_t item = 0; item < 10; ++item) EXPECT_EQ(pipeline.Next(), item);
  try {
    pipeline.Next();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "item 10");
  }
  EXPECT_EQ(pipeline.Next(), std::nullopt);
  EXPECT_LT(last, 1000u);
}

TEST_P(EveryOrderedPipeline, ClosingEarlyStopsTheWork) {
  std::atomic<size_t> computed{0};
  {
    OrderedPipeline pipeline(context_, Work(100000, [&](size_t item) {
                               Pause(item);
                               ++computed;
                             }));
    EXPECT_EQ(pipeline.Next(), 0u);
  }
  const size_t at_end = computed;
  EXPECT_LT(at_end, 1000u);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(computed, at_end);
}

TEST_P(EveryOrderedPipeline, HoldsNoMoreThanTheBudget) {
  context_.memory_budget = 25;
  std::mutex mutex;
  int64_t held = 0;
  int64_t most = 0;
  PipelineWork work = Work(60, [&](size_t) {
    std::lock_guard lock(mutex);
    held += 10;
    most = std::max(most, held);
  });
  work.bytes = [](size_t) { return int64_t{10}; };
  OrderedPipeline pipeline(context_, std::move(work));
  while (pipeline.Next()) {
    std::lock_guard lock(mutex);
    held -= 10;
  }
  // One more than the budget: the item that was taken last is given back while the next is made.
  EXPECT_LE(most, 30);
  EXPECT_LE(pipeline.peak_bytes(), 25);
}

TEST_P(EveryOrderedPipeline, AnItemBeyondTheBudgetIsMadeAlone) {
  context_.memory_budget = 25;
  PipelineWork work = Work(20, [](size_t) {});
  work.bytes = [](size_t) { return int64_t{1000}; };
  OrderedPipeline pipeline(context_, std::move(work));
  EXPECT_EQ(TakeAll(pipeline), Numbers(20));
  EXPECT_EQ(pipeline.peak_bytes(), 1000);
}

TEST_P(EveryOrderedPipeline, AStopRequestCancels) {
  std::stop_source stop;
  context_.stop = stop.get_token();
  OrderedPipeline pipeline(context_, Work(100000, [&](size_t item) {
                             if (item == 20) stop.request_stop();
                           }));
  try {
    TakeAll(pipeline);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
  }
}

TEST(OrderedPipeline, FetchesManyItemsAtOnceWhateverTheWorkers) {
  Context context;
  context.io_concurrency = 16;
  std::mutex mutex;
  std::condition_variable all_in_flight;
  size_t in_flight = 0;
  PipelineWork work{.count = 64, .compute = [](size_t) {}};
  work.fetch = [&](size_t item) {
    if (item >= 16) return;
    // Each of the first 16 returns only once all of them are being fetched.
    std::unique_lock lock(mutex);
    if (++in_flight == 16) all_in_flight.notify_all();
    all_in_flight.wait(lock, [&] { return in_flight == 16; });
  };
  OrderedPipeline pipeline(context, std::move(work));
  EXPECT_EQ(TakeAll(pipeline), Numbers(64));
}

TEST(OrderedPipeline, AFailedFetchIsNotComputed) {
  PipelineWork work{.count = 3, .compute = [](size_t item) { EXPECT_NE(item, 1u); }};
  work.fetch = [](size_t item) {
    if (item == 1) throw Error(ErrorCode::kIo, "no route");
  };
  OrderedPipeline pipeline(Context{}, std::move(work));
  EXPECT_EQ(pipeline.Next(), 0u);
  EXPECT_THROW(pipeline.Next(), Error);
}

}  // namespace
}  // namespace nunatak
