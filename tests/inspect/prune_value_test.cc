#include "nunatak/inspect/prune_value.h"

#include <gtest/gtest.h>

#include "nunatak/table/schema.h"

namespace nunatak {
namespace {

Field Optional(int32_t id, const char* name, Type type) {
  return {.id = id, .name = name, .required = false, .type = std::move(type)};
}

const Value kOne = Value::Integer(1);
const Value kTwo = Value::Integer(2);

Type Pair() {
  return Type::Struct({Optional(1, "a", TypeId::kInt), Optional(2, "b", TypeId::kInt)});
}
Type OnlyB() { return Type::Struct({Optional(2, "b", TypeId::kInt)}); }

TEST(PruneValue, KeepsTheNamedFieldsOfAStruct) {
  EXPECT_EQ(PruneValue(Pair(), OnlyB(), Value::Nested({kOne, kTwo})), Value::Nested({kTwo}));
}

TEST(PruneValue, LeavesAWholeValueAsItIs) {
  const Value value = Value::Nested({kOne, Value::Null()});
  EXPECT_EQ(PruneValue(Pair(), Pair(), value), value);
  EXPECT_EQ(PruneValue(TypeId::kInt, TypeId::kInt, kOne), kOne);
}

TEST(PruneValue, KeepsNullStructsNull) {
  EXPECT_TRUE(PruneValue(Pair(), OnlyB(), Value::Null()).is_null());
}

TEST(PruneValue, ReachesIntoListsAndMaps) {
  const Type list = Type::List(Optional(9, "element", Pair()));
  const Type pruned_list = Type::List(Optional(9, "element", OnlyB()));
  EXPECT_EQ(
      PruneValue(list, pruned_list, Value::Nested({Value::Nested({kOne, kTwo}), Value::Null()})),
      Value::Nested({Value::Nested({kTwo}), Value::Null()}));

  const Type map = Type::Map(Optional(7, "key", TypeId::kInt), Optional(8, "value", Pair()));
  const Type pruned_map =
      Type::Map(Optional(7, "key", TypeId::kInt), Optional(8, "value", OnlyB()));
  EXPECT_EQ(PruneValue(map, pruned_map,
                       Value::Nested({Value::Nested({kOne, Value::Nested({kOne, kTwo})})})),
            Value::Nested({Value::Nested({kOne, Value::Nested({kTwo})})}));
}

}  // namespace
}  // namespace nunatak
