/// Every example of docs/filters.md does what the page says.

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <string>

#include "expr/test_schema.h"
#include "nunatak/base/error.h"
#include "nunatak/expr/bound_filter.h"
#include "test_data.h"

namespace nunatak {
namespace {

Schema DocumentedTable() {
  return Schema(0, {
                       Optional(1, "order_id", TypeId::kLong),
                       Optional(2, "status", TypeId::kString),
                       Optional(3, "title", TypeId::kString),
                       Optional(4, "price", Type::Decimal(9, 2)),
                       Optional(5, "day", TypeId::kDate),
                       Optional(6, "ordered_at", TypeId::kTimestampTz),
                       Optional(7, "local_time", TypeId::kTimestamp),
                       Optional(8, "rating", TypeId::kDouble),
                       Optional(9, "paid", TypeId::kBoolean),
                       Optional(10, "token", TypeId::kUuid),
                       Optional(11, "checksum", TypeId::kBinary),
                       Optional(12, "address",
                                Type::Struct({Optional(13, "city", TypeId::kString),
                                              Optional(14, "zip code", TypeId::kString)})),
                       Optional(15, "order", TypeId::kInt),
                       Optional(16, "open_at", TypeId::kTime),
                   });
}

/// Calls `body` for each line of the fenced blocks of that language; returns how many there were.
int ForEachExample(const std::string& language, const std::function<void(std::string)>& body) {
  std::ifstream page(TestData() / "../../docs/filters.md");
  int count = 0;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) {
      inside = line == "```" + language;
    } else if (inside) {
      SCOPED_TRACE(line);
      try {
        body(line);
      } catch (const Error& error) {
        ADD_FAILURE() << error.message();
      }
      ++count;
    }
  }
  return count;
}

TEST(DocumentationTest, ExamplesAreFilters) {
  const Schema schema = DocumentedTable();
  const int count = ForEachExample("filter", [&](const std::string& line) {
    const BoundFilter filter = BindFilter(line, schema);
    EXPECT_FALSE(filter.is_true() || filter.is_false());
  });
  EXPECT_EQ(count, 32);
}

TEST(DocumentationTest, ExamplesBecomeWhatThePageSays) {
  const Schema schema = DocumentedTable();
  const int count = ForEachExample("becomes", [&](const std::string& line) {
    const size_t arrow = line.find("->");
    ASSERT_NE(arrow, std::string::npos);
    EXPECT_EQ(FilterToText(BindFilter(line.substr(0, arrow), schema)),
              line.substr(line.find_first_not_of(' ', arrow + 2)));
  });
  EXPECT_EQ(count, 21);
}

}  // namespace
}  // namespace nunatak
