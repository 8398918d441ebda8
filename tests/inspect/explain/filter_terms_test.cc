#include "nunatak/inspect/explain/filter_terms.h"

#include <gtest/gtest.h>

#include "nunatak/table/schema.h"

namespace nunatak {
namespace {

std::vector<std::string> Texts(const std::vector<BoundFilter>& filters) {
  std::vector<std::string> texts;
  for (const BoundFilter& filter : filters) texts.push_back(FilterToText(filter));
  return texts;
}

BoundFilter Filter(std::string_view text) {
  const Schema schema(0, {{.id = 1, .name = "a", .type = TypeId::kInt},
                          {.id = 2, .name = "b", .type = TypeId::kString},
                          {.id = 3, .name = "c", .type = TypeId::kDouble}});
  return BindFilter(text, schema);
}

using Strings = std::vector<std::string>;

TEST(FilterTerms, AreWhatTheOutermostAndJoins) {
  const struct {
    const char* filter;
    Strings terms;
    Strings leaves;
  } cases[] = {
      {"true", {}, {}},
      {"a > 1", {"a > 1"}, {"a > 1"}},
      {"a > 1 and b = 'x'", {"a > 1", "b = 'x'"}, {"a > 1", "b = 'x'"}},
      {"a > 1 and (b = 'x' or c is nan)",
       {"a > 1", "b = 'x' OR c IS NAN"},
       {"a > 1", "b = 'x'", "c IS NAN"}},
      {"(a > 1 and a < 5) and b is null",
       {"a > 1", "a < 5", "b IS NULL"},
       {"a > 1", "a < 5", "b IS NULL"}},
      {"a = 1 or a = 7 and b = 'x'",
       {"a = 1 OR (a = 7 AND b = 'x')"},
       {"a = 1", "a = 7", "b = 'x'"}},
      {"not (a = 1 or b = 'x')", {"a != 1", "b != 'x'"}, {"a != 1", "b != 'x'"}},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Texts(TermsOf(Filter(c.filter))), c.terms) << c.filter;
    EXPECT_EQ(Texts(LeavesOf(Filter(c.filter))), c.leaves) << c.filter;
  }
}

}  // namespace
}  // namespace nunatak
