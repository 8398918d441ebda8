#include "nunatak/delta/log_file.h"

#include <charconv>
#include <vector>

#include "nunatak/base/bytes.h"

namespace nunatak::delta {

namespace {

constexpr size_t kVersionDigits = 20;
constexpr size_t kPartDigits = 10;

/// A number of exactly so many digits that fits into T.
template <typename T>
std::optional<T> ParsePadded(std::string_view text, size_t digits) {
  T number = 0;
  if (text.size() != digits || text.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

std::vector<std::string_view> SplitAtDots(std::string_view name) {
  std::vector<std::string_view> parts;
  for (size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
    parts.push_back(name.substr(0, dot));
    name.remove_prefix(dot + 1);
  }
  parts.push_back(name);
  return parts;
}

/// `parts` begins with a version and "checkpoint".
std::optional<LogFileName> ParseCheckpoint(const std::vector<std::string_view>& parts,
                                           LogFileName file) {
  const std::string_view extension = parts.back();
  file.json = extension == "json";
  if (!file.json && extension != "parquet") return std::nullopt;
  if (parts.size() == 3 && !file.json) {
    file.kind = LogFileKind::kCheckpoint;
    return file;
  }
  if (parts.size() == 4 && ParseUuid(parts[2])) {
    file.kind = LogFileKind::kUuidCheckpoint;
    return file;
  }
  if (parts.size() != 5 || file.json) return std::nullopt;
  const auto part = ParsePadded<int32_t>(parts[2], kPartDigits);
  const auto count = ParsePadded<int32_t>(parts[3], kPartDigits);
  if (!part || !count || *part < 1 || *part > *count) return std::nullopt;
  file.kind = LogFileKind::kCheckpointPart;
  file.part = *part;
  file.parts = *count;
  return file;
}

}  // namespace

std::optional<LogFileName> ParseLogFileName(std::string_view name) {
  const std::vector<std::string_view> parts = SplitAtDots(name);
  const auto version = ParsePadded<int64_t>(parts[0], kVersionDigits);
  if (!version || parts.size() < 2) return std::nullopt;
  LogFileName file{.version = *version, .end_version = *version};
  if (parts[1] == "checkpoint" && parts.size() > 2) return ParseCheckpoint(parts, file);
  if (parts.size() == 2 && parts[1] == "json") return file;
  if (parts.size() == 2 && parts[1] == "crc") {
    file.kind = LogFileKind::kChecksum;
    return file;
  }
  if (parts.size() != 4 || parts[2] != "compacted" || parts[3] != "json") return std::nullopt;
  const auto end = ParsePadded<int64_t>(parts[1], kVersionDigits);
  if (!end || *end <= *version) return std::nullopt;
  file.kind = LogFileKind::kCompaction;
  file.end_version = *end;
  return file;
}

}  // namespace nunatak::delta
