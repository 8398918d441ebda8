#pragma once

#include <arrow/type_fwd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nunatak::delta {

/// Rows of a column of a checkpoint, null where what is around it is. Whatever is not of the
/// expected type is an `Error` that names the column. A column that the file lacks is null
/// everywhere.
class CheckpointColumn {
 public:
  CheckpointColumn() = default;
  CheckpointColumn(std::shared_ptr<arrow::Array> array, std::string name)
      : array_(std::move(array)), name_(std::move(name)) {}
  bool exists() const { return array_ != nullptr; }
  bool IsNull(int64_t row) const;

  /// Absent for null.
  std::optional<int64_t> Integer(int64_t row) const;
  std::optional<bool> Boolean(int64_t row) const;
  std::optional<std::string_view> Text(int64_t row) const;
  /// How many bytes behind a text of the column belong to the column too.
  size_t BytesBehind(std::string_view text) const;
  std::vector<std::string> Texts(int64_t row) const;

  const std::shared_ptr<arrow::Array>& array() const { return array_; }
  const std::string& name() const { return name_; }

  [[noreturn]] void ThrowType(std::string_view expected) const;

 private:
  std::shared_ptr<arrow::Array> array_;
  std::string name_;
};

/// A column of maps from text to text.
class CheckpointMap {
 public:
  explicit CheckpointMap(CheckpointColumn column);

  /// Calls `visit(key, value)` for each entry; a null value has null data.
  template <typename Visit>
  void ForEachEntry(int64_t row, Visit visit) const {
    const auto [begin, end] = Entries(row);
    for (int64_t i = begin; i < end; ++i) {
      visit(*keys_.Text(i), values_.Text(i).value_or(std::string_view()));
    }
  }

 private:
  std::pair<int64_t, int64_t> Entries(int64_t row) const;

  CheckpointColumn column_;
  CheckpointColumn keys_;
  CheckpointColumn values_;
};

}  // namespace nunatak::delta
