#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/plan/snapshot_source.h"
#include "nunatak/table/partition_spec.h"
#include "nunatak/table/schema.h"
#include "nunatak/table/type.h"

namespace nunatak {

/// What the ids and names in scan tasks that were written down refer to: the schema that was
/// planned with, and the partition specs. Who reads tasks in another process gets these from the
/// header of the task set (task_set_header.h), or from the table's metadata.
class NUNATAK_EXPORT TaskDefinitions {
 public:
  explicit TaskDefinitions(Schema schema) : schema_(std::move(schema)) {}
  /// The schema of a source and every spec that its groups name.
  static TaskDefinitions Of(const SnapshotSource& source) { return Of(source, source.schema()); }
  /// The same with the schema that was planned with, which may have metadata columns.
  static TaskDefinitions Of(const SnapshotSource& source, Schema schema);

  void AddSpec(std::shared_ptr<const PartitionSpec> spec);

  const Schema& schema() const { return schema_; }
  /// The ids of the specs, ascending.
  std::vector<int32_t> spec_ids() const;
  bool has_spec(int32_t spec_id) const { return specs_.contains(spec_id); }
  /// Throws `ErrorCode::kInvalid` for an id that no spec has.
  const std::shared_ptr<const PartitionSpec>& spec(int32_t spec_id) const;
  const Type& partition_type(int32_t spec_id) const;

 private:
  struct Entry {
    std::shared_ptr<const PartitionSpec> spec;
    Type partition_type;
  };
  const Entry& Find(int32_t spec_id) const;

  Schema schema_;
  std::unordered_map<int32_t, Entry> specs_;
};

}  // namespace nunatak
