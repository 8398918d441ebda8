#include "nunatak/base/context.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"

namespace nunatak {
namespace {

TEST(Context, WithoutExecutorIsTheCallingThread) {
  const Context context;
  EXPECT_EQ(context.workers(), 1);
  std::set<std::thread::id> threads;
  ParallelFor(context, 10, [&](int64_t) { threads.insert(std::this_thread::get_id()); });
  EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
}

TEST(Context, WorkersAreTheExecutors) {
  EXPECT_EQ(Context{.executor = MakeThreadPool(3)}.workers(), 3);
  EXPECT_EQ(Context{.executor = MakeThreadPool(0)}.workers(), 1) << "a pool has a thread at least";
}

TEST(Context, CheckStopThrowsOnceTheTokenIsTriggered) {
  std::stop_source source;
  const Context context{.stop = source.get_token()};
  EXPECT_NO_THROW(context.CheckStop());
  source.request_stop();
  try {
    context.CheckStop();
    FAIL() << "not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
  }
}

TEST(ThreadPool, TheDestructorFinishesWhatWasSubmitted) {
  std::atomic<int> done{0};
  {
    const auto pool = MakeThreadPool(2);
    for (int i = 0; i < 100; ++i) pool->Submit([&] { ++done; });
  }
  EXPECT_EQ(done, 100);
}

TEST(ParallelFor, CallsTheBodyOncePerIndex) {
  const Context context{.executor = MakeThreadPool(4)};
  for (const int64_t count : {0, 1, 2, 7, 1000}) {
    std::vector<std::atomic<int>> calls(static_cast<size_t>(count));
    ParallelFor(context, count, [&](int64_t i) { ++calls[static_cast<size_t>(i)]; });
    for (const std::atomic<int>& c : calls) EXPECT_EQ(c, 1);
  }
  ParallelFor(context, -1, [](int64_t) { FAIL() << "a negative count is empty"; });
}

// Two bodies that wait for each other end only if they run at the same time.
TEST(ParallelFor, RunsBodiesAtTheSameTime) {
  const Context context{.executor = MakeThreadPool(1)};
  std::mutex mutex;
  std::condition_variable arrived;
  int here = 0;
  ParallelFor(context, 2, [&](int64_t) {
    std::unique_lock lock(mutex);
    ++here;
    arrived.notify_all();
    arrived.wait(lock, [&] { return here == 2; });
  });
  EXPECT_EQ(here, 2);
}

TEST(ParallelFor, MayBeNestedOnOneExecutor) {
  const Context context{.executor = MakeThreadPool(2)};
  std::atomic<int> calls{0};
  ParallelFor(context, 8, [&](int64_t) { ParallelFor(context, 8, [&](int64_t) { ++calls; }); });
  EXPECT_EQ(calls, 64);
}

TEST(ParallelFor, RethrowsTheErrorOfTheLowestIndex) {
  const Context context{.executor = MakeThreadPool(4)};
  for (int round = 0; round < 50; ++round) {
    try {
      ParallelFor(context, 100, [](int64_t i) {
        if (i % 10 == 3) ThrowInvalid("failed at " + std::to_string(i));
      });
      FAIL() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), "failed at 3");
    }
  }
}

TEST(ParallelFor, SkipsWhatComesAfterAnError) {
  std::vector<int64_t> calls;
  EXPECT_THROW(ParallelFor({}, 100,
                           [&](int64_t i) {
                             calls.push_back(i);
                             if (i == 2) ThrowInvalid("stop here");
                           }),
               Error);
  EXPECT_EQ(calls, (std::vector<int64_t>{0, 1, 2}));
}

TEST(ParallelFor, StopsSoonAfterTheTokenIsTriggered) {
  std::stop_source source;
  const Context context{.stop = source.get_token()};
  int64_t calls = 0;
  try {
    ParallelFor(context, 1000, [&](int64_t i) {
      ++calls;
      if (i == 9) source.request_stop();
    });
    FAIL() << "not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
  }
  EXPECT_EQ(calls, 10);
}

/// An executor that never gets round to what it is given.
class BusyExecutor : public Executor {
 public:
  int workers() const override { return 2; }
  void Submit(std::function<void()> work) override { waiting_.push_back(std::move(work)); }

 private:
  std::vector<std::function<void()>> waiting_;
};

// Helpers that have not ended hold nothing of the error: it goes with the caller's handler.
TEST(ParallelFor, TheErrorBelongsToTheCaller) {
  struct Failure {
    std::shared_ptr<int> part = std::make_shared<int>(1);
  };
  const Context context{.executor = std::make_shared<BusyExecutor>()};
  std::weak_ptr<int> part;
  try {
    ParallelFor(context, 3, [](int64_t) { throw Failure(); });
    FAIL() << "nothing was thrown";
  } catch (const Failure& failure) {
    part = failure.part;
    EXPECT_EQ(*failure.part, 1);
  }
  EXPECT_TRUE(part.expired());
}

// A helper that starts late must not be what keeps the pool: the pool's own thread cannot end it.
TEST(ParallelFor, TheExecutorMayGoRightAfterTheCall) {
  for (int round = 0; round < 500; ++round) {
    std::atomic<int> calls{0};
    {
      const Context context{.executor = MakeThreadPool(3)};
      ParallelFor(context, 2, [&](int64_t) { ++calls; });
    }
    ASSERT_EQ(calls, 2);
  }
}

}  // namespace
}  // namespace nunatak
