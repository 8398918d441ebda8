#include "nunatak/read/carry_over.h"

#include <gtest/gtest.h>

#include "read/changed_row_batches.h"

namespace nunatak {
namespace {

using Texts = std::vector<std::string>;

struct Case {
  const char* what;
  std::vector<ChangedRow> rows;
  /// What is left; each snapshot for itself, and in the net.
  Texts left, net;
};

Texts Left(const std::vector<ChangedRow>& rows, CarryOverRules rules) {
  rules.content = KeyOf(1);
  const std::vector<ChangedRows> batches = {BatchOf(rows)};
  const std::vector<RowRef> left = RemoveCarryOver(batches, rules);
  return left.empty() ? Texts{} : TextsOf(GatherRows(batches, left));
}

TEST(CarryOver, EqualRowsOfASnapshotAndInTheNetOfAllCancelOut) {
  const Case cases[] = {
      {"another row", {{'-', 0, "a"}, {'+', 0, "b"}}, {"-0 a -", "+0 b -"}, {"-0 a -", "+0 b -"}},
      {"carried over", {{'-', 0, "a"}, {'+', 0, "a"}}, {}, {}},
      {"one of two", {{'-', 0, "a"}, {'-', 0, "a"}, {'+', 0, "a"}}, {"-0 a -"}, {"-0 a -"}},
      {"one more", {{'-', 0, "a"}, {'+', 0, "a"}, {'+', 0, "a"}}, {"+0 a -"}, {"+0 a -"}},
      {"deleted later", {{'+', 0, "a"}, {'-', 1, "a"}}, {"+0 a -", "-1 a -"}, {}},
      {"put back", {{'-', 0, "a"}, {'+', 1, "a"}}, {"-0 a -", "+1 a -"}, {}},
      {"the latest is undone first",
       {{'+', 0, "a"}, {'+', 1, "a"}, {'-', 2, "a"}},
       {"+0 a -", "+1 a -", "-2 a -"},
       {"+0 a -"}},
      {"carried over by a later snapshot: the change stays where it was made",
       {{'+', 0, "a"}, {'-', 1, "a"}, {'+', 1, "a"}},
       {"+0 a -"},
       {"+0 a -"}},
      {"deleted, put back, deleted",
       {{'-', 0, "a"}, {'+', 1, "a"}, {'-', 2, "a"}},
       {"-0 a -", "+1 a -", "-2 a -"},
       {"-2 a -"}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Left(c.rows, {}), c.left) << c.what;
    EXPECT_EQ(Left(c.rows, {.net = true}), c.net) << c.what;
  }
}

TEST(CarryOver, OfEqualRowsThoseOfOneIdAreMatchedFirst) {
  const std::vector<ChangedRow> rows = {
      {'-', 0, "a", 1}, {'-', 0, "a", 2}, {'-', 0, "a", 3}, {'+', 0, "a", 3}, {'+', 0, "a", 1}};
  EXPECT_EQ(Left(rows, {.row_id_column = 1}), Texts{"-0 a 2"});
}

TEST(CarryOver, EqualRowsOfOtherIdsAreTheSameUnlessIdsTellRowsApart) {
  const std::vector<ChangedRow> rows = {{'-', 0, "a", 1}, {'+', 0, "a", 9}};
  EXPECT_EQ(Left(rows, {.row_id_column = 1}), Texts{});
  EXPECT_EQ(Left(rows, {.row_id_column = 1, .by_row_id = true}), (Texts{"-0 a 1", "+0 a 9"}));
}

TEST(CarryOver, ARowWithoutIdIsAnyRowOfItsContent) {
  EXPECT_EQ(Left({{'-', 0, "a"}, {'-', 0, "a"}, {'+', 0, "a", 7}},
                 {.row_id_column = 1, .by_row_id = true}),
            Texts{"-0 a -"});
  EXPECT_EQ(Left({{'-', 0, "a", 7}, {'+', 0, "a"}, {'-', 0, "b", 8}},
                 {.row_id_column = 1, .by_row_id = true}),
            Texts{"-0 b 8"});
}

}  // namespace
}  // namespace nunatak
