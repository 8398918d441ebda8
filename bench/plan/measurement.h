// Times the repetitions of one benchmark, and prints them as the line of JSON that measure.py
// reads.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

namespace nunatak::bench {

/// Seconds that all threads of this process have computed for.
inline double CpuSeconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// The most memory that this process had resident. (`getrusage` also counts the parent's before
/// exec.)
inline double PeakMegabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    int64_t kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return static_cast<double>(kilobytes) / 1024;
  }
  return 0;
}

class Measurement {
 public:
  /// Calls `body`, and returns what it returned: destroying that is not measured.
  template <typename Body>
  auto Time(const Body& body) {
    const double cpu = CpuSeconds();
    const auto start = std::chrono::steady_clock::now();
    auto result = body();
    wall_.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    cpu_.push_back(CpuSeconds() - cpu);
    return result;
  }

  void Print(int64_t files, int64_t delete_refs) const {
    fmt::print(
        R"({{"wall_s":[{:.6f}],"cpu_s":[{:.6f}],"peak_mb":{:.1f},"files":{},"delete_refs":{}}})"
        "\n",
        fmt::join(wall_, ","), fmt::join(cpu_, ","), PeakMegabytes(), files, delete_refs);
  }

 private:
  std::vector<double> wall_;
  std::vector<double> cpu_;
};

}  // namespace nunatak::bench
