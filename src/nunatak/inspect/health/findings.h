#pragma once

#include <span>
#include <string>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/inspect/health/health_finding.h"
#include "nunatak/inspect/health/table_figures.h"

namespace nunatak {

/// Each adds what it finds in the figures; the conditions are those of docs/health.md.
NUNATAK_EXPORT void FindInFiles(const TableFigures& figures, HealthFindings* findings);
NUNATAK_EXPORT void FindInManifests(const TableFigures& figures, HealthFindings* findings);
NUNATAK_EXPORT void FindInDeletes(const TableFigures& figures, HealthFindings* findings);
NUNATAK_EXPORT void FindInHistory(const TableFigures& figures, HealthFindings* findings);
NUNATAK_EXPORT void FindInColumns(const TableFigures& figures, HealthFindings* findings);
NUNATAK_EXPORT void FindInLayout(const TableFigures& figures, HealthFindings* findings);

/// All of them, the most severe first, and in the order of the checks.
NUNATAK_EXPORT HealthFindings FindAll(const TableFigures& figures);

}  // namespace nunatak
