#include "nunatak/inspect/health/findings.h"

#include <algorithm>

namespace nunatak {

HealthFindings FindAll(const TableFigures& figures) {
  HealthFindings findings;
  for (const auto find :
       {FindInFiles, FindInManifests, FindInDeletes, FindInHistory, FindInColumns, FindInLayout}) {
    find(figures, &findings);
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const HealthFinding& a, const HealthFinding& b) {
                     return a.severity != b.severity ? a.severity > b.severity : a.check < b.check;
                   });
  return findings;
}

}  // namespace nunatak
