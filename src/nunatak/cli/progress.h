#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "nunatak/cli/terminal.h"

namespace nunatak::cli {

/// Tells somebody who waits at a terminal what is going on: one line, first shown after a while,
/// rewritten in place and wiped in the end. Nothing anywhere else.
class Progress {
 public:
  /// What to say now; called on a thread of its own.
  using Line = std::function<std::string()>;

  struct Timing {
    std::chrono::milliseconds delay = std::chrono::milliseconds(1000);
    std::chrono::milliseconds interval = std::chrono::milliseconds(200);
  };

  Progress(const Terminal& terminal, Line line, Timing timing);
  Progress(const Terminal& terminal, Line line) : Progress(terminal, std::move(line), Timing()) {}
  /// Wipes the line.
  ~Progress() { Stop(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Wipes the line, for good.
  void Stop();

 private:
  std::jthread thread_;
};

}  // namespace nunatak::cli
