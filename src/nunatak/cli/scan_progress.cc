#include "nunatak/cli/scan_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "nunatak/inspect/size_text.h"

namespace nunatak::cli {

namespace {

constexpr int64_t kBarWidth = 20;

std::string Bar(int64_t done, int64_t total) {
  const int64_t filled = std::min(done, total) * kBarWidth / std::max<int64_t>(total, 1);
  return fmt::format("[{:<{}}]", std::string(static_cast<size_t>(filled), '#'), kBarWidth);
}

}  // namespace

std::string ScanProgressText(const ScanCounters& counters, int64_t bytes, double seconds) {
  const int64_t files = counters.files;
  const auto rate = static_cast<int64_t>(static_cast<double>(bytes) / std::max(seconds, 0.001));
  const std::string amount = counters.total_files
                                 ? fmt::format("{} {} of {}", Bar(files, *counters.total_files),
                                               files, *counters.total_files)
                                 : fmt::format("{}", files);
  return fmt::format("{} files, {} rows, {}, {}/s", amount, counters.rows.load(), SizeText(bytes),
                     SizeText(rate));
}

Progress ShowScan(std::shared_ptr<const ScanCounters> counters, std::shared_ptr<FileIO> io) {
  const auto start = std::chrono::steady_clock::now();
  return Progress(
      Terminal::Of(stderr), [counters = std::move(counters), io = std::move(io), start] {
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        return ScanProgressText(*counters, io->counters().bytes_read, elapsed.count());
      });
}

}  // namespace nunatak::cli
