#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/table/schema.h"
#include "nunatak/table/transform.h"

namespace nunatak {

/// One field of a partition spec.
struct NUNATAK_EXPORT PartitionField {
  /// Usually one; v3's multi-argument transforms name several (`source-ids`).
  std::vector<int32_t> source_ids;
  int32_t field_id = 0;
  std::string name;
  Transform transform;

  int32_t source_id() const { return source_ids.front(); }
  friend NUNATAK_EXPORT bool operator==(const PartitionField&, const PartitionField&) = default;
};

/// How a table, or a manifest of it, is partitioned (specification, "Partition Specs").
struct NUNATAK_EXPORT PartitionSpec {
  int32_t spec_id = 0;
  std::vector<PartitionField> fields;

  /// No field, or only void ones: one partition, and equality deletes under it are global.
  bool IsUnpartitioned() const;
  /// The struct of a partition tuple; a field whose source column the schema no longer has, or
  /// whose transform is unknown, has the type that its bytes in a manifest suggest (kUnknown here).
  Type PartitionType(const Schema& schema) const;

  friend NUNATAK_EXPORT bool operator==(const PartitionSpec&, const PartitionSpec&) = default;
};

}  // namespace nunatak
