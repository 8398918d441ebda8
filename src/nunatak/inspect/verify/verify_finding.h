#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "nunatak/base/export.h"

namespace nunatak {

enum class Severity : uint8_t {
  /// What the specification advises against, or what costs time and space; reading is right.
  kWarning,
  /// What breaks the specification: readers may fail, or return wrong rows.
  kError,
};

/// "warning", "error".
NUNATAK_EXPORT std::string_view ToString(Severity severity);

/// What `Verify` checks; `InfoOf` says what each means.
enum class Check : uint8_t {
  // Table metadata.
  kMetadataInvalid,
  kColumnId,
  kPartitionFieldId,
  kSpecSource,
  kIdentifierField,
  kNameMapping,
  kSnapshotSequence,
  kSnapshotTime,
  kSnapshotSchema,
  kSnapshotRowIds,
  kSnapshotLog,
  kMetadataLog,
  kRefRetention,
  kStatisticsSnapshot,
  kStatisticsBlobs,
  // Files.
  kFileMissing,
  kFileSize,
  kOldMetadataMissing,
  kUnreadable,
  // Manifest lists against manifests.
  kManifestListedTwice,
  kManifestLength,
  kManifestHeader,
  kManifestCounts,
  kManifestSequence,
  kManifestMinSequence,
  kManifestSnapshot,
  kManifestRowIds,
  kPartitionSummary,
  kPartitionSummaryLoose,
  // Entries of manifests.
  kEntrySnapshot,
  kEntrySequence,
  kEntryRowIds,
  kFileFormat,
  kPartitionValue,
  kMetricCounts,
  kMetricBounds,
  kMetricField,
  kMetricTwice,
  kUuidOrder,
  kSplitOffsets,
  kEqualityIds,
  kDeletionVectorEntry,
  kSortOrderId,
  // Snapshots as a whole.
  kSummaryTotals,
  kSummaryChanges,
  kSummarySizes,
  kOperation,
  kFileListedTwice,
  kTwoDeletionVectors,
  kDanglingDeletionVector,
  kDanglingDelete,
  kDeletePartition,
  kDeleteSequence,
  kDeleteCount,
  kPositionDeleteInV3,
  // With `VerifyOptions::deep`.
  kRecordCount,
  kColumnCounts,
  kColumnBounds,
  kRowGroups,
  kFieldId,
  kUnsorted,
  kPartitionRows,
  kDeletionVectorBlob,
  kDeleteOrder,
  kDeletePositions,
  kNotChecked,
};

struct CheckInfo {
  Check check;
  /// In kebab-case; stable.
  std::string_view name;
  Severity severity;
  /// What is wrong when the check finds something.
  std::string_view meaning;
  /// The section of the specification, or what else it follows from.
  std::string_view section;
};

NUNATAK_EXPORT const CheckInfo& InfoOf(Check check);
/// Every check, in the order of the enumeration.
NUNATAK_EXPORT std::span<const CheckInfo> AllChecks();

/// One thing that is wrong with a table.
struct NUNATAK_EXPORT Finding {
  Check check = Check::kUnreadable;
  /// The snapshot that was being looked at; absent for findings about the table as a whole, and for
  /// files that several snapshots share only the first one that lists them.
  std::optional<int64_t> snapshot_id = std::nullopt;
  /// The file that says or is what is wrong, as the table records its location.
  std::string file;
  /// Where in it: the name of a field, or a path to it; empty for the file as a whole.
  std::string field = "";
  /// Empty where there is nothing to compare.
  std::string found = "";
  std::string expected = "";
  /// A sentence for people, without the file's name.
  std::string message;

  Severity severity() const { return InfoOf(check).severity; }
  std::string_view name() const { return InfoOf(check).name; }
};

/// Receives findings; called by one thread at a time.
using FindingSink = std::function<void(const Finding&)>;

}  // namespace nunatak
