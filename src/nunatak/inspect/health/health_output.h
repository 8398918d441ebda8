#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/inspect/health/health.h"

namespace nunatak {

/// A finding as one flat object: check, severity, title, figures, why, remedy.
NUNATAK_EXPORT nlohmann::ordered_json FindingToJson(const HealthFinding& finding);

/// The whole report, as docs/health.md describes it. Names of files, partitions and columns are as
/// the table has them, possibly not UTF-8.
NUNATAK_EXPORT nlohmann::ordered_json HealthToJson(const HealthReport& report);

/// One line with what the table comes to: "87 of 100: 1 serious, 2 infos".
NUNATAK_EXPORT std::string HealthVerdict(const HealthReport& report);

/// The table's size in one line: files, rows, bytes, partitions, manifests, snapshots.
NUNATAK_EXPORT std::string HealthSize(const HealthReport& report);

/// A page of HTML that needs nothing else: findings, and charts as inline SVG. It has no script,
/// and nothing from the table becomes markup.
NUNATAK_EXPORT std::string HealthPage(const HealthReport& report);

/// Text as HTML shows it, in elements and in quoted attributes: markup is escaped, control
/// characters become blanks, and bytes that are not UTF-8 the replacement character.
NUNATAK_EXPORT std::string EscapeHtml(std::string_view text);

}  // namespace nunatak
