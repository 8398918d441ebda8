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
