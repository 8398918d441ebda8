#include "nunatak/iceberg/partition_types.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace nunatak::iceberg {

Type PartitionTypeOf(const TableMetadata& metadata, const PartitionSpec& spec) {
  const Type current = spec.PartitionType(metadata.current_schema());
  std::vector<Field> fields(current.fields().begin(), current.fields().end());
  for (size_t i = 0; i < fields.size(); ++i) {
    for (size_t s = metadata.schemas.size(); fields[i].type.id() == TypeId::kUnknown && s > 0;
         --s) {
      fields[i].type = spec.PartitionType(metadata.schemas.At(s - 1)).fields()[i].type;
    }
  }
  return Type::Struct(std::move(fields));
}

MergedPartitions MergedPartitionsOf(const TableMetadata& metadata) {
  std::vector<TypedSpec> specs;
  for (const PartitionSpec& spec : metadata.partition_specs) {
    specs.push_back({spec, PartitionTypeOf(metadata, spec)});
  }
  return MergedPartitions(std::move(specs));
}

std::string SpecKey(const PartitionSpec& spec, const Type& partition_type) {
  std::string key = fmt::format("{} {}", spec.spec_id, partition_type.ToString());
  for (const PartitionField& field : spec.fields) {
    key += fmt::format("\n{} {} {} {}", field.field_id, fmt::join(field.source_ids, ","),
                       field.transform.ToString(), field.name);
  }
  return key;
}

}  // namespace nunatak::iceberg
