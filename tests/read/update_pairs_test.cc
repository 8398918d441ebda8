#include "nunatak/read/update_pairs.h"

#include <gtest/gtest.h>

#include "nunatak/base/error.h"
#include "read/changed_row_batches.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

using Texts = std::vector<std::string>;

Texts Paired(const std::vector<ChangedRow>& rows, const UpdateRules& rules) {
  std::vector<ChangedRows> batches = {BatchOf(rows)};
  const std::vector<RowRef> order = PairUpdates(&batches, rules);
  return TextsOf(GatherRows(batches, order));
}

TEST(UpdatePairs, ADeletedAndAnInsertedRowOfOneKeyAreNeighbours) {
  EXPECT_EQ(Paired({{'-', 0, "a", 1}, {'-', 0, "b", 2}, {'+', 0, "c", 3}, {'+', 0, "a", 4}},
                   {.key = KeyOf(1)}),
            (Texts{"<0 a 1", ">0 a 4", "-0 b 2", "+0 c 3"}));
}

TEST(UpdatePairs, OnlyInTheNetAreTheyOfSeveralSnapshots) {
  const std::vector<ChangedRow> rows = {{'-', 0, "a", 1}, {'+', 3, "a", 2}};
  EXPECT_EQ(Paired(rows, {.key = KeyOf(1)}), (Texts{"-0 a 1", "+3 a 2"}));
  EXPECT_EQ(Paired(rows, {.key = KeyOf(1), .net = true}), (Texts{"<0 a 1", ">3 a 2"}));
}

TEST(UpdatePairs, NullIsAKeyUnlessItIsAMissingId) {
  const std::vector<ChangedRow> rows = {{'-', 0, "a"}, {'+', 0, "b"}};
  EXPECT_EQ(Paired(rows, {.key = KeyOf(2)}), (Texts{"<0 a -", ">0 b -"}));
  EXPECT_EQ(Paired(rows, {.key = KeyOf(2), .key_may_be_null = false}), (Texts{"-0 a -", "+0 b -"}));
}

TEST(UpdatePairs, SeveralRowsOfOneKeyCannotBePaired) {
  const Error error = ErrorFrom(
      [] { Paired({{'-', 0, "a", 1}, {'-', 0, "a", 2}, {'+', 0, "a", 3}}, {.key = KeyOf(1)}); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalid);
  EXPECT_NE(error.message().find(R"(k = "a", 2 were deleted and 1 inserted)"), std::string::npos)
      << error.message();
  // Where nothing has to be paired, it does not matter.
  EXPECT_EQ(Paired({{'-', 0, "a", 1}, {'-', 0, "a", 2}}, {.key = KeyOf(1)}),
            (Texts{"-0 a 1", "-0 a 2"}));
}

}  // namespace
}  // namespace nunatak
