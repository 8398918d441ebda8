#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/inspect/health/health_check.h"

namespace nunatak {

enum class HealthSeverity : uint8_t { kInfo, kWarning, kSerious };

/// "info", "warning", "serious".
NUNATAK_EXPORT std::string_view ToString(HealthSeverity severity);

/// Something about a table that could be better, as it was measured.
struct NUNATAK_EXPORT HealthFinding {
  HealthCheck check = HealthCheck::kSmallFiles;
  HealthSeverity severity = HealthSeverity::kInfo;
  /// One sentence with the figures that matter most.
  std::string title;
  /// An object; its keys are stable, with their units in their names.
  nlohmann::ordered_json figures;

  /// What to run in place of what the check suggests, in tables of other formats than Iceberg.
  std::optional<std::string_view> other_remedy = std::nullopt;

  std::string_view name() const { return InfoOf(check).name; }
  std::string_view why() const { return InfoOf(check).why; }
  /// Lines of what to run.
  std::string_view remedy() const { return other_remedy.value_or(InfoOf(check).remedy); }
};

using HealthFindings = std::vector<HealthFinding>;

/// From 100 for a table with no finding down to 0: a serious finding takes 20 points, a warning 8,
/// an info 1.
NUNATAK_EXPORT int HealthScore(const HealthFindings& findings);

/// From which values on a measure is what.
struct SeverityLevels {
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  double info = kNever;
  double warning = kNever;
  double serious = kNever;

  /// The greatest severity whose level `value` reaches; null when it reaches none.
  NUNATAK_EXPORT std::optional<HealthSeverity> Of(double value) const;
};

}  // namespace nunatak
