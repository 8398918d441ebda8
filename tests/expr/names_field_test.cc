#include "nunatak/expr/names_field.h"

#include <gtest/gtest.h>

#include "expr/test_schema.h"

namespace nunatak {
namespace {

bool NamesBoolean(std::string_view filter, bool case_sensitive = true) {
  return NamesField(ParseFilter(filter), EveryType(), 1, case_sensitive);
}

TEST(NamesField, AtAnyDepthAndInTermsThatSayNothing) {
  EXPECT_FALSE(NamesBoolean(""));
  EXPECT_FALSE(NamesBoolean("i = 1 or s is null"));
  EXPECT_TRUE(NamesBoolean("b"));
  EXPECT_TRUE(NamesBoolean("i = 1 and (s is null or not b = true)"));
  EXPECT_TRUE(NamesBoolean("b = true or b = false"));
  EXPECT_TRUE(NamesBoolean("true or b is not null"));
}

TEST(NamesField, ByNameInAnyCaseOrById) {
  EXPECT_TRUE(NamesBoolean("B", /*case_sensitive=*/false));
  EXPECT_FALSE(NamesBoolean("B"));
  EXPECT_TRUE(NamesField(Expr{.op = Op::kIsNull, .column_id = 1}, EveryType(), 1));
  EXPECT_FALSE(NamesField(Expr{.op = Op::kIsNull, .column_id = 2}, EveryType(), 1));
}

}  // namespace
}  // namespace nunatak
