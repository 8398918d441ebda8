#include "nunatak/read/cell.h"

#include <arrow/array.h>
#include <arrow/extension_type.h>
#include <arrow/record_batch.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "nunatak/read/value_reader.h"
#include "nunatak/table/value_json.h"
#include "nunatak/table/variant/variant_json.h"

namespace nunatak {

namespace {

using nlohmann::ordered_json;

ordered_json StructToJson(const Type& type, const arrow::StructArray& column, int64_t row,
                          MapForm maps) {
  ordered_json object = ordered_json::object();
  for (size_t i = 0; i < type.fields().size(); ++i) {
    const Field& field = type.fields()[i];
    // The child's own offset is the struct's.
    object[field.name] = CellToJson(field.type, *column.field(static_cast<int>(i)), row, maps);
  }
  return object;
}

ordered_json RangeToJson(const Type& type, const arrow::Array& values, int64_t begin, int64_t end,
                         MapForm maps) {
  ordered_json array = ordered_json::array();
  for (int64_t i = begin; i < end; ++i) array.push_back(CellToJson(type, values, i, maps));
  return array;
}

ordered_json ListToJson(const Type& type, const arrow::ListArray& column, int64_t row,
                        MapForm maps) {
  return RangeToJson(type.element().type, *column.values(), column.value_offset(row),
                     column.value_offset(row + 1), maps);
}

ordered_json MapToJson(const Type& type, const arrow::MapArray& column, int64_t row, MapForm maps) {
  const int64_t begin = column.value_offset(row);
  const int64_t end = column.value_offset(row + 1);
  ordered_json object = ordered_json::object();
  if (maps == MapForm::kKeysAndValues) {
    object["keys"] = RangeToJson(type.key().type, *column.keys(), begin, end, maps);
    object["values"] = RangeToJson(type.value().type, *column.items(), begin, end, maps);
    return object;
  }
  const ValueReader keys(type.key().type, *column.keys());
  for (int64_t i = begin; i < end; ++i) {
    object[ValueToText(type.key().type, keys.At(i))] =
        CellToJson(type.value().type, *column.items(), i, maps);
  }
  return object;
}

ordered_json VariantCellToJson(const arrow::ExtensionArray& column, int64_t row) {
  const auto& storage = static_cast<const arrow::StructArray&>(*column.storage());
  const auto bytes_of = [&](const char* name) {
    return AsBytes(
        static_cast<const arrow::BinaryArray&>(*storage.GetFieldByName(name)).GetView(row));
  };
  return VariantToJson(bytes_of("metadata"), bytes_of("value"));
}

Value StructToValue(const Type& type, const arrow::StructArray& column, int64_t row) {
  Value::List fields;
  for (size_t i = 0; i < type.fields().size(); ++i) {
    fields.push_back(CellToValue(type.fields()[i].type, *column.field(static_cast<int>(i)), row));
  }
  return Value::Nested(std::move(fields));
}

Value ListToValue(const Type& type, const arrow::ListArray& column, int64_t row) {
  Value::List elements;
  for (int64_t i = column.value_offset(row); i < column.value_offset(row + 1); ++i) {
    elements.push_back(CellToValue(type.element().type, *column.values(), i));
  }
  return Value::Nested(std::move(elements));
}

Value MapToValue(const Type& type, const arrow::MapArray& column, int64_t row) {
  Value::List entries;
  for (int64_t i = column.value_offset(row); i < column.value_offset(row + 1); ++i) {
    entries.push_back(Value::Nested({CellToValue(type.key().type, *column.keys(), i),
                                     CellToValue(type.value().type, *column.items(), i)}));
  }
  return Value::Nested(std::move(entries));
}

}  // namespace

ordered_json CellToJson(const Type& type, const arrow::Array& column, int64_t row, MapForm maps) {
  if (column.IsNull(row)) return nullptr;
  switch (type.id()) {
    case TypeId::kStruct:
      return StructToJson(type, static_cast<const arrow::StructArray&>(column), row, maps);
    case TypeId::kList:
      return ListToJson(type, static_cast<const arrow::ListArray&>(column), row, maps);
    case TypeId::kMap:
      return MapToJson(type, static_cast<const arrow::MapArray&>(column), row, maps);
    case TypeId::kVariant:
      return VariantCellToJson(static_cast<const arrow::ExtensionArray&>(column), row);
    default:
      return ValueToCell(type, Value::Of(ValueReader(type, column).At(row)));
  }
}

Value CellToValue(const Type& type, const arrow::Array& column, int64_t row) {
  if (column.IsNull(row)) return Value::Null();
  switch (type.id()) {
    case TypeId::kStruct:
      return StructToValue(type, static_cast<const arrow::StructArray&>(column), row);
    case TypeId::kList:
      return ListToValue(type, static_cast<const arrow::ListArray&>(column), row);
    case TypeId::kMap:
      return MapToValue(type, static_cast<const arrow::MapArray&>(column), row);
    case TypeId::kVariant:
      return Value::Bytes(VariantCellToJson(static_cast<const arrow::ExtensionArray&>(column), row)
                              .dump(-1, ' ', false, ordered_json::error_handler_t::replace));
    default:
      return Value::Of(ValueReader(type, column).At(row));
  }
}

ordered_json RowToJson(const Schema& projection, const arrow::RecordBatch& batch, int64_t row,
                       MapForm maps) {
  ordered_json object = ordered_json::object();
  for (size_t i = 0; i < projection.fields().size(); ++i) {
    const Field& field = projection.fields()[i];
    object[field.name] = CellToJson(field.type, *batch.column(static_cast<int>(i)), row, maps);
  }
  return object;
}

}  // namespace nunatak
