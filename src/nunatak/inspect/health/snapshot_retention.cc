#include "nunatak/inspect/health/snapshot_retention.h"

#include <limits>
#include <optional>

#include "nunatak/inspect/health/table_properties.h"

namespace nunatak {

namespace {

constexpr int64_t kFiveDaysMs = int64_t{5} * 24 * 60 * 60 * 1000;
constexpr int64_t kForever = std::numeric_limits<int64_t>::max();

class Retention {
 public:
  Retention(const iceberg::TableMetadata& metadata, int64_t now_ms)
      : metadata_(metadata),
        now_ms_(now_ms),
        min_to_keep_(NumberProperty(metadata, "history.expire.min-snapshots-to-keep", 1)),
        max_age_ms_(NumberProperty(metadata, "history.expire.max-snapshot-age-ms", kFiveDaysMs)),
        max_ref_age_ms_(NumberProperty(metadata, "history.expire.max-ref-age-ms", kForever)) {}

  std::set<int64_t> Expired() {
    for (const auto& [name, ref] : metadata_.refs) {
      const bool is_main = name == iceberg::kMainBranch;
      if (!is_main && AgeOf(ref.snapshot_id) > ref.max_ref_age_ms.value_or(max_ref_age_ms_)) {
        continue;
      }
      ref.is_branch() ? KeepBranch(ref) : Keep(ref.snapshot_id);
    }
    std::set<int64_t> expired;
    for (size_t i = 0; i < metadata_.snapshots.size(); ++i) {
      const int64_t id = metadata_.snapshots.id(i);
      const bool is_young = !referenced_.contains(id) && AgeOf(id) <= max_age_ms_;
      if (!kept_.contains(id) && !is_young) expired.insert(id);
    }
    return expired;
  }

 private:
  int64_t AgeOf(int64_t id) const {
    const std::optional<size_t> i = metadata_.snapshots.IndexOf(id);
    int64_t age = 0;
    if (!i || __builtin_sub_overflow(now_ms_, metadata_.snapshots.timestamp_ms(*i), &age)) {
      return kForever;
    }
    return age;
  }

  void Keep(int64_t id) {
    kept_.insert(id);
    referenced_.insert(id);
  }

  void KeepBranch(const iceberg::SnapshotRef& ref) {
    const int64_t min_to_keep = ref.min_snapshots_to_keep.value_or(min_to_keep_);
    const int64_t max_age = ref.max_snapshot_age_ms.value_or(max_age_ms_);
    int64_t count = 0;
    bool keeps = true;
    std::set<int64_t> seen;
    std::optional<int64_t> next = ref.snapshot_id;
    for (; next && metadata_.snapshots.IndexOf(*next); next = metadata_.snapshots.ParentOf(*next)) {
      if (!seen.insert(*next).second) break;
      referenced_.insert(*next);
      // The first that is too old ends what is kept, though one before it be younger.
      keeps = keeps && (count < min_to_keep || AgeOf(*next) <= max_age);
      if (!keeps) continue;
      kept_.insert(*next);
      ++count;
    }
  }

  const iceberg::TableMetadata& metadata_;
  int64_t now_ms_;
  int64_t min_to_keep_;
  int64_t max_age_ms_;
  int64_t max_ref_age_ms_;
  std::set<int64_t> kept_;
  /// Those that some ref leads to.
  std::set<int64_t> referenced_;
};

}  // namespace

std::set<int64_t> ExpiredSnapshots(const iceberg::TableMetadata& metadata, int64_t now_ms) {
  if (!FlagProperty(metadata, "gc.enabled", true)) return {};
  return Retention(metadata, now_ms).Expired();
}

}  // namespace nunatak
