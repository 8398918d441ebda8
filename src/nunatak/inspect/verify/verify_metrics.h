#pragma once

#include "nunatak/iceberg/field_metrics.h"
#include "nunatak/inspect/table_facts.h"
#include "nunatak/inspect/verify/verify_report.h"

namespace nunatak {

/// Checks the metric maps of a manifest's entries for themselves, without their files.
class MetricChecker {
 public:
  /// Both outlive the checker.
  MetricChecker(const TableFacts& facts, const iceberg::ManifestShape& shape)
      : facts_(facts), metrics_(shape) {}

  void Check(const iceberg::WalkedEntry& entry, FileReport* report);

 private:
  const TableFacts& facts_;
  iceberg::FieldMetricsReader metrics_;
};

}  // namespace nunatak
