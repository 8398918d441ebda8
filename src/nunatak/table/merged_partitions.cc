#include "nunatak/table/merged_partitions.h"

#include <algorithm>
#include <map>
#include <utility>

namespace nunatak {

MergedPartitions::MergedPartitions(std::vector<TypedSpec> specs) {
  std::sort(specs.begin(), specs.end(),
            [](const TypedSpec& a, const TypedSpec& b) { return a.spec.spec_id > b.spec.spec_id; });
  std::map<int32_t, Field> fields;
  for (const auto& [spec, type] : specs) {
    for (size_t i = 0; i < spec.fields.size(); ++i) {
      const Field& field = type.fields()[i];
      const auto [it, added] = fields.emplace(field.id, field);
      // A field that a newer spec voided keeps the type of its values in older files.
      const bool is_void = spec.fields[i].transform.id() == TransformId::kVoid;
      if (!added && !is_void) it->second.type = field.type;
    }
  }
  std::vector<Field> merged;
  for (auto& [id, field] : fields) merged.push_back(std::move(field));
  type_ = Type::Struct(std::move(merged));
}

Value MergedPartitions::Project(const PartitionSpec& spec, std::span<const Value> tuple) const {
  Value::List values(type_.fields().size());
  for (size_t i = 0; i < spec.fields.size() && i < tuple.size(); ++i) {
    const auto fields = type_.fields();
    const auto at = std::lower_bound(fields.begin(), fields.end(), spec.fields[i].field_id,
                                     [](const Field& field, int32_t id) { return field.id < id; });
    if (at != fields.end() && at->id == spec.fields[i].field_id) {
      values[static_cast<size_t>(at - fields.begin())] = tuple[i];
    }
  }
  return Value::Nested(std::move(values));
}

}  // namespace nunatak
