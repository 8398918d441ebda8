#include "nunatak/delta/checkpoint_columns.h"

#include <arrow/array.h>
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

void CheckpointColumn::ThrowType(std::string_view expected) const {
  ThrowInvalid(
      fmt::format("column {}: expected {}, found {}", name_, expected, array_->type()->ToString()));
}

bool CheckpointColumn::IsNull(int64_t row) const {
  return array_ == nullptr || array_->IsNull(row);
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

size_t CheckpointColumn::BytesBehind(std::string_view text) const {
  const std::shared_ptr<arrow::Buffer>& texts = array_->data()->buffers[2];
  if (texts == nullptr || text.empty()) return 0;
  const auto* end = reinterpret_cast<const char*>(texts->data()) + texts->size();
  return static_cast<size_t>(end - (text.data() + text.size()));
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

CheckpointMap::CheckpointMap(CheckpointColumn column) : column_(std::move(column)) {
  if (!column_.exists()) return;
  if (column_.array()->type_id() != arrow::Type::MAP) column_.ThrowType("a map");
  const auto& map = As<arrow::MapArray>(*column_.array());
  keys_ = {map.keys(), column_.name() + ".key"};
  values_ = {map.items(), column_.name() + ".value"};
}

std::pair<int64_t, int64_t> CheckpointMap::Entries(int64_t row) const {
  if (column_.IsNull(row)) return {};
  const auto& map = As<arrow::MapArray>(*column_.array());
  const std::pair<int64_t, int64_t> range = {map.value_offset(row), map.value_offset(row + 1)};
  for (int64_t i = range.first; i < range.second; ++i) {
    if (keys_.IsNull(i)) ThrowInvalid(fmt::format("column {}: a key is null", column_.name()));
  }
  return range;
}

}  // namespace nunatak::delta
