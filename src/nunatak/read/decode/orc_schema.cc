#include "nunatak/read/decode/orc_schema.h"

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/type.h>
#include <arrow/util/key_value_metadata.h>
#include <fmt/format.h>

#include <charconv>
#include <string>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/arrow_error.h"

namespace nunatak {

namespace {

using ArrayDataPtr = std::shared_ptr<arrow::ArrayData>;

std::string AttributeOf(const arrow::Field& field, const std::string& name) {
  return field.HasMetadata() ? field.metadata()->Get(name).ValueOr("") : "";
}

std::optional<int32_t> NumberOf(const arrow::Field& field, const std::string& name) {
  const std::string text = AttributeOf(field, name);
  int32_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return number;
}

/// What stands for values that are not read.
bool IsUnread(const arrow::DataType& type) { return arrow::is_union(type.id()); }

std::shared_ptr<arrow::DataType> LeafTypeOf(const arrow::Field& field) {
  // A CHAR, which Arrow's reader copies at its full width, however short a value of it is.
  if (field.type()->id() == arrow::Type::FIXED_SIZE_BINARY) {
    return arrow::dense_union(arrow::FieldVector{});
  }
  if (field.type()->id() == arrow::Type::INT64 &&
      AttributeOf(field, "iceberg.long-type") == "TIME") {
    return arrow::time64(arrow::TimeUnit::MICRO);
  }
  if (field.type()->id() != arrow::Type::BINARY) return field.type();
  const std::string binary_type = AttributeOf(field, "iceberg.binary-type");
  if (binary_type == "UUID") return arrow::fixed_size_binary(16);
  const std::optional<int32_t> length = NumberOf(field, "iceberg.length");
  if (binary_type == "FIXED" && length && *length >= 0) return arrow::fixed_size_binary(*length);
  return field.type();
}

class FieldMapper {
 public:
  std::vector<FileField> Map(const arrow::FieldVector& fields) {
    std::vector<FileField> result;
    for (const auto& field : fields) result.push_back(Map(*field));
    return result;
  }

 private:
  FileField Map(const arrow::Field& field) {
    FileField result;
    result.name = field.name();
    result.id = NumberOf(field, "iceberg.id");
    result.type = field.type();
    switch (field.type()->id()) {
      case arrow::Type::STRUCT:
      case arrow::Type::LIST:
        result.children = Map(field.type()->fields());
        break;
      case arrow::Type::MAP:
        // The struct between a map and its key and value is no field of the table's.
        result.children = Map(field.type()->field(0)->type()->fields());
        break;
      default:
        result.type = LeafTypeOf(field);
        result.leaf = leaves_++;
    }
    return result;
  }

  int leaves_ = 0;
};

/// Values of one length each, as an array of fixed width.
ArrayDataPtr WithFixedWidth(const FileField& field, const ArrayDataPtr& data) {
  const arrow::BinaryArray values(data);
  arrow::FixedSizeBinaryBuilder builder(field.type);
  CheckOk(builder.Reserve(values.length()));
  for (int64_t i = 0; i < values.length(); ++i) {
    if (values.IsNull(i)) {
      builder.UnsafeAppendNull();
      continue;
    }
    const std::string_view value = values.GetView(i);
    if (static_cast<int32_t>(value.size()) != builder.byte_width()) {
      ThrowInvalid(fmt::format("column {}: a value of {} bytes, where all should have {}",
                               field.name, value.size(), builder.byte_width()));
    }
    builder.UnsafeAppend(value);
  }
  return ValueOrThrow(builder.Finish())->data();
}

ArrayDataPtr LeafOf(const FileField& field, const ArrayDataPtr& data) {
  if (data->type->Equals(*field.type)) return data;
  if (field.type->id() == arrow::Type::FIXED_SIZE_BINARY) return WithFixedWidth(field, data);
  ArrayDataPtr result = data->Copy();
  result->type = field.type;
  return result;
}

ArrayDataPtr StructOf(const std::vector<FileField>& fields, const ArrayDataPtr& data) {
  ArrayDataPtr result = data->Copy();
  result->child_data.clear();
  arrow::FieldVector types;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!fields[i].selected) continue;
    result->child_data.push_back(SelectedOf(fields[i], data->child_data[i]));
    types.push_back(arrow::field(fields[i].name, result->child_data.back()->type));
  }
  result->type = arrow::struct_(std::move(types));
  return result;
}

}  // namespace

std::vector<FileField> OrcFieldsOf(const arrow::FieldVector& fields) {
  return FieldMapper().Map(fields);
}

void RefuseUnsafe(const FileField& field) {
  if (IsUnread(*field.type)) {
    ThrowUnsupported(
        fmt::format("column {}: CHAR and union values in ORC are not supported", field.name));
  }
  for (const FileField& child : field.children) RefuseUnsafe(child);
}

ArrayDataPtr SelectedOf(const FileField& field, const ArrayDataPtr& data) {
  if (field.is_leaf()) return LeafOf(field, data);
  if (field.type->id() == arrow::Type::STRUCT) return StructOf(field.children, data);
  ArrayDataPtr result = data->Copy();
  const bool is_map = field.type->id() == arrow::Type::MAP;
  const ArrayDataPtr items = is_map ? StructOf(field.children, data->child_data[0])
                                    : SelectedOf(field.children[0], data->child_data[0]);
  result->child_data = {items};
  const bool is_whole_map = is_map && items->child_data.size() == 2;
  result->type = is_whole_map
                     ? std::make_shared<arrow::MapType>(items->type->field(0)->WithNullable(false),
                                                        items->type->field(1))
                     : arrow::list(items->type);
  return result;
}

}  // namespace nunatak
