#include "nunatak/inspect/health/health_finding.h"

#include <algorithm>

namespace nunatak {

std::string_view ToString(HealthSeverity severity) {
  switch (severity) {
    case HealthSeverity::kInfo:
      return "info";
    case HealthSeverity::kWarning:
      return "warning";
    case HealthSeverity::kSerious:
      return "serious";
  }
  return "info";
}

int HealthScore(const HealthFindings& findings) {
  int score = 100;
  for (const HealthFinding& finding : findings) {
    switch (finding.severity) {
      case HealthSeverity::kInfo:
        score -= 1;
        break;
      case HealthSeverity::kWarning:
        score -= 8;
        break;
      case HealthSeverity::kSerious:
        score -= 20;
        break;
    }
  }
  return std::max(score, 0);
}

std::optional<HealthSeverity> SeverityLevels::Of(double value) const {
  if (value >= serious) return HealthSeverity::kSerious;
  if (value >= warning) return HealthSeverity::kWarning;
  if (value >= info) return HealthSeverity::kInfo;
  return std::nullopt;
}

}  // namespace nunatak
