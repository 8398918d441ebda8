#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "expr/show_expr.h"
#include "nunatak/base/error.h"
#include "nunatak/expr/expr.h"

namespace nunatak {
namespace {

struct JsonCase {
  std::string_view json;
  std::string_view tree;
};

TEST(FilterJsonTest, EveryTypeOfExpression) {
  const std::vector<JsonCase> cases = {
      {"true", "(true)"},
      {"false", "(false)"},
      {R"({"type": "true"})", "(true)"},
      {R"({"type": "false"})", "(false)"},
      {R"({"type": "and", "left": {"type": "is-null", "term": "a"}, "right": false})",
       "(and (is-null a) (false))"},
      {R"({"type": "or", "left": true, "right": {"type": "not-null", "term": "a"}})",
       "(or (true) (not-null a))"},
      {R"({"type": "not", "child": {"type": "is-nan", "term": "a"}})", "(not (is-nan a))"},
      {R"({"type": "not-nan", "term": "a"})", "(not-nan a)"},
      {R"({"type": "lt", "term": "a", "value": 5})", "(lt a number:5)"},
      {R"({"type": "lt-eq", "term": "a.b", "value": -5})", "(lt-eq a.b number:-5)"},
      {R"({"type": "gt", "term": "a", "value": 1.5})", "(gt a number:1.5)"},
      {R"({"type": "gt-eq", "term": "a", "value": "x"})", "(gt-eq a text:x)"},
      {R"({"type": "eq", "term": "a", "value": true})", "(eq a true)"},
      {R"({"type": "not-eq", "term": "a", "value": null})", "(not-eq a null)"},
      {R"({"type": "in", "term": "a", "values": [1, "x", null]})", "(in a number:1 text:x null)"},
      {R"({"type": "not-in", "term": "a", "values": []})", "(not-in a)"},
      {R"({"type": "starts-with", "term": "a", "value": "x"})", "(starts-with a text:x)"},
      {R"({"type": "not-starts-with", "term": "a", "value": "x"})", "(not-starts-with a text:x)"},
      {R"({"type": "like", "term": "a", "value": "x_"})", "(like a text:x_)"},
      {R"({"type": "not-like", "term": "a", "value": "x_"})", "(not-like a text:x_)"},
      // References, by name and by id, and literals as objects.
      {R"({"type": "eq", "term": {"type": "reference", "term": "a"}, "value": 1})",
       "(eq a number:1)"},
      {R"({"type": "is-null", "child": {"type": "reference", "name": "a"}})", "(is-null a)"},
      {R"({"type": "is-null", "child": {"type": "reference", "id": 7}})", "(is-null #7)"},
      {R"({"type": "lt", "left": {"type": "reference", "name": "a"}, "right": 1})",
       "(lt a number:1)"},
      {R"({"type": "lt", "left": 1, "right": {"type": "reference", "name": "a"}})",
       "(gt a number:1)"},
      {R"({"type": "eq", "term": "a",
           "value": {"type": "literal", "value": "2024-01-01", "data-type": "date"}})",
       "(eq a text:2024-01-01)"},
      {R"({"type": "in", "child": {"type": "reference", "name": "a"},
           "values": {"type": "literals", "values": [1, 2], "data-type": "int"}})",
       "(in a number:1 number:2)"},
      // Fields that nobody here knows.
      {R"({"type": "is-null", "term": "a", "comment": {"x": 1}})", "(is-null a)"},
  };
  for (const JsonCase& c : cases) {
    SCOPED_TRACE(c.json);
    try {
      EXPECT_EQ(Show(ParseFilterJson(c.json)), c.tree);
      EXPECT_EQ(Show(ParseFilter(c.json)), c.tree);
    } catch (const Error& error) {
      ADD_FAILURE() << error.message();
    }
  }
}

TEST(FilterJsonTest, LiteralsRememberThatTheyAreJson) {
  const Expr expr = ParseFilter(R"(  {"type": "eq", "term": "a", "value": 5})");
  EXPECT_TRUE(expr.literals.at(0).from_json);
  EXPECT_EQ(expr.literals.at(0).offset, std::string::npos);
  EXPECT_FALSE(ParseFilter("a = 5").literals.at(0).from_json);
}

TEST(FilterJsonTest, ErrorsNameTheField) {
  const std::vector<JsonCase> cases = {
      {R"({"type": "eq")", "filter: not valid JSON"},
      {R"({"type": "eq", "term": "a", "value": 18446744073709551617})", "filter: not valid JSON"},
      {R"({"term": "a"})", "filter: required field 'type' is missing"},
      {R"({"type": "equals", "term": "a"})", "filter: 'equals' is not an expression type"},
      {R"({"type": "eq", "term": "a"})", "filter: required field 'value' is missing"},
      {R"({"type": "in", "term": "a"})", "filter: required field 'values' is missing"},
      {R"({"type": "and", "left": true})", "filter: right: required field 'right' is missing"},
      {R"({"type": "and", "left": true, "right": {"type": "not"}})",
       "filter: right: child: required field 'child' is missing"},
      {R"({"type": "eq", "term": "a", "value": [1]})",
       "filter: value: expected a literal, got [1]"},
      {R"({"type": "in", "term": "a", "values": [1, {}]})",
       "filter: values[1]: required field 'type' is missing"},
      {R"({"type": "eq", "term": {"type": "transform", "transform": "day", "term": "ts"},
           "value": 1})",
       "filter: term: the term is a transform, which filters do not support"},
      {R"({"type": "lt", "left": {"type": "reference", "name": "a"},
           "right": {"type": "reference", "name": "b"}})",
       "filter: columns are compared with literals, not with each other"},
      {R"({"type": "lt", "left": 1, "right": 2})",
       "filter: a comparison needs a column on one side"},
      {R"({"type": "is-null", "term": 5})", "filter: term: expected an object, got 5"},
  };
  for (const JsonCase& c : cases) {
    SCOPED_TRACE(c.json);
    try {
      ParseFilterJson(c.json);
      ADD_FAILURE() << "parsed";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      EXPECT_EQ(error.message().substr(0, c.tree.size()), c.tree);
    }
  }
}

TEST(FilterJsonTest, NestingIsLimited) {
  std::string json;
  for (int i = 0; i < 100'000; ++i) json += R"({"type":"not","child":)";
  EXPECT_THROW(ParseFilterJson(json + "true" + std::string(100'000, '}')), Error);
}

}  // namespace
}  // namespace nunatak
