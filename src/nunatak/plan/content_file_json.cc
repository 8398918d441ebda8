#include "nunatak/plan/content_file_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "nunatak/base/ascii_case.h"
#include "nunatak/base/error.h"
#include "nunatak/base/int128.h"
#include "nunatak/table/schema.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

/// A metric map of counts, or of bounds, and where its values lie in `ColumnMetrics`. The position
/// in these lists is the bit in `DataFile::metric_maps`.
struct CountMap {
  std::string_view name;
  std::optional<int64_t> ColumnMetrics::* member;
};
struct BoundMap {
  std::string_view name;
  std::optional<std::string> ColumnMetrics::* member;
};
constexpr std::array<CountMap, 4> kCountMaps = {{
    {"column-sizes", &ColumnMetrics::column_size},
    {"value-counts", &ColumnMetrics::value_count},
    {"null-value-counts", &ColumnMetrics::null_value_count},
    {"nan-value-counts", &ColumnMetrics::nan_value_count},
}};
constexpr std::array<BoundMap, 2> kBoundMaps = {{
    {"lower-bounds", &ColumnMetrics::lower_bound},
    {"upper-bounds", &ColumnMetrics::upper_bound},
}};

ordered_json BytesToJson(const std::string& bytes) { return ToHex(AsBytes(bytes)); }

std::string BytesFromJson(Json json) {
  const Value value = ValueFromJson(TypeId::kBinary, json);
  if (value.is_null()) ThrowInvalid("expected hexadecimal digits, found null");
  return value.bytes();
}

/// A value whose type no schema can tell any more (its source column was dropped, its transform is
/// unknown): a number, or bytes as hexadecimal digits.
ordered_json UntypedToJson(const Value& value) {
  switch (value.view().kind) {
    case ValueView::Kind::kNull:
      return nullptr;
    case ValueView::Kind::kInteger:
      return value.integer();
    case ValueView::Kind::kReal:
      return ValueToJson(TypeId::kDouble, value);
    case ValueView::Kind::kDecimal:
      return BytesToJson(ToMinimalBigEndian(value.decimal()));
    case ValueView::Kind::kBytes:
      return BytesToJson(value.bytes());
  }
  return nullptr;
}

Value UntypedFromJson(Json json) {
  if (json.IsNull()) return Value::Null();
  if (json.IsInt64()) return Value::Integer(json.Int64());
  if (json.IsNumber()) return Value::Real(json.Double());
  return Value::Bytes(BytesFromJson(json));
}

ordered_json PartitionToJson(const DataFile& file, const Type& type) {
  ordered_json array = ordered_json::array();
  for (size_t i = 0; i < file.partition.size(); ++i) {
    const bool typed = i < type.fields().size() && type.fields()[i].type.id() != TypeId::kUnknown;
    array.push_back(typed ? ValueToJson(type.fields()[i].type, file.partition[i])
                          : UntypedToJson(file.partition[i]));
  }
  return array;
}

Value PartitionValueFromJson(Json json, const Type& type) {
  return type.id() == TypeId::kUnknown ? UntypedFromJson(json) : ValueFromJson(type, json);
}

std::vector<Value> PartitionFromArray(JsonArray array, const Type& type) {
  if (array.size() != type.fields().size()) {
    ThrowInvalid(fmt::format("{} partition values, but the spec has {} fields", array.size(),
                             type.fields().size()));
  }
  std::vector<Value> partition;
  array.ForEach([&](Json value) {
    const Type& field = type.fields()[partition.size()].type;
    partition.push_back(PartitionValueFromJson(value, field));
  });
  return partition;
}

/// A JSON single value of the partition's struct, keyed by field id, as Java wrote it before it
/// followed the REST specification: a null value may be left out.
std::vector<Value> PartitionFromObject(const JsonObject& object, const Type& type) {
  std::vector<Value> partition;
  for (const Field& field : type.fields()) {
    const std::optional<Json> value = object.Find(std::to_string(field.id));
    partition.push_back(
        value ? WithContext(std::to_string(field.id),
                            [&] { return PartitionValueFromJson(*value, field.type); })
              : Value::Null());
  }
  return partition;
}

std::vector<Value> PartitionFromJson(Json json, const Type& type) {
  return json.IsObject() ? PartitionFromObject(json.Object(), type)
                         : PartitionFromArray(json.Array(), type);
}

template <typename T, typename ToJson>
void PutMetricMap(const DataFile& file, std::string_view name,
                  std::optional<T> ColumnMetrics::* member, bool present, ToJson to_json,
                  ordered_json* out) {
  ordered_json keys = ordered_json::array();
  ordered_json values = ordered_json::array();
  for (const ColumnMetrics& column : file.metrics) {
    if (!(column.*member)) continue;
    keys.push_back(column.field_id);
    values.push_back(to_json(*(column.*member)));
  }
  if (!present && keys.empty()) return;
  (*out)[std::string(name)] = {{"keys", std::move(keys)}, {"values", std::move(values)}};
}

void PutMetrics(const DataFile& file, ordered_json* out) {
  int bit = 0;
  const auto next_is_present = [&] { return ((file.metric_maps >> bit++) & 1) != 0; };
  for (const CountMap& map : kCountMaps) {
    PutMetricMap(file, map.name, map.member, next_is_present(), [](int64_t n) { return n; }, out);
  }
  for (const BoundMap& map : kBoundMaps) {
    PutMetricMap(file, map.name, map.member, next_is_present(), BytesToJson, out);
  }
}

using MetricsById = std::map<int32_t, ColumnMetrics>;

template <typename T, typename FromJson>
void ReadMetricMap(Json map, std::optional<T> ColumnMetrics::* member, FromJson from_json,
                   MetricsById* metrics) {
  std::vector<int32_t> ids;
  const JsonObject object = map.Object();
  object.ForEachIn("keys", [&](Json key) { ids.push_back(key.Int32()); });
  size_t i = 0;
  object.ForEachIn("values", [&](Json value) {
    if (i == ids.size()) ThrowInvalid("more values than keys");
    ColumnMetrics& column = (*metrics)[ids[i]];
    column.field_id = ids[i++];
    column.*member = from_json(value);
  });
  if (i != ids.size()) ThrowInvalid("fewer values than keys");
}

void ReadMetrics(const JsonObject& object, DataFile* file) {
  MetricsById metrics;
  int bit = 0;
  const auto read = [&](const auto& map, auto from_json) {
    if (const std::optional<Json> json = object.Find(map.name)) {
      WithContext(map.name, [&] { ReadMetricMap(*json, map.member, from_json, &metrics); });
      file->metric_maps |= static_cast<uint8_t>(1 << bit);
    }
    ++bit;
  };
  for (const CountMap& map : kCountMaps) read(map, [](Json value) { return value.Int64(); });
  for (const BoundMap& map : kBoundMaps) read(map, BytesFromJson);
  for (auto& [id, column] : metrics) file->metrics.push_back(std::move(column));
}

/// In the REST specification's spelling, or upper-case with underscores, as Java wrote it once.
FileContent ParseContent(std::string_view text) {
  std::string lower = ToLowerAscii(text);
  std::replace(lower.begin(), lower.end(), '_', '-');
  for (FileContent content :
       {FileContent::kData, FileContent::kPositionDeletes, FileContent::kEqualityDeletes}) {
    if (lower == ToString(content)) return content;
  }
  ThrowUnsupported(fmt::format("unknown content '{}'", text));
}

template <typename T>
void PutIfPresent(std::string_view name, const std::optional<T>& value, ordered_json* out) {
  if (value) (*out)[std::string(name)] = *value;
}

template <typename T, typename FromJson>
std::optional<std::vector<T>> FindList(const JsonObject& object, std::string_view name,
                                       FromJson from_json) {
  if (!object.Find(name)) return std::nullopt;
  std::vector<T> list;
  object.ForEachIn(name, [&](Json value) { list.push_back(from_json(value)); });
  return list;
}

}  // namespace

ordered_json ContentFileToJson(const DataFile& file, const TaskDefinitions& definitions) {
  ordered_json out;
  out["content"] = ToString(file.content);
  out["file-path"] = file.file_path;
  out["file-format"] = ToLowerAscii(ToString(file.file_format));
  out["spec-id"] = file.partition_spec_id;
  out["partition"] = PartitionToJson(file, definitions.partition_type(file.partition_spec_id));
  out["file-size-in-bytes"] = file.file_size_in_bytes;
  out["record-count"] = file.record_count;
  PutMetrics(file, &out);
  if (file.key_metadata) out["key-metadata"] = BytesToJson(*file.key_metadata);
  PutIfPresent("split-offsets", file.split_offsets, &out);
  PutIfPresent("equality-ids", file.equality_ids, &out);
  PutIfPresent("sort-order-id", file.sort_order_id, &out);
  PutIfPresent("first-row-id", file.first_row_id, &out);
  PutIfPresent("referenced-data-file", file.referenced_data_file, &out);
  PutIfPresent("content-offset", file.content_offset, &out);
  PutIfPresent("content-size-in-bytes", file.content_size_in_bytes, &out);
  return out;
}

DataFile ContentFileFromJson(Json json, const TaskDefinitions& definitions) {
  const JsonObject object = json.Object();
  DataFile file;
  file.content = ParseContent(object.String("content"));
  file.file_path = object.String("file-path");
  file.file_format = ParseFileFormat(object.String("file-format"));
  file.partition_spec_id = object.Int32("spec-id");
  const Type& partition_type = definitions.partition_type(file.partition_spec_id);
  file.partition = WithContext(
      "partition", [&] { return PartitionFromJson(object.At("partition"), partition_type); });
  file.file_size_in_bytes = object.Int64("file-size-in-bytes");
  file.record_count = object.Int64("record-count");
  ReadMetrics(object, &file);
  if (const std::optional<Json> key = object.Find("key-metadata")) {
    file.key_metadata = WithContext("key-metadata", [&] { return BytesFromJson(*key); });
  }
  file.split_offsets =
      FindList<int64_t>(object, "split-offsets", [](Json value) { return value.Int64(); });
  file.equality_ids =
      FindList<int32_t>(object, "equality-ids", [](Json value) { return value.Int32(); });
  file.sort_order_id = object.FindInt32("sort-order-id");
  file.first_row_id = object.FindInt64("first-row-id");
  file.referenced_data_file = object.FindString("referenced-data-file");
  file.content_offset = object.FindInt64("content-offset");
  file.content_size_in_bytes = object.FindInt64("content-size-in-bytes");
  return file;
}

}  // namespace nunatak
