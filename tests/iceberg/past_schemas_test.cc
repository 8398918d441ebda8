#include "nunatak/iceberg/past_schemas.h"

#include <gtest/gtest.h>

#include "iceberg/metadata_texts.h"

namespace nunatak::iceberg {
namespace {

FileScanTask TaskWithIds(std::vector<std::vector<int32_t>> id_sets) {
  FileScanTask task;
  for (std::vector<int32_t>& ids : id_sets) {
    auto deletes = std::make_shared<DeleteFile>();
    deletes->file.content = FileContent::kEqualityDeletes;
    deletes->file.equality_ids = std::move(ids);
    task.deletes.push_back(std::move(deletes));
  }
  task.deletes.push_back(std::make_shared<DeleteFile>());
  return task;
}

TEST(PastSchemasTest, AreTheNewestThatHaveWhatEqualityDeletesCompareBy) {
  // Schema 0 has 1 and 2, schema 1 also 3 as an int, schema 2 then 3 as a long, schema 3 only 1.
  JsonText json = TextV2();
  const JsonText id = {{"id", 1}, {"name", "id"}, {"required", true}, {"type", "long"}};
  const JsonText ts = json["schemas"][0]["fields"][1];
  const auto third = [](const char* type) -> JsonText {
    return {{"id", 3}, {"name", "k"}, {"required", false}, {"type", type}};
  };
  const auto add = [&](int schema_id, JsonText fields) {
    json["schemas"].push_back(
        {{"type", "struct"}, {"schema-id", schema_id}, {"fields", std::move(fields)}});
  };
  add(1, JsonText::array({id, ts, third("int")}));
  add(2, JsonText::array({id, third("long")}));
  add(3, JsonText::array({id}));
  json["current-schema-id"] = 3;
  json["last-column-id"] = 3;
  const auto metadata = Parse(json);
  const auto ids_of = [&](std::vector<std::vector<int32_t>> id_sets) {
    const FileScanTask task = TaskWithIds(std::move(id_sets));
    std::vector<int32_t> ids;
    for (const Schema& schema :
         PastSchemas(*metadata, metadata->current_schema(), std::span(&task, 1))) {
      ids.push_back(schema.schema_id());
    }
    return ids;
  };
  using Ids = std::vector<int32_t>;
  EXPECT_EQ(ids_of({}), Ids());
  EXPECT_EQ(ids_of({{1}}), Ids());
  EXPECT_EQ(ids_of({{1, 3}}), Ids({2}));
  EXPECT_EQ(ids_of({{2}, {1}}), Ids({1}));
  EXPECT_EQ(ids_of({{2}, {3}, {99}}), Ids({2, 1}));
}

}  // namespace
}  // namespace nunatak::iceberg
