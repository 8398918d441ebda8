#include "nunatak/read/row_encoder.h"

#include <arrow/array.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "nunatak/read/cell.h"
#include "nunatak/read/value_bytes.h"
#include "nunatak/read/value_reader.h"

namespace nunatak {

/// A column, or a part of a nested one.
struct RowEncoder::Cell {
  Cell(const Type& of, std::shared_ptr<arrow::Array> values)
      : type(of), array(std::move(values)), reader(of, *array), width(IntegerWidth(of)) {
    switch (type.id()) {
      case TypeId::kStruct:
        for (size_t i = 0; i < type.fields().size(); ++i) {
          // The child's own offset is the struct's.
          children.emplace_back(
              type.fields()[i].type,
              static_cast<const arrow::StructArray&>(*array).field(static_cast<int>(i)));
        }
        break;
      case TypeId::kList:
        children.emplace_back(type.element().type,
                              static_cast<const arrow::ListArray&>(*array).values());
        break;
      case TypeId::kMap: {
        const auto& map = static_cast<const arrow::MapArray&>(*array);
        children.emplace_back(type.key().type, map.keys());
        children.emplace_back(type.value().type, map.items());
        break;
      }
      default:
        break;
    }
  }

  void Append(int64_t row, std::string* out) const {
    if (array->IsNull(row)) return AppendValueBytes(ValueView(), width, out);
    switch (type.id()) {
      case TypeId::kStruct:
        AppendValueBytes(ValueView::Integer(1), 1, out);
        for (const Cell& child : children) child.Append(row, out);
        return;
      case TypeId::kList:
        return AppendList(row, out);
      case TypeId::kMap:
        return AppendMap(row, out);
      case TypeId::kVariant:
        return AppendVariant(row, out);
      default:
        return AppendValueBytes(reader.At(row), width, out);
    }
  }

  void AppendList(int64_t row, std::string* out) const {
    const auto& list = static_cast<const arrow::ListArray&>(*array);
    const int64_t begin = list.value_offset(row), end = list.value_offset(row + 1);
    AppendValueBytes(ValueView::Integer(end - begin), sizeof(int64_t), out);
    for (int64_t i = begin; i < end; ++i) children[0].Append(i, out);
  }

  void AppendMap(int64_t row, std::string* out) const {
    const auto& map = static_cast<const arrow::MapArray&>(*array);
    const int64_t begin = map.value_offset(row), end = map.value_offset(row + 1);
    AppendValueBytes(ValueView::Integer(end - begin), sizeof(int64_t), out);
    std::vector<std::string> entries(static_cast<size_t>(end - begin));
    for (int64_t i = begin; i < end; ++i) {
      for (const Cell& child : children) child.Append(i, &entries[static_cast<size_t>(i - begin)]);
    }
    std::sort(entries.begin(), entries.end());
    for (const std::string& entry : entries) out->append(entry);
  }

  void AppendVariant(int64_t row, std::string* out) const {
    const std::string text = CellToJson(type, *array, row)
                                 .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    AppendValueBytes(ValueView::Bytes(text), width, out);
  }

  Type type;
  std::shared_ptr<arrow::Array> array;
  ValueReader reader;
  size_t width;
  std::vector<Cell> children;
};

RowEncoder::RowEncoder(std::span<const Field> fields,
                       std::span<const std::shared_ptr<arrow::Array>> columns) {
  for (size_t i = 0; i < fields.size(); ++i) cells_.emplace_back(fields[i].type, columns[i]);
}

RowEncoder::~RowEncoder() = default;
RowEncoder::RowEncoder(RowEncoder&&) noexcept = default;

void RowEncoder::Append(int64_t row, std::string* out) const {
  for (const Cell& cell : cells_) cell.Append(row, out);
}

}  // namespace nunatak
