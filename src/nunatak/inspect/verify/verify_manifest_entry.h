#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "nunatak/avro/container.h"
#include "nunatak/inspect/table_facts.h"
#include "nunatak/inspect/verify/verify_manifest.h"
#include "nunatak/inspect/verify/verify_report.h"

namespace nunatak {

struct StatusCounts {
  int64_t files = 0;
  int64_t rows = 0;
};

/// What is in a manifest, as its entry in a manifest list records it.
struct ManifestContents {
  /// By `EntryStatus`.
  std::array<StatusCounts, 3> by_status = {};
  /// Of the live files; absent when there is none.
  std::optional<int64_t> least_sequence_number = std::nullopt;
  /// Rows of the live files that have no first_row_id of their own.
  int64_t unnumbered_rows = 0;
};

/// Checks a manifest's own header against its manifest list and the table.
void CheckHeader(const TableFacts& facts, const iceberg::ManifestFile& file, const SpecFacts& spec,
                 const avro::Container& container, FileReport* report);

/// Checks the entry of a manifest list against its manifest and its snapshot.
void CheckListEntry(const TableFacts& facts, const ManifestScope& scope,
                    const iceberg::ManifestFile& file, const ManifestContents& contents,
                    FileReport* report);

}  // namespace nunatak
