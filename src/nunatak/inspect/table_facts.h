#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "nunatak/iceberg/table_metadata.h"
#include "nunatak/table/partition_spec.h"
#include "nunatak/table/type.h"

namespace nunatak {

/// A column as the newest schema that has it has it; the reserved columns of delete files and of
/// row lineage too.
struct FieldFacts {
  Type type;
  std::string name;
  /// Inside a list or a map: it has other numbers of values than the file has rows.
  bool repeated = false;
  /// Inside a struct, which may be null.
  bool nested = false;
};

/// A partition spec of the table with all that is derived from it once.
struct SpecFacts {
  PartitionSpec spec;
  Type partition_type;
  /// `iceberg::SpecKey`.
  std::string key;
};

/// What those who walk over manifests look up again and again. Immutable and thread-safe.
class TableFacts {
 public:
  explicit TableFacts(const iceberg::TableMetadata& metadata);

  const iceberg::TableMetadata& metadata() const { return metadata_; }
  /// Null when no schema of the table has the field.
  const FieldFacts* FindField(int32_t id) const;
  const SpecFacts* FindSpec(int32_t id) const;
  /// The sequence number of a snapshot; absent when the table does not have it any more.
  std::optional<int64_t> SequenceOf(int64_t snapshot_id) const;

 private:
  void AddFields(const Schema& schema, const Type& parent);
  void AddReservedFields();

  const iceberg::TableMetadata& metadata_;
  std::unordered_map<int32_t, FieldFacts> fields_;
  std::unordered_map<int32_t, SpecFacts> specs_;
  std::unordered_map<int64_t, int64_t> sequence_numbers_;
};

}  // namespace nunatak
