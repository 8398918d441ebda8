#include "nunatak/inspect/size_text.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "nunatak/base/ascii_case.h"

namespace nunatak {

namespace {

/// How many times 1024 a unit is multiplied by itself; null for what is none.
std::optional<int> ExponentOf(std::string_view unit) {
  constexpr std::string_view kPrefixes = "kmgtp";
  std::string lower = ToLowerAscii(unit);
  if (lower.empty() || lower == "b") return 0;
  const size_t at = kPrefixes.find(lower[0]);
  const std::string_view rest = std::string_view(lower).substr(1);
  if (at == std::string_view::npos || !(rest.empty() || rest == "b" || rest == "ib")) return {};
  return static_cast<int>(at) + 1;
}

}  // namespace

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

std::optional<int64_t> ParseSizeText(std::string_view text) {
  int64_t amount = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, code] = std::from_chars(text.data(), end, amount);
  if (code != std::errc() || amount < 0 || text.front() == '-') return std::nullopt;
  std::string_view unit(stopped, static_cast<size_t>(end - stopped));
  if (unit.size() > 1 && unit.front() == ' ') unit.remove_prefix(1);
  const std::optional<int> exponent = ExponentOf(unit);
  if (!exponent) return std::nullopt;
  const int64_t factor = int64_t{1} << (10 * *exponent);
  if (amount > std::numeric_limits<int64_t>::max() / factor) return std::nullopt;
  return amount * factor;
}

}  // namespace nunatak
