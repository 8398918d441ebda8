#include "nunatak/table/partition_spec.h"

#include <algorithm>
#include <utility>

namespace nunatak {

bool PartitionSpec::IsUnpartitioned() const {
  return std::all_of(fields.begin(), fields.end(), [](const PartitionField& field) {
    return field.transform.id() == TransformId::kVoid;
  });
}

namespace {

Type ResultType(const PartitionField& field, const Schema& schema) {
  const Field* source = schema.FindField(field.source_id());
  const bool known = source && field.transform.id() != TransformId::kUnknown &&
                     field.transform.CanTransform(source->type);
  return known ? field.transform.ResultType(source->type) : Type(TypeId::kUnknown);
}

}  // namespace

Type PartitionSpec::PartitionType(const Schema& schema) const {
  std::vector<Field> result;
  result.reserve(fields.size());
  for (const PartitionField& field : fields) {
    Field& added = result.emplace_back();
    added.id = field.field_id;
    added.name = field.name;
    added.type = ResultType(field, schema);
  }
  return Type::Struct(std::move(result));
}

}  // namespace nunatak
