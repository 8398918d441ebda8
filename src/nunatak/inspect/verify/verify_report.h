#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/iceberg/entry_walk.h"
#include "nunatak/inspect/verify/verify_finding.h"

namespace nunatak {

/// What was found against what had to be, as texts.
struct Comparison {
  std::string found;
  std::string expected;
};

/// A comparison of numbers, or of anything else that can be formatted.
template <typename Found, typename Expected>
Comparison Compared(const Found& found, const Expected& expected) {
  return {fmt::format("{}", found), fmt::format("{}", expected)};
}

/// The number as text, or "null".
inline std::string NumberOrNull(const std::optional<int64_t>& number) {
  return number ? fmt::format("{}", *number) : "null";
}

/// Collects findings about one file.
class FileReport {
 public:
  FileReport(std::string file, std::optional<int64_t> snapshot_id, std::vector<Finding>* findings)
      : file_(std::move(file)), snapshot_id_(snapshot_id), findings_(findings) {}

  void Add(Check check, std::string field, Comparison compared, std::string message) {
    findings_->push_back({.check = check,
                          .snapshot_id = snapshot_id_,
                          .file = file_,
                          .field = std::move(field),
                          .found = std::move(compared.found),
                          .expected = std::move(compared.expected),
                          .message = std::move(message)});
  }

  /// A finding about a field of an entry of a manifest; the message is made to name its file.
  void AddTo(const iceberg::WalkedEntry& entry, Check check, std::string_view field,
             Comparison compared, std::string_view message) {
    const std::string_view path = entry.slots[iceberg::kFilePath].text();
    Add(check, fmt::format("entries[{}].{}", entry.index, field), std::move(compared),
        fmt::format("{}: {}", path.substr(path.rfind('/') + 1), message));
  }

 private:
  std::string file_;
  std::optional<int64_t> snapshot_id_;
  std::vector<Finding>* findings_;
};

}  // namespace nunatak
