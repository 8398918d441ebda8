#include "nunatak/inspect/verify/verify_summary.h"

#include <vector>

#include "nunatak/inspect/counted.h"

namespace nunatak {

namespace {

constexpr size_t At(FileKind kind) { return static_cast<size_t>(kind); }

/// A sum over some kinds of files.
struct SummaryCount {
  /// After "total-", "added-", and "deleted-" or "removed-".
  std::string_view name;
  std::vector<FileKind> kinds;
  int64_t KindTotals::* count;
  /// Of sizes alone: what writers that agree on the name have counted instead.
  int64_t KindTotals::* or_count = nullptr;
};

const std::vector<SummaryCount>& Counts() {
  using K = FileKind;
  const std::vector<FileKind> deletes = {K::kPositionDeletes, K::kDeletionVector,
                                         K::kEqualityDeletes};
  const std::vector<FileKind> all = {K::kData, K::kPositionDeletes, K::kDeletionVector,
                                     K::kEqualityDeletes};
  static const std::vector<SummaryCount> kCounts = {
      {"data-files", {K::kData}, &KindTotals::files},
      {"records", {K::kData}, &KindTotals::records},
      {"delete-files", deletes, &KindTotals::files},
      {"position-delete-files", {K::kPositionDeletes}, &KindTotals::files},
      {"equality-delete-files", {K::kEqualityDeletes}, &KindTotals::files},
      {"dvs", {K::kDeletionVector}, &KindTotals::files},
      {"position-deletes", {K::kPositionDeletes, K::kDeletionVector}, &KindTotals::records},
      {"equality-deletes", {K::kEqualityDeletes}, &KindTotals::records},
      {"files-size", all, &KindTotals::content_bytes, &KindTotals::bytes},
  };
  return kCounts;
}

int64_t Sum(const TotalsByKind& totals, const std::vector<FileKind>& kinds,
            int64_t KindTotals::* count) {
  int64_t sum = 0;
  for (const FileKind kind : kinds) sum += totals[At(kind)].*count;
  return sum;
}

void AddAll(const TotalsByKind& from, TotalsByKind* to) {
  for (size_t kind = 0; kind < from.size(); ++kind) (*to)[kind] += from[kind];
}

/// Checks the summary's counts under one of the prefixes.
void CheckCounts(const iceberg::StringMap& summary, std::string_view prefix,
                 const TotalsByKind& totals, Check check, FileReport* report) {
  for (const SummaryCount& count : Counts()) {
    const std::string key = fmt::format("{}-{}", prefix, count.name);
    const auto at = summary.find(key);
    if (at == summary.end()) continue;
    const std::string expected = fmt::format("{}", Sum(totals, count.kinds, count.count));
    if (at->second == expected) continue;
    if (count.or_count &&
        at->second == fmt::format("{}", Sum(totals, count.kinds, count.or_count))) {
      continue;
    }
    report->Add(count.or_count ? Check::kSummarySizes : check, "summary." + key,
                {at->second, expected},
                fmt::format("{} is {}, its manifests have {}", key, at->second, expected));
  }
}

void CheckOperation(const iceberg::Snapshot& snapshot, const TotalsByKind& added,
                    const TotalsByKind& removed, FileReport* report) {
  if (snapshot.operation != "append") return;
  int64_t deletes = 0;
  int64_t gone = 0;
  for (size_t kind = 0; kind < added.size(); ++kind) {
    if (kind != At(FileKind::kData)) deletes += added[kind].files;
    gone += removed[kind].files;
  }
  if (deletes == 0 && gone == 0) return;
  report->Add(Check::kOperation, "summary.operation", {"append", "overwrite or delete"},
              fmt::format("an append added {}, and removed {}", Counted(deletes, "delete file"),
                          Counted(gone, "file")));
}

}  // namespace

void CheckSummary(const SnapshotContents& contents, FileReport* report) {
  TotalsByKind live = {};
  TotalsByKind added = {};
  TotalsByKind removed = {};
  for (size_t i = 0; i < contents.digests.size(); ++i) {
    const ManifestDigest& digest = *contents.digests[i];
    AddAll(digest.live, &live);
    if (contents.manifests[i].added_snapshot_id != contents.snapshot.snapshot_id) continue;
    AddAll(digest.added, &added);
    AddAll(digest.removed, &removed);
  }
  const iceberg::StringMap& summary = contents.snapshot.summary;
  CheckCounts(summary, "total", live, Check::kSummaryTotals, report);
  CheckCounts(summary, "added", added, Check::kSummaryChanges, report);
  CheckCounts(summary, "deleted", removed, Check::kSummaryChanges, report);
  CheckCounts(summary, "removed", removed, Check::kSummaryChanges, report);
  CheckOperation(contents.snapshot, added, removed, report);
  const int64_t position_deletes = added[At(FileKind::kPositionDeletes)].files;
  if (!contents.snapshot.first_row_id || position_deletes == 0) return;
  report->Add(Check::kPositionDeleteInV3, "manifest-list",
              {fmt::format("{}", position_deletes), "0"},
              fmt::format("a snapshot of version 3 added {}, where it must write deletion vectors",
                          Counted(position_deletes, "position delete file")));
}

}  // namespace nunatak
