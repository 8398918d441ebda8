#include "nunatak/inspect/health/table_properties.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace nunatak {

namespace {

std::optional<int64_t> ParseNumber(std::string_view text) {
  int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

int64_t NumberProperty(const iceberg::TableMetadata& metadata, std::string_view key,
                       int64_t fallback) {
  const auto text = metadata.FindProperty(key);
  return text ? ParseNumber(*text).value_or(fallback) : fallback;
}

bool FlagProperty(const iceberg::TableMetadata& metadata, std::string_view key, bool fallback) {
  const auto text = metadata.FindProperty(key);
  if (!text) return fallback;
  std::string lower(*text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower == "true" || (lower != "false" && fallback);
}

std::optional<int64_t> SummaryCount(const iceberg::Snapshot& snapshot, const char* key) {
  const auto at = snapshot.summary.find(key);
  return at == snapshot.summary.end() ? std::nullopt : ParseNumber(at->second);
}

}  // namespace nunatak
