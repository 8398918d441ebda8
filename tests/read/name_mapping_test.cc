#include "nunatak/read/name_mapping.h"

#include <gtest/gtest.h>

#include "nunatak/base/error.h"

namespace nunatak {
namespace {

TEST(NameMapping, ParsesNamesIdsAndNesting) {
  const NameMapping mapping = NameMapping::Parse(R"([
    {"field-id": 1, "names": ["id", "record_id"]},
    {"names": ["only in files"]},
    {"field-id": 2, "names": ["a.b"], "fields": [{"field-id": 3, "names": ["x"]}]},
    {"field-id": 4, "names": []}])");
  EXPECT_EQ(mapping, (NameMapping{{{1, {"id", "record_id"}, {}},
                                   {std::nullopt, {"only in files"}, {}},
                                   {2, {"a.b"}, {{3, {"x"}, {}}}},
                                   {4, {}, {}}}}));
}

TEST(NameMapping, TextIsReadBack) {
  const NameMapping mapping{{{1, {"id", "record \"id\""}, {}},
                             {std::nullopt, {"only in files"}, {}},
                             {2, {"a.b"}, {{3, {"x"}, {}}}}}};
  EXPECT_EQ(NameMapping::Parse(mapping.ToJson()), mapping);
}

TEST(NameMapping, FindsByEveryNameExactly) {
  const NameMapping mapping =
      NameMapping::Parse(R"([{"field-id": 1, "names": ["id", "record_id"]}])");
  EXPECT_EQ(FindByName(mapping.fields, "record_id")->field_id, 1);
  EXPECT_EQ(FindByName(mapping.fields, "ID"), nullptr);
}

TEST(NameMapping, LooksUpIdsAndNames) {
  const NameMapping mapping = NameMapping::Parse(R"([
    {"field-id": 1, "names": ["id", "record_id"]},
    {"names": ["only in files"], "fields": [{"field-id": 9, "names": ["x"]}]},
    {"field-id": 2, "names": ["a"], "fields": [{"field-id": 3, "names": ["b"]}]},
    {"field-id": 4, "names": ["a.b"]},
    {"field-id": 5, "names": ["list"], "fields": [
      {"field-id": 6, "names": ["element"], "fields": [{"field-id": 7, "names": ["y", "z"]}]}]},
    {"field-id": 8, "names": []}])");
  const std::pair<const char*, std::optional<int32_t>> ids[] = {
      {"id", 1},
      {"record_id", 1},
      {"ID", {}},
      {"only in files", {}},
      {"only in files.x", 9},
      {"a", 2},
      {"a.b", 4},  // A name of its own comes before the names on a way.
      {"list.element.z", 7},
      {"list.element", 6},
      {"list.", {}},
      {"", {}}};
  for (const auto& [path, id] : ids) EXPECT_EQ(mapping.IdFor(path), id) << path;
  const std::pair<int32_t, std::optional<std::string>> names[] = {
      {1, "id"}, {3, "a.b"}, {7, "list.element.y"}, {9, "only in files.x"}, {8, {}}, {10, {}}};
  for (const auto& [id, name] : names) EXPECT_EQ(mapping.NameFor(id), name) << id;
}

TEST(NameMapping, MalformedTextNamesTheProperty) {
  for (const char* text :
       {"{", "{}", "[1]", R"([{"names": "id"}])", R"([{"field-id": "1", "names": ["id"]}])"}) {
    try {
      NameMapping::Parse(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalid) << text;
      EXPECT_NE(error.message().find("schema.name-mapping.default"), std::string::npos) << text;
    }
  }
}

}  // namespace
}  // namespace nunatak
