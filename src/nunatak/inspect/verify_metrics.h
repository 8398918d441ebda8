#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "nunatak/avro/array_cursor.h"
#include "nunatak/inspect/verify_facts.h"
#include "nunatak/inspect/verify_report.h"

namespace nunatak {

/// Checks the metric maps of a manifest's entries for themselves, without their files.
class MetricChecker {
 public:
  /// Both outlive the checker.
  MetricChecker(const TableFacts& facts, const iceberg::ManifestShape& shape);

  void Check(const iceberg::WalkedEntry& entry, FileReport* report);

 private:
  /// What the maps of the current entry say of a field.
  struct Metrics {
    int32_t field_id = 0;
    const FieldFacts* field = nullptr;
    std::optional<int64_t> values = std::nullopt;
    std::optional<int64_t> nulls = std::nullopt;
    std::optional<int64_t> nans = std::nullopt;
    std::optional<ByteSpan> lower = std::nullopt;
    std::optional<ByteSpan> upper = std::nullopt;
    /// The last entry that had the field.
    int64_t entry = -1;
  };

  void Collect(const iceberg::WalkedEntry& entry, FileReport* report);
  void CollectCounts(const iceberg::WalkedEntry& entry, int slot,
                     std::optional<int64_t> Metrics::* count, FileReport* report);
  void CollectBounds(const iceberg::WalkedEntry& entry, int slot,
                     std::optional<ByteSpan> Metrics::* bound);
  Metrics& MetricsOf(const iceberg::WalkedEntry& entry, int64_t field_id);
  void CheckCounts(const iceberg::WalkedEntry& entry, const Metrics& metrics, FileReport* report);
  void CheckBounds(const iceberg::WalkedEntry& entry, const Metrics& metrics, FileReport* report);

  const TableFacts& facts_;
  std::vector<avro::ArrayCursor> cursors_;
  /// Those of one entry after another; which fields there are hardly changes.
  std::vector<Metrics> metrics_;
  std::unordered_map<int64_t, size_t> places_;
  /// Which of them the current entry has.
  std::vector<size_t> current_;
};

}  // namespace nunatak
