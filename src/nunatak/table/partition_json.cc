#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "nunatak/base/ascii_case.h"
#include "nunatak/base/error.h"
#include "nunatak/table/schema_json.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

/// The first id that v1 tables, which record none, give to the fields of a spec.
constexpr int32_t kFirstPartitionFieldId = 1000;

/// `source-ids`, or else `source-id`; one at least.
std::vector<int32_t> ParseSourceIds(const JsonObject& object) {
  std::vector<int32_t> ids;
  object.ForEachIn("source-ids", [&](Json id) { ids.push_back(id.Int32()); });
  if (ids.empty()) ids.push_back(object.Int32("source-id"));
  return ids;
}

/// No transform of several arguments is known by its meaning; such a field can only be carried.
Transform ParseTransform(const JsonObject& object, size_t arguments) {
  std::string text = object.String("transform");
  Transform transform = WithContext("transform", [&] { return Transform::Parse(text); });
  if (arguments == 1 || transform.id() == TransformId::kVoid) return transform;
  return Transform::Unknown(std::move(text));
}

void WriteSourceIds(const std::vector<int32_t>& ids, ordered_json* json) {
  if (ids.size() == 1) {
    (*json)["source-id"] = ids.front();
  } else {
    (*json)["source-ids"] = ids;
  }
}

/// Which of two words a field holds, without case: false for the first, true for the second.
bool ParseChoice(const JsonObject& object, std::string_view key, std::string_view first,
                 std::string_view second) {
  const std::string text = object.String(key);
  if (EqualsIgnoreCase(text, first)) return false;
  if (EqualsIgnoreCase(text, second)) return true;
  ThrowInvalid(fmt::format("{}: expected '{}' or '{}', got '{}'", key, first, second, text));
}

}  // namespace

std::vector<PartitionField> PartitionFieldsFromJson(JsonArray array) {
  std::vector<PartitionField> fields;
  size_t without_id = 0;
  array.ForEach([&](Json json) {
    const JsonObject object = json.Object();
    const std::optional<int32_t> field_id = object.FindInt32("field-id");
    if (!field_id) ++without_id;
    PartitionField& field = fields.emplace_back();
    field.source_ids = ParseSourceIds(object);
    field.field_id =
        field_id.value_or(kFirstPartitionFieldId + static_cast<int32_t>(fields.size() - 1));
    field.name = object.String("name");
    field.transform = ParseTransform(object, field.source_ids.size());
  });
  if (without_id != 0 && without_id != fields.size()) {
    ThrowInvalid(
        fmt::format("field-id is missing in {} of {} partition fields", without_id, fields.size()));
  }
  return fields;
}

PartitionSpec PartitionSpecFromJson(Json json) {
  const JsonObject object = json.Object();
  PartitionSpec spec;
  spec.spec_id = object.Int32("spec-id");
  const Json fields = object.At("fields");
  spec.fields = WithContext("fields", [&] { return PartitionFieldsFromJson(fields.Array()); });
  return spec;
}

ordered_json PartitionSpecToJson(const PartitionSpec& spec) {
  ordered_json fields = ordered_json::array();
  for (const PartitionField& field : spec.fields) {
    ordered_json json = {{"name", field.name}, {"transform", field.transform.ToString()}};
    WriteSourceIds(field.source_ids, &json);
    json["field-id"] = field.field_id;
    fields.push_back(std::move(json));
  }
  return {{"spec-id", spec.spec_id}, {"fields", std::move(fields)}};
}

SortOrder SortOrderFromJson(Json json) {
  const JsonObject object = json.Object();
  SortOrder order;
  order.order_id = object.Int32("order-id");
  object.At("fields");
  object.ForEachIn("fields", [&](Json item) {
    const JsonObject part = item.Object();
    SortField& field = order.fields.emplace_back();
    field.source_ids = ParseSourceIds(part);
    field.transform = ParseTransform(part, field.source_ids.size());
    field.direction = ParseChoice(part, "direction", "asc", "desc") ? SortDirection::kDescending
                                                                    : SortDirection::kAscending;
    field.null_order = ParseChoice(part, "null-order", "nulls-first", "nulls-last")
                           ? NullOrder::kNullsLast
                           : NullOrder::kNullsFirst;
  });
  return order;
}

ordered_json SortOrderToJson(const SortOrder& order) {
  ordered_json fields = ordered_json::array();
  for (const SortField& field : order.fields) {
    ordered_json json = {{"transform", field.transform.ToString()}};
    WriteSourceIds(field.source_ids, &json);
    json["direction"] = field.direction == SortDirection::kAscending ? "asc" : "desc";
    json["null-order"] = field.null_order == NullOrder::kNullsFirst ? "nulls-first" : "nulls-last";
    fields.push_back(std::move(json));
  }
  return {{"order-id", order.order_id}, {"fields", std::move(fields)}};
}

}  // namespace nunatak
