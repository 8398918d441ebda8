#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace nunatak::cli {

/// What there is for this process: the machine's memory, or what a control group leaves it of that.
int64_t AvailableMemory();

/// --memory SIZE.
struct MemoryOption {
  std::optional<std::string> size;

  void AddTo(CLI::App* verb);
  /// Bytes for `Context::memory_budget`: the size that was given, else a quarter of what there is.
  /// Throws `ErrorCode::kUsage` for what is no size above 0.
  int64_t Budget() const;
};

}  // namespace nunatak::cli
