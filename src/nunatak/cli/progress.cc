#include "nunatak/cli/progress.h"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>

#include "nunatak/base/display_width.h"

namespace nunatak::cli {

namespace {

/// Back to the first column, and erase to the end of the line.
constexpr const char* kWipe = "\r\x1b[K";

void ShowUntilStopped(const std::stop_token& stop, const Terminal& terminal,
                      const Progress::Line& line, const Progress::Timing& timing) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any never;
  const auto stopped_within = [&](std::chrono::milliseconds time) {
    return never.wait_for(lock, stop, time, [&] { return stop.stop_requested(); });
  };
  if (stopped_within(timing.delay)) return;
  do {
    const std::string text = line();
    fmt::print(terminal.stream, "{}{}", kWipe,
               terminal.width > 0 ? Shorten(text, terminal.width - 1) : text);
    std::fflush(terminal.stream);
  } while (!stopped_within(timing.interval));
  fmt::print(terminal.stream, "{}", kWipe);
  std::fflush(terminal.stream);
}

}  // namespace

Progress::Progress(const Terminal& terminal, Line line, Timing timing) {
  if (!terminal.interactive) return;
  thread_ = std::jthread([terminal, line = std::move(line), timing](std::stop_token stop) {
    ShowUntilStopped(stop, terminal, line, timing);
  });
}

void Progress::Stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

}  // namespace nunatak::cli
