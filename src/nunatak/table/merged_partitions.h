#pragma once

#include <span>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/table/partition_spec.h"
#include "nunatak/table/type.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// A partition spec with the struct of its tuples.
struct TypedSpec {
  PartitionSpec spec;
  Type type;
};

/// One partition struct for files of all of a table's specs, as the metadata tables show it: the
/// fields of every spec by partition field id, ascending, each with the name of the newest spec
/// that has it.
class NUNATAK_EXPORT MergedPartitions {
 public:
  explicit MergedPartitions(std::vector<TypedSpec> specs);

  const Type& type() const { return type_; }
  /// A tuple of `spec` as a value of `type()`; fields that the spec lacks are null.
  Value Project(const PartitionSpec& spec, std::span<const Value> tuple) const;

 private:
  Type type_ = Type::Struct({});
};

}  // namespace nunatak
