#include "nunatak/delta/checkpoint_columns.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <fmt/format.h>

#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/arrow_error.h"

namespace nunatak::delta {

namespace {

/// An array or a type as what its id says that it is.
template <typename T, typename Base>
const T& As(const Base& base) {
  return static_cast<const T&>(base);
}

}  // namespace

CheckpointColumn::CheckpointColumn(const arrow::RecordBatch& batch, const std::string& name)
    : array_(batch.GetColumnByName(name)), name_(name) {}

void CheckpointColumn::ThrowType(std::string_view expected) const {
  ThrowInvalid(
      fmt::format("column {}: expected {}, found {}", name_, expected, array_->type()->ToString()));
}

bool CheckpointColumn::IsNull(int64_t row) const {
  return array_ == nullptr || array_->IsNull(row);
}

CheckpointColumn CheckpointColumn::Child(const std::string& name) const {
  if (array_ == nullptr) return {};
  if (array_->type_id() != arrow::Type::STRUCT) ThrowType("a struct");
  const int at = array_->type()->num_fields() == 0
                     ? -1
                     : As<arrow::StructType>(*array_->type()).GetFieldIndex(name);
  if (at < 0) return {};
  return {ValueOrThrow(As<arrow::StructArray>(*array_).GetFlattenedField(at)),
          fmt::format("{}.{}", name_, name)};
}

std::optional<int64_t> CheckpointColumn::Integer(int64_t row) const {
  if (IsNull(row)) return std::nullopt;
  switch (array_->type_id()) {
    case arrow::Type::INT64:
      return As<arrow::Int64Array>(*array_).Value(row);
    case arrow::Type::INT32:
      return As<arrow::Int32Array>(*array_).Value(row);
    default:
      ThrowType("an integer");
  }
}

std::optional<bool> CheckpointColumn::Boolean(int64_t row) const {
  if (IsNull(row)) return std::nullopt;
  if (array_->type_id() != arrow::Type::BOOL) ThrowType("a boolean");
  return As<arrow::BooleanArray>(*array_).Value(row);
}

std::optional<std::string_view> CheckpointColumn::Text(int64_t row) const {
  if (IsNull(row)) return std::nullopt;
  if (array_->type_id() != arrow::Type::STRING && array_->type_id() != arrow::Type::BINARY) {
    ThrowType("text");
  }
  const std::string_view text = As<arrow::BinaryArray>(*array_).GetView(row);
  // Where all texts are empty, Arrow has no bytes to point to.
  return text.data() == nullptr ? std::string_view("") : text;
}

std::vector<std::string> CheckpointColumn::Texts(int64_t row) const {
  std::vector<std::string> texts;
  if (IsNull(row)) return texts;
  if (array_->type_id() != arrow::Type::LIST) ThrowType("a list");
  const auto& list = As<arrow::ListArray>(*array_);
  const CheckpointColumn values(list.values(), name_ + ".element");
  for (int64_t i = list.value_offset(row); i < list.value_offset(row + 1); ++i) {
    if (const auto text = values.Text(i)) texts.emplace_back(*text);
  }
  return texts;
}

CheckpointColumn::EntryRange CheckpointColumn::Entries(int64_t row) const {
  if (IsNull(row)) return {};
  if (array_->type_id() != arrow::Type::MAP) ThrowType("a map");
  const auto& map = As<arrow::MapArray>(*array_);
  EntryRange range{.begin = map.value_offset(row),
                   .end = map.value_offset(row + 1),
                   .keys = {map.keys(), name_ + ".key"},
                   .values = {map.items(), name_ + ".value"}};
  for (int64_t i = range.begin; i < range.end; ++i) {
    if (range.keys.IsNull(i)) ThrowInvalid(fmt::format("column {}: a key is null", name_));
  }
  return range;
}

}  // namespace nunatak::delta
