#include "nunatak/read/cell_text.h"

#include <arrow/array.h>
#include <arrow/extension_type.h>
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "nunatak/read/cell.h"
#include "nunatak/read/text_escape.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

namespace {

bool IsPrimitive(const Type& type) {
  return !type.is_struct() && type.id() != TypeId::kList && type.id() != TypeId::kMap &&
         type.id() != TypeId::kVariant;
}

/// Whether JSON has the value as a number or boolean; all else is a string.
bool IsBare(const Type& type, const ValueView& value) {
  if (value.kind == ValueView::Kind::kReal) return std::isfinite(value.real);
  return value.kind == ValueView::Kind::kInteger && type.id() <= TypeId::kLong;
}

/// The text of a value that is neither null nor a string.
void AppendPlain(const Type& type, const ValueView& value, std::string* out) {
  if (type.id() == TypeId::kInt || type.id() == TypeId::kLong) {
    const fmt::format_int digits(value.integer);
    out->append(digits.data(), digits.size());
  } else {
    *out += ValueToText(type, value);
  }
}

/// Passes the text of a string on, valid UTF-8 whatever the file holds.
template <typename Append>
void WithValidText(const Type& type, const ValueView& value, Append&& append) {
  const bool valid = ValidUtf8Prefix(value.text()).size() == value.text().size();
  valid ? append(value.text()) : append(ValueToText(type, value));
}

}  // namespace

CellText::CellText(const Type& type, std::shared_ptr<arrow::Array> column, MapForm maps)
    : type_(type), column_(std::move(column)), maps_(maps), values_(type_, *column_) {
  switch (type_.id()) {
    case TypeId::kStruct: {
      const auto& structs = static_cast<const arrow::StructArray&>(*column_);
      for (size_t i = 0; i < type_.fields().size(); ++i) {
        const Field& field = type_.fields()[i];
        AppendJsonString(field.name, &keys_.emplace_back());
        keys_.back() += ':';
        // The child's own offset is the struct's.
        parts_.emplace_back(field.type, structs.field(static_cast<int>(i)), maps_);
      }
      break;
    }
    case TypeId::kList:
      parts_.emplace_back(type_.element().type,
                          static_cast<const arrow::ListArray&>(*column_).values(), maps_);
      break;
    case TypeId::kMap: {
      const auto& entries = static_cast<const arrow::MapArray&>(*column_);
      parts_.emplace_back(type_.key().type, entries.keys(), maps_);
      parts_.emplace_back(type_.value().type, entries.items(), maps_);
      break;
    }
    default:
      break;
  }
}

void CellText::AppendJson(int64_t row, std::string* out) const {
  if (column_->IsNull(row)) {
    *out += "null";
    return;
  }
  switch (type_.id()) {
    case TypeId::kStruct:
      return AppendStruct(row, out);
    case TypeId::kList: {
      const auto& lists = static_cast<const arrow::ListArray&>(*column_);
      return AppendRange(parts_[0], lists.value_offset(row), lists.value_offset(row + 1), out);
    }
    case TypeId::kMap:
      return AppendMap(row, out);
    case TypeId::kVariant:
      return AppendVariant(row, out);
    default:
      break;
  }
  const ValueView value = values_.At(row);
  if (type_.id() == TypeId::kString) {
    WithValidText(type_, value, [&](std::string_view text) { AppendJsonString(text, out); });
  } else if (IsBare(type_, value)) {
    AppendPlain(type_, value, out);
  } else {
    *out += '"';
    AppendPlain(type_, value, out);
    *out += '"';
  }
}

void CellText::AppendCsv(int64_t row, std::string* out) const {
  if (column_->IsNull(row)) return;
  if (!IsPrimitive(type_)) {
    std::string json;
    AppendJson(row, &json);
    return AppendCsvField(json, out);
  }
  const ValueView value = values_.At(row);
  if (type_.id() == TypeId::kString) {
    return WithValidText(type_, value, [&](std::string_view text) { AppendCsvField(text, out); });
  }
  const size_t before = out->size();
  AppendPlain(type_, value, out);
  // Of numbers, dates and hexadecimal digits, those of no bytes alone need quotes.
  if (out->size() == before) AppendCsvField("", out);
}

void CellText::AppendStruct(int64_t row, std::string* out) const {
  *out += '{';
  for (size_t i = 0; i < parts_.size(); ++i) {
    if (i > 0) *out += ',';
    *out += keys_[i];
    parts_[i].AppendJson(row, out);
  }
  *out += '}';
}

void CellText::AppendMap(int64_t row, std::string* out) const {
  const auto& entries = static_cast<const arrow::MapArray&>(*column_);
  const int64_t begin = entries.value_offset(row);
  const int64_t end = entries.value_offset(row + 1);
  if (maps_ == MapForm::kObject) {
    *out += '{';
    for (int64_t i = begin; i < end; ++i) {
      if (i > begin) *out += ',';
      parts_[0].AppendKey(i, out);
      *out += ':';
      parts_[1].AppendJson(i, out);
    }
    *out += '}';
    return;
  }
  *out += "{\"keys\":";
  AppendRange(parts_[0], begin, end, out);
  *out += ",\"values\":";
  AppendRange(parts_[1], begin, end, out);
  *out += '}';
}

void CellText::AppendKey(int64_t row, std::string* out) const {
  AppendJsonString(ValueToText(type_, values_.At(row)), out);
}

void CellText::AppendVariant(int64_t row, std::string* out) const {
  *out += CellToJson(type_, *column_, row)
              .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void CellText::AppendRange(const CellText& values, int64_t begin, int64_t end,
                           std::string* out) const {
  *out += '[';
  for (int64_t i = begin; i < end; ++i) {
    if (i > begin) *out += ',';
    values.AppendJson(i, out);
  }
  *out += ']';
}

}  // namespace nunatak
