#include "nunatak/iceberg/partition_types.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace nunatak::iceberg {

Type PartitionTypeOf(const TableMetadata& metadata, const PartitionSpec& spec) {
  const Type current = spec.PartitionType(metadata.current_schema());
  std::vector<Field> fields(current.fields().begin(), current.fields().end());
  for (size_t i = 0; i < fields.size(); ++i) {
    for (auto schema = metadata.schemas.rbegin();
         fields[i].type.id() == TypeId::kUnknown && schema != metadata.schemas.rend(); ++schema) {
      fields[i].type = spec.PartitionType(*schema).fields()[i].type;
    }
  }
  return Type::Struct(std::move(fields));
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
