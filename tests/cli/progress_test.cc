#include "nunatak/cli/progress.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "cli/temporary_file.h"

namespace nunatak::cli {
namespace {

constexpr Progress::Timing kAtOnce = {.delay = std::chrono::milliseconds(0),
                                      .interval = std::chrono::milliseconds(0)};

/// What `terminal` shows of a progress that was asked `times` times what to say.
std::string Shown(Terminal terminal, int times, const std::string& text) {
  terminal.stream = std::tmpfile();
  std::promise<void> asked;
  std::atomic<int> count = 0;
  Progress progress(
      terminal,
      [&] {
        if (++count == times) asked.set_value();
        return text;
      },
      kAtOnce);
  asked.get_future().wait();
  progress.Stop();
  return ContentOf(terminal.stream);
}

TEST(Progress, RewritesItsLineAndWipesItInTheEnd) {
  const std::string text = Shown({.interactive = true}, 2, "reading");
  EXPECT_TRUE(text.starts_with("\r\x1b[Kreading\r\x1b[Kreading")) << text;
  EXPECT_TRUE(text.ends_with("reading\r\x1b[K")) << text;
}

TEST(Progress, FitsTheTerminal) {
  const std::string text = Shown({.width = 6, .interactive = true}, 1, "reading");
  EXPECT_TRUE(text.starts_with("\r\x1b[Kread…\r")) << text;
}

TEST(Progress, SaysNothingOfWhatIsShort) {
  const Terminal terminal{.stream = std::tmpfile(), .interactive = true};
  Progress progress(terminal, [] { return std::string("late"); }, {.delay = std::chrono::hours(1)});
  progress.Stop();
  progress.Stop();
  EXPECT_EQ(ContentOf(terminal.stream), "");
}

TEST(Progress, NeverAsksWhereNobodyWatches) {
  std::atomic<int> count = 0;
  const Terminal terminal{.stream = std::tmpfile()};
  {
    Progress progress(terminal, [&] { return std::to_string(++count); }, kAtOnce);
  }
  EXPECT_EQ(count, 0);
  EXPECT_EQ(ContentOf(terminal.stream), "");
}

}  // namespace
}  // namespace nunatak::cli
