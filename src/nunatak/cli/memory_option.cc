#include "nunatak/cli/memory_option.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "nunatak/base/error.h"
#include "nunatak/inspect/size_text.h"

namespace nunatak::cli {

namespace {

/// What is left for everything else: the operating system's cache of files, other processes.
constexpr int64_t kShare = 4;

/// The limit of the control group, of version 2 or 1; nothing where there is none ("max").
int64_t ControlGroupLimit() {
  for (const char* file :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    int64_t limit = 0;
    if (std::ifstream(file) >> limit && limit > 0) return limit;
  }
  return std::numeric_limits<int64_t>::max();
}

}  // namespace

int64_t AvailableMemory() {
  const int64_t physical =
      static_cast<int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
  return std::min(physical, ControlGroupLimit());
}

void MemoryOption::AddTo(CLI::App* verb) {
  verb->add_option("--memory", size,
                   "What fetched and decoded data may take, about: bytes, or 512MB (default: a "
                   "quarter of the machine's memory)")
      ->type_name("SIZE");
}

int64_t MemoryOption::Budget() const {
  if (!size) return AvailableMemory() / kShare;
  const std::optional<int64_t> bytes = ParseSizeText(*size);
  if (bytes && *bytes > 0) return *bytes;
  ThrowUsage(fmt::format("--memory: '{}' is no size above 0", *size),
             "bytes, or a number with a unit: 512MB");
}

}  // namespace nunatak::cli
