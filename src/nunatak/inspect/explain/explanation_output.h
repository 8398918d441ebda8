#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/inspect/explain/advice.h"
#include "nunatak/inspect/explain/file_explanation.h"
#include "nunatak/inspect/explain/scan_explanation.h"

namespace nunatak {

/// docs/explain.md describes the objects.
NUNATAK_EXPORT nlohmann::ordered_json ExplanationToJson(const ScanExplanation& explanation,
                                                        const std::vector<Advice>& advice);
NUNATAK_EXPORT nlohmann::ordered_json ExplanationToJson(const FileExplanation& explanation);

/// The same for people, as `nunatak explain` prints it.
NUNATAK_EXPORT std::string ExplanationText(const ScanExplanation& explanation,
                                           const std::vector<Advice>& advice);
NUNATAK_EXPORT std::string ExplanationText(const FileExplanation& explanation);

}  // namespace nunatak
