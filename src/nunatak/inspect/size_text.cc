#include "nunatak/inspect/size_text.h"

#include <fmt/format.h>

namespace nunatak {

std::string SizeText(int64_t bytes) {
  constexpr double kStep = 1024;
  if (bytes < kStep) return fmt::format("{} B", bytes);
  auto amount = static_cast<double>(bytes);
  const char* unit = "B";
  for (const char* next : {"KiB", "MiB", "GiB", "TiB", "PiB"}) {
    if (amount < kStep) break;
    amount /= kStep;
    unit = next;
  }
  return fmt::format("{:.1f} {}", amount, unit);
}

}  // namespace nunatak
