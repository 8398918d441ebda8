#include "nunatak/read/decode/avro_schema.h"

#include <arrow/type.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "nunatak/base/error.h"

namespace nunatak {

namespace {

using avro::LogicalType;
using avro::Node;

/// A schema may refer to a type that it defines once from many places.
constexpr int kMaxFields = 100'000;
constexpr int kMaxPrecision = 38;

std::shared_ptr<arrow::DataType> TimestampOf(arrow::TimeUnit::type unit, const Node& node) {
  return node.adjust_to_utc ? arrow::timestamp(unit, "UTC") : arrow::timestamp(unit);
}

std::shared_ptr<arrow::DataType> LongTypeOf(const Node& node) {
  switch (node.logical) {
    case LogicalType::kTimeMicros:
      return arrow::time64(arrow::TimeUnit::MICRO);
    case LogicalType::kTimestampMillis:
    case LogicalType::kLocalTimestampMillis:
      return TimestampOf(arrow::TimeUnit::MILLI, node);
    case LogicalType::kTimestampMicros:
    case LogicalType::kLocalTimestampMicros:
      return TimestampOf(arrow::TimeUnit::MICRO, node);
    case LogicalType::kTimestampNanos:
    case LogicalType::kLocalTimestampNanos:
      return TimestampOf(arrow::TimeUnit::NANO, node);
    default:
      return arrow::int64();
  }
}

std::shared_ptr<arrow::DataType> LeafTypeOf(const Node& node) {
  const bool is_decimal = node.logical == LogicalType::kDecimal && node.precision <= kMaxPrecision;
  if (is_decimal) return arrow::decimal128(node.precision, node.scale);
  switch (node.type) {
    case avro::Type::kBoolean:
      return arrow::boolean();
    case avro::Type::kInt:
      if (node.logical == LogicalType::kDate) return arrow::date32();
      if (node.logical == LogicalType::kTimeMillis) return arrow::time32(arrow::TimeUnit::MILLI);
      return arrow::int32();
    case avro::Type::kLong:
      return LongTypeOf(node);
    case avro::Type::kFloat:
      return arrow::float32();
    case avro::Type::kDouble:
      return arrow::float64();
    case avro::Type::kBytes:
      return arrow::binary();
    case avro::Type::kString:
    case avro::Type::kEnum:
      return arrow::utf8();
    case avro::Type::kFixed:
      return arrow::fixed_size_binary(static_cast<int32_t>(node.size));
    default:
      return arrow::null();
  }
}

class FieldMapper {
 public:
  FileField Map(std::string name, std::optional<int32_t> id, const Node& node) {
    if (++fields_ > kMaxFields) {
      ThrowUnsupported(fmt::format("avro schema: more than {} fields", kMaxFields));
    }
    FileField field;
    field.name = std::move(name);
    field.id = id;
    const Node* value = ValueTypeOf(node);
    if (value == nullptr) return Leaf(std::move(field), arrow::dense_union(arrow::FieldVector{}));
    switch (value->type) {
      case avro::Type::kRecord:
        return Record(std::move(field), *value);
      case avro::Type::kArray:
        return IsMap(*value) ? MapOfEntries(std::move(field), *value->item)
                             : List(std::move(field), *value);
      case avro::Type::kMap:
        return MapOfStrings(std::move(field), *value);
      default:
        return Leaf(std::move(field), LeafTypeOf(*value));
    }
  }

  std::vector<FileField> MapFields(const Node& record) {
    if (std::ranges::find(open_records_, &record) != open_records_.end()) {
      ThrowUnsupported(fmt::format("avro schema: the type '{}' is recursive", record.name));
    }
    open_records_.push_back(&record);
    std::vector<FileField> fields;
    for (const avro::Field& field : record.fields) {
      fields.push_back(
          Map(field.iceberg_name.empty() ? field.name : field.iceberg_name, field.id, *field.type));
    }
    open_records_.pop_back();
    return fields;
  }

 private:
  FileField Leaf(FileField field, std::shared_ptr<arrow::DataType> type) {
    field.type = std::move(type);
    field.leaf = leaves_++;
    return field;
  }

  FileField Record(FileField field, const Node& record) {
    field.children = MapFields(record);
    arrow::FieldVector fields;
    for (const FileField& child : field.children) {
      fields.push_back(arrow::field(child.name, child.type));
    }
    field.type = arrow::struct_(std::move(fields));
    return field;
  }

  FileField List(FileField field, const Node& array) {
    field.children.push_back(Map("element", array.element_id, *array.item));
    field.type = arrow::list(field.children[0].type);
    return field;
  }

  FileField MapOfEntries(FileField field, const Node& entry) {
    field.children = MapFields(entry);
    field.type = arrow::map(field.children[0].type, field.children[1].type);
    return field;
  }

  FileField MapOfStrings(FileField field, const Node& map) {
    FileField key;
    key.name = "key";
    key.id = map.key_id;
    field.children.push_back(Leaf(std::move(key), arrow::utf8()));
    field.children.push_back(Map("value", map.value_id, *map.item));
    field.type = arrow::map(arrow::utf8(), field.children[1].type);
    return field;
  }

  int fields_ = 0;
  int leaves_ = 0;
  /// The records around the current one.
  std::vector<const Node*> open_records_;
};

}  // namespace

std::vector<FileField> FileFieldsOf(const avro::Node& root) {
  if (root.type != avro::Type::kRecord) {
    ThrowInvalid(fmt::format("avro schema: the file holds values of type '{}', not records",
                             avro::ToString(root.type)));
  }
  return FieldMapper().MapFields(root);
}

const avro::Node* ValueTypeOf(const avro::Node& node) {
  if (node.type != avro::Type::kUnion) return &node;
  const Node* value = node.branches[0];
  for (const Node* branch : node.branches) {
    if (branch->type == avro::Type::kNull) continue;
    if (value->type != avro::Type::kNull && value != branch) return nullptr;
    value = branch;
  }
  return value;
}

bool IsMap(const avro::Node& array) {
  return array.logical == LogicalType::kMap && array.item->type == avro::Type::kRecord &&
         array.item->fields.size() == 2;
}

}  // namespace nunatak
