#include "nunatak/iceberg/partition_types.h"

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

}  // namespace nunatak::iceberg
