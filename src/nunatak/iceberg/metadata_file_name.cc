#include "nunatak/iceberg/metadata_file_name.h"

#include <algorithm>
#include <array>

namespace nunatak::iceberg {

namespace {

constexpr std::string_view kEnd = ".metadata.json";
constexpr std::string_view kCompressedEnd = ".metadata.json.gz";
constexpr std::array<std::string_view, 2> kCodecs = {".gz", ".gzip"};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsUuid(std::string_view text) {
  constexpr size_t kUuidSize = 36;
  return text.size() == kUuidSize && text[8] == '-' && text[13] == '-' && text[18] == '-' &&
         text[23] == '-';
}

}  // namespace

bool IsMetadataFileName(std::string_view name) {
  return name.ends_with(kEnd) || name.ends_with(kCompressedEnd);
}

std::string_view MetadataFileStem(std::string_view name) {
  name.remove_suffix(name.ends_with(kEnd) ? kEnd.size() : kCompressedEnd.size());
  for (const std::string_view codec : kCodecs) {
    if (name.ends_with(codec)) return name.substr(0, name.size() - codec.size());
  }
  return name;
}

std::optional<int64_t> ParseVersionNumber(std::string_view digits) {
  constexpr size_t kMaxDigits = 18;
  if (digits.empty() || digits.size() > kMaxDigits) return std::nullopt;
  int64_t version = 0;
  for (const char c : digits) {
    if (!IsDigit(c)) return std::nullopt;
    version = version * 10 + (c - '0');
  }
  return version;
}

std::optional<int64_t> VersionOfStem(std::string_view stem) {
  if (IsUuid(stem)) return std::nullopt;
  if (stem.starts_with('v')) return ParseVersionNumber(stem.substr(1));
  return ParseVersionNumber(stem.substr(0, stem.find('-')));
}

}  // namespace nunatak::iceberg
