#include "nunatak/plan/task_set_header.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "nunatak/table/schema_json.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

Schema SchemaAt(const JsonObject& object, std::string_view key) {
  return WithContext(key, [&] { return SchemaFromJson(object.At(key)); });
}

}  // namespace

ordered_json TaskSetHeaderToJson(const TaskSetHeader& header) {
  ordered_json out;
  if (header.table_uuid) out["table-uuid"] = *header.table_uuid;
  if (header.snapshot_id) out["snapshot-id"] = *header.snapshot_id;
  out["schema"] = SchemaToJson(header.definitions.schema());
  ordered_json specs = ordered_json::array();
  for (int32_t id : header.definitions.spec_ids()) {
    specs.push_back(PartitionSpecToJson(*header.definitions.spec(id)));
  }
  out["partition-specs"] = std::move(specs);
  out["projection"] = SchemaToJson(header.projection);
  if (header.name_mapping) out["name-mapping"] = *header.name_mapping;
  if (header.ignore_file_ids) out["ignore-file-ids"] = true;
  if (header.with_deleted) out["with-deleted"] = true;
  for (const Schema& schema : header.past_schemas) {
    out["past-schemas"].push_back(SchemaToJson(schema));
  }
  return out;
}

TaskSetHeader TaskSetHeaderFromJson(Json json) {
  const JsonObject object = json.Object();
  const Schema schema = SchemaAt(object, "schema");
  TaskSetHeader header{
      .table_uuid = object.FindString("table-uuid"),
      .snapshot_id = object.FindInt64("snapshot-id"),
      .definitions = TaskDefinitions(schema),
      .projection = object.Find("projection") ? SchemaAt(object, "projection") : schema,
      .name_mapping = object.FindString("name-mapping"),
      .ignore_file_ids = object.FindBool("ignore-file-ids").value_or(false),
      .with_deleted = object.FindBool("with-deleted").value_or(false)};
  object.ForEachIn("partition-specs", [&](Json spec) {
    header.definitions.AddSpec(std::make_shared<const PartitionSpec>(PartitionSpecFromJson(spec)));
  });
  object.ForEachIn("past-schemas",
                   [&](Json past) { header.past_schemas.push_back(SchemaFromJson(past)); });
  return header;
}

}  // namespace nunatak
