#include "nunatak/inspect/prune_value.h"

#include <algorithm>
#include <utility>

#include "nunatak/table/schema.h"

namespace nunatak {

namespace {

Value PruneStruct(const Type& type, const Type& pruned, const Value& value) {
  Value::List kept;
  size_t from = 0;
  for (const Field& field : pruned.fields()) {
    while (type.fields()[from].id != field.id) ++from;
    kept.push_back(PruneValue(type.fields()[from].type, field.type, value.list()[from]));
  }
  return Value::Nested(std::move(kept));
}

Value PruneEach(const Type& type, const Type& pruned, const Value& value) {
  Value::List kept;
  for (const Value& element : value.list()) kept.push_back(PruneValue(type, pruned, element));
  return Value::Nested(std::move(kept));
}

Value PruneMap(const Type& type, const Type& pruned, const Value& value) {
  Value::List kept;
  for (const Value& entry : value.list()) {
    const Value::List& pair = entry.list();
    kept.push_back(
        Value::Nested({pair[0], PruneValue(type.value().type, pruned.value().type, pair[1])}));
  }
  return Value::Nested(std::move(kept));
}

}  // namespace

Value PruneValue(const Type& type, const Type& pruned, const Value& value) {
  if (value.is_null() || !type.is_nested() || type == pruned) return value;
  switch (type.id()) {
    case TypeId::kStruct:
      return PruneStruct(type, pruned, value);
    case TypeId::kList:
      return PruneEach(type.element().type, pruned.element().type, value);
    default:
      return PruneMap(type, pruned, value);
  }
}

}  // namespace nunatak
