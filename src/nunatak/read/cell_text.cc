#include "nunatak/read/cell_text.h"

#include <arrow/array.h>
#include <arrow/extension_type.h>
#include <arrow/util/bit_util.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "nunatak/base/plain_ascii.h"
#include "nunatak/read/cell.h"
#include "nunatak/read/text_escape.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

namespace {

/// Whether JSON has the value as a number or boolean; all else is a string.
bool IsBare(TypeId id, const ValueView& value) {
  if (value.kind == ValueView::Kind::kReal) return std::isfinite(value.real);
  return value.kind == ValueView::Kind::kInteger && id <= TypeId::kLong;
}

/// Digits and a sign.
constexpr size_t kMostDigits = 20;

int DigitsOf(uint64_t number) {
  static constexpr auto kPowersOfTen = [] {
    std::array<uint64_t, 20> powers{1};
    for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
    return powers;
  }();
  number |= 1;  // Zero has a digit too.
  // log10(2) is about 1233 / 4096.
  const int least = (std::bit_width(number) * 1233) >> 12;
  return least + (number >= kPowersOfTen[static_cast<size_t>(least)] ? 1 : 0);
}

/// Writes digits to `at`, where `kMostDigits` have room; returns where they end.
char* PutInteger(int64_t value, char* at) {
  static constexpr auto kPairs = [] {
    std::array<char, 200> pairs{};
    for (size_t i = 0; i < 100; ++i) {
      pairs[2 * i] = static_cast<char>('0' + i / 10);
      pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
    return pairs;
  }();
  auto left = static_cast<uint64_t>(value);
  if (value < 0) {
    *at++ = '-';
    left = 0 - left;
  }
  char* const end = at + DigitsOf(left);
  char* digits = end;
  for (; left >= 100; left /= 100) std::memcpy(digits -= 2, &kPairs[2 * (left % 100)], 2);
  if (left >= 10) {
    std::memcpy(digits - 2, &kPairs[2 * left], 2);
  } else {
    digits[-1] = static_cast<char>('0' + left);
  }
  return end;
}

void AppendInteger(int64_t value, TextBuffer* out) {
  char* begin = out->Room(kMostDigits);
  out->Added(static_cast<size_t>(PutInteger(value, begin) - begin));
}

/// As `ToHex`.
char* PutHex(std::string_view bytes, char* at) {
  static constexpr auto kPairs = [] {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::array<char, 512> pairs{};
    for (size_t i = 0; i < 256; ++i) {
      pairs[2 * i] = kDigits[i >> 4];
      pairs[2 * i + 1] = kDigits[i & 15];
    }
    return pairs;
  }();
  for (const char c : bytes) {
    std::memcpy(at, &kPairs[2 * size_t{static_cast<uint8_t>(c)}], 2);
    at += 2;
  }
  return at;
}

void AppendHex(std::string_view bytes, TextBuffer* out) {
  PutHex(bytes, out->Extend(bytes.size() * 2));
}

/// `"12":`
char* PutKey(int32_t key, char* at) {
  *at++ = '"';
  at = PutInteger(key, at);
  *at++ = '"';
  *at++ = ':';
  return at;
}

/// Room for a comma and what `PutKey` writes.
constexpr size_t kMostKey = kMostDigits + 4;

/// Items of an object, from field ids to counts or bytes, which tables of files have by the dozen
/// in each row: none is null.
void AppendItems(const arrow::Int32Array& keys, const arrow::Int64Array& values, int64_t begin,
                 int64_t end, TextBuffer* out) {
  constexpr size_t kMostItem = kMostKey + kMostDigits;
  char* const from = out->Room(static_cast<size_t>(end - begin) * kMostItem);
  char* at = from;
  for (int64_t i = begin; i < end; ++i) {
    if (i > begin) *at++ = ',';
    at = PutInteger(values.Value(i), PutKey(keys.Value(i), at));
  }
  out->Added(static_cast<size_t>(at - from));
}

void AppendItems(const arrow::Int32Array& keys, const arrow::BinaryArray& values, int64_t begin,
                 int64_t end, TextBuffer* out) {
  for (int64_t i = begin; i < end; ++i) {
    const std::string_view value = values.GetView(i);
    char* const from = out->Room(kMostKey + 2 * value.size() + 2);
    char* at = from;
    if (i > begin) *at++ = ',';
    at = PutKey(keys.Value(i), at);
    *at++ = '"';
    at = PutHex(value, at);
    *at++ = '"';
    out->Added(static_cast<size_t>(at - from));
  }
}

std::string_view TextAt(const arrow::Array& column, int64_t row) {
  return static_cast<const arrow::StringArray&>(column).GetView(row);
}

bool IsValidUtf8(std::string_view text) { return ValidUtf8Prefix(text).size() == text.size(); }

}  // namespace

/// A struct as what its rows have in common and the cells in between, structs in structs laid out
/// flat: a row touches one line of memory for a cell, not those of an object for each.
struct CellText::StructText {
  struct Cell {
    /// Where the text before the cell ends, which begins where that before the last one ends.
    size_t text_end = 0;
    /// The values and validity bits of a column of longs, the type of most; else null.
    const int64_t* longs = nullptr;
    const uint8_t* valid = nullptr;
    int64_t offset = 0;
    const CellText* any = nullptr;
  };

  std::vector<CellText> fields;
  std::string text;
  std::vector<Cell> cells;
};

std::shared_ptr<const CellText::StructText> CellText::MakeStructText() const {
  const auto& structs = static_cast<const arrow::StructArray&>(*column_);
  auto made = std::make_shared<StructText>();
  made->fields.reserve(type_.fields().size());
  for (size_t i = 0; i < type_.fields().size(); ++i) {
    // The child's own offset is the struct's.
    made->fields.emplace_back(type_.fields()[i].type, structs.field(static_cast<int>(i)), maps_);
  }
  AddFields(type_, made->fields, made.get());
  return made;
}

void CellText::AddFields(const Type& type, std::span<const CellText> fields, StructText* text) {
  TextBuffer before;
  before.Append('{');
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) before.Append(',');
    AppendJsonString(type.fields()[i].name, &before);
    before.Append(':');
    text->text += before.view();
    before.Clear();
    const CellText& field = fields[i];
    if (field.struct_ && !field.valid_) {
      AddFields(field.type_, field.struct_->fields, text);
      continue;
    }
    StructText::Cell& cell = text->cells.emplace_back();
    cell.text_end = text->text.size();
    cell.any = &field;
    if (field.id_ != TypeId::kLong) continue;
    cell.longs = static_cast<const arrow::Int64Array&>(*field.column_).raw_values();
    cell.valid = field.valid_;
    cell.offset = field.offset_;
  }
  before.Append('}');
  text->text += before.view();
}

CellText::CellText(const Type& type, std::shared_ptr<arrow::Array> column, MapForm maps)
    : type_(type),
      id_(type.id()),
      column_(std::move(column)),
      maps_(maps),
      values_(type_, *column_),
      valid_(column_->null_count() > 0 ? column_->null_bitmap_data() : nullptr),
      offset_(column_->offset()) {
  switch (id_) {
    case TypeId::kStruct:
      struct_ = MakeStructText();
      break;
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

bool CellText::IsNull(int64_t row) const {
  if (id_ == TypeId::kUnknown) return true;
  return valid_ && !arrow::bit_util::GetBit(valid_, offset_ + row);
}

void CellText::AppendJson(int64_t row, TextBuffer* out) const {
  if (IsNull(row)) return out->Append("null");
  switch (id_) {
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
    case TypeId::kInt:
      return AppendInteger(static_cast<const arrow::Int32Array&>(*column_).Value(row), out);
    case TypeId::kLong:
      return AppendInteger(static_cast<const arrow::Int64Array&>(*column_).Value(row), out);
    case TypeId::kString:
      if (const std::string_view text = TextAt(*column_, row);
          IsPlainAscii(text) || IsValidUtf8(text)) {
        return AppendJsonString(text, out);
      }
      return AppendJsonString(ValueToText(type_, values_.At(row)), out);
    case TypeId::kBinary:
      return AppendQuoted(row, out);
    default:
      return IsBare(id_, values_.At(row)) ? AppendPlain(row, out) : AppendQuoted(row, out);
  }
}

void CellText::AppendQuoted(int64_t row, TextBuffer* out) const {
  out->Append('"');
  AppendPlain(row, out);
  out->Append('"');
}

void CellText::AppendPlain(int64_t row, TextBuffer* out) const {
  switch (id_) {
    case TypeId::kInt:
      return AppendInteger(static_cast<const arrow::Int32Array&>(*column_).Value(row), out);
    case TypeId::kLong:
      return AppendInteger(static_cast<const arrow::Int64Array&>(*column_).Value(row), out);
    case TypeId::kString:
      if (const std::string_view text = TextAt(*column_, row); IsValidUtf8(text)) {
        return out->Append(text);
      }
      return out->Append(ValueToText(type_, values_.At(row)));
    case TypeId::kBinary:
      return AppendHex(static_cast<const arrow::BinaryArray&>(*column_).GetView(row), out);
    default:
      return out->Append(ValueToText(type_, values_.At(row)));
  }
}

void CellText::AppendText(int64_t row, TextBuffer* out) const {
  if (IsNull(row)) return;
  is_primitive() ? AppendPlain(row, out) : AppendJson(row, out);
}

void CellText::AppendCsv(int64_t row, TextBuffer* out) const {
  if (IsNull(row)) return;
  // Numbers, dates and hexadecimal digits need no quotes, those of no bytes excepted.
  if (is_primitive() && id_ != TypeId::kString) {
    const size_t before = out->size();
    AppendPlain(row, out);
    if (out->size() == before) AppendCsvField("", out);
    return;
  }
  TextBuffer text;
  AppendText(row, &text);
  AppendCsvField(text.view(), out);
}

void CellText::AppendStruct(int64_t row, TextBuffer* out) const {
  const std::string_view text = struct_->text;
  size_t begin = 0;
  for (const StructText::Cell& cell : struct_->cells) {
    out->Append(text.substr(begin, cell.text_end - begin));
    begin = cell.text_end;
    const bool is_long =
        cell.longs && (!cell.valid || arrow::bit_util::GetBit(cell.valid, cell.offset + row));
    is_long ? AppendInteger(cell.longs[row], out) : cell.any->AppendJson(row, out);
  }
  out->Append(text.substr(begin));
}

void CellText::AppendMap(int64_t row, TextBuffer* out) const {
  const auto& entries = static_cast<const arrow::MapArray&>(*column_);
  const int64_t begin = entries.value_offset(row);
  const int64_t end = entries.value_offset(row + 1);
  if (maps_ == MapForm::kObject) {
    out->Append('{');
    AppendObject(begin, end, out);
    return out->Append('}');
  }
  out->Append("{\"keys\":");
  AppendRange(parts_[0], begin, end, out);
  out->Append(",\"values\":");
  AppendRange(parts_[1], begin, end, out);
  out->Append('}');
}

void CellText::AppendObject(int64_t begin, int64_t end, TextBuffer* out) const {
  const CellText& keys = parts_[0];
  const CellText& values = parts_[1];
  if (keys.id_ == TypeId::kInt && !values.valid_) {
    const auto& ids = static_cast<const arrow::Int32Array&>(*keys.column_);
    if (values.id_ == TypeId::kLong) {
      return AppendItems(ids, static_cast<const arrow::Int64Array&>(*values.column_), begin, end,
                         out);
    }
    if (values.id_ == TypeId::kBinary) {
      return AppendItems(ids, static_cast<const arrow::BinaryArray&>(*values.column_), begin, end,
                         out);
    }
  }
  for (int64_t i = begin; i < end; ++i) {
    if (i > begin) out->Append(',');
    keys.AppendKey(i, out);
    out->Append(':');
    values.AppendJson(i, out);
  }
}

void CellText::AppendKey(int64_t row, TextBuffer* out) const {
  if (id_ == TypeId::kInt) return AppendQuoted(row, out);
  AppendJsonString(ValueToText(type_, values_.At(row)), out);
}

void CellText::AppendVariant(int64_t row, TextBuffer* out) const {
  out->Append(CellToJson(type_, *column_, row)
                  .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void CellText::AppendRange(const CellText& values, int64_t begin, int64_t end,
                           TextBuffer* out) const {
  out->Append('[');
  for (int64_t i = begin; i < end; ++i) {
    if (i > begin) out->Append(',');
    values.AppendJson(i, out);
  }
  out->Append(']');
}

}  // namespace nunatak
