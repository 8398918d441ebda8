#include "nunatak/read/decode/row_selection.h"

#include <gtest/gtest.h>

namespace nunatak {
namespace {

using Ranges = std::vector<RowRange>;

TEST(RowSelection, AllRowsAreOneRange) {
  EXPECT_EQ(RowSelection::All(5).ranges(), (Ranges{{0, 5}}));
  EXPECT_TRUE(RowSelection::All(5).is_all());
  EXPECT_TRUE(RowSelection::All(0).ranges().empty());
}

TEST(RowSelection, KeepsWhatIsNotMarked) {
  const std::vector<uint8_t> dropped = {0, 0, 1, 1, 0, 1, 0};
  const RowSelection rows = RowSelection::Without(dropped);
  EXPECT_EQ(rows.ranges(), (Ranges{{0, 2}, {4, 5}, {6, 7}}));
  EXPECT_EQ(rows.total(), 7);
  EXPECT_EQ(rows.count(), 4);
  EXPECT_FALSE(rows.is_all());
  EXPECT_EQ(RowSelection::Without(std::vector<uint8_t>{1, 1}).count(), 0);
}

TEST(RowSelection, NarrowsByMarksOfItsOwnRows) {
  const RowSelection rows = RowSelection::Without(std::vector<uint8_t>{0, 0, 1, 1, 0, 1, 0});
  // Rows 0, 1, 4 and 6.
  EXPECT_EQ(rows.Narrowed(std::vector<uint8_t>{0, 0, 0, 0}).ranges(), rows.ranges());
  EXPECT_EQ(rows.Narrowed(std::vector<uint8_t>{1, 0, 0, 1}).ranges(), (Ranges{{1, 2}, {4, 5}}));
  EXPECT_EQ(rows.Narrowed(std::vector<uint8_t>{1, 0, 0, 1}).total(), 7);
  // What was apart may not become one.
  EXPECT_EQ(RowSelection::Without(std::vector<uint8_t>{0, 1, 0})
                .Narrowed(std::vector<uint8_t>{0, 0})
                .ranges(),
            (Ranges{{0, 1}, {2, 3}}));
}

}  // namespace
}  // namespace nunatak
