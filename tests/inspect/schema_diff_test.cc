#include "nunatak/inspect/schema_diff.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "nunatak/base/json.h"
#include "nunatak/table/schema_json.h"

namespace nunatak {
namespace {

/// Fields written as JSON, without the words that are always the same.
Schema Parse(const std::string& fields) {
  const std::string text = R"({"type": "struct", "schema-id": 0, "fields": )" + fields + "}";
  return SchemaFromJson(JsonDocument::Parse(text).root());
}

std::string F(int id, const char* name, const std::string& type, const char* more = "") {
  return R"({"id": )" + std::to_string(id) + R"(, "name": ")" + name +
         R"(", "required": false, "type": )" + type + more + "}";
}

std::vector<std::string> Changes(const std::string& from, const std::string& to) {
  std::vector<std::string> texts;
  for (const auto& change : SchemaChanges(Parse(from), Parse(to))) {
    texts.push_back(change["change"].get<std::string>() + " " + change["path"].get<std::string>() +
                    " " + change["from"].dump() + " " + change["to"].dump());
  }
  return texts;
}

using Texts = std::vector<std::string>;
const std::string kInt = R"("int")";
const std::string kLong = R"("long")";

std::string StructOf(const std::string& fields) {
  return R"({"type": "struct", "fields": )" + fields + "}";
}

TEST(SchemaChanges, AreToldByFieldId) {
  const std::string a = F(1, "a", kInt), b = F(2, "b", kInt), c = F(3, "c", kInt);
  EXPECT_EQ(Changes("[" + a + "]", "[" + a + "]"), Texts{});
  EXPECT_EQ(Changes("[" + a + "]", "[" + a + "," + b + "]"), Texts{R"(add b null "int")"});
  EXPECT_EQ(Changes("[" + a + "," + b + "]", "[" + a + "]"), Texts{R"(drop b "int" null)"});
  EXPECT_EQ(Changes("[" + a + "]", "[" + F(1, "x", kInt) + "]"), Texts{R"(rename x "a" "x")"});
  EXPECT_EQ(Changes("[" + a + "]", "[" + F(1, "a", kLong) + "]"), Texts{R"(type a "int" "long")"});
  // Dropped and added again under its name: another column.
  EXPECT_EQ(Changes("[" + a + "]", "[" + F(9, "a", kInt) + "]"),
            (Texts{R"(add a null "int")", R"(drop a "int" null)"}));
  EXPECT_EQ(Changes("[" + a + "]", "[" + F(1, "a", kInt, R"(, "doc": "what")") + "]"),
            Texts{R"(doc a "" "what")"});
  EXPECT_EQ(Changes("[" + a + "]", "[" + F(1, "a", kInt, R"(, "write-default": 3)") + "]"),
            Texts{"write-default a null 3"});
}

TEST(SchemaChanges, AsFewFieldsMovedAsExplainTheOrder) {
  const auto fields = [](const std::vector<int>& ids) {
    std::string text;
    for (const int id : ids) {
      text += (text.empty() ? "" : ",") +
              F(id, std::string(1, static_cast<char>('a' + id)).c_str(), kInt);
    }
    return "[" + text + "]";
  };
  EXPECT_EQ(Changes(fields({1, 2, 3, 4}), fields({4, 1, 2, 3})), Texts{R"(move e "d" null)"});
  EXPECT_EQ(Changes(fields({1, 2, 3, 4}), fields({2, 3, 1, 4})), Texts{R"(move b null "d")"});
  // What is added between others moves none.
  EXPECT_EQ(Changes(fields({1, 2}), fields({1, 5, 2})), Texts{R"(add f null "int")"});
}

TEST(SchemaChanges, GoToAnyDepth) {
  EXPECT_EQ(
      Changes(
          "[" + F(1, "s", StructOf("[" + F(2, "x", kInt) + "]")) + "]",
          "[" + F(1, "s", StructOf("[" + F(2, "y", kLong) + "," + F(3, "z", kInt) + "]")) + "]"),
      (Texts{R"(rename s.y "x" "y")", R"(type s.y "int" "long")", R"(add s.z null "int")"}));
  // A struct goes as one.
  EXPECT_EQ(Changes("[" + F(1, "s", StructOf("[" + F(2, "x", kInt) + "]")) + "]", "[]"),
            Texts{R"(drop s "struct" null)"});
}

}  // namespace
}  // namespace nunatak
