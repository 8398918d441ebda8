#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nunatak::delta {

/// A column of a checkpoint inside its struct, nulls of what is around it included. Whatever is not
/// of the expected type is an `Error` that names the column. A column that the file lacks is null
/// everywhere.
class CheckpointColumn {
 public:
  CheckpointColumn() = default;
  CheckpointColumn(std::shared_ptr<arrow::Array> array, std::string name)
      : array_(std::move(array)), name_(std::move(name)) {}
  /// A top-level column of a batch.
  CheckpointColumn(const arrow::RecordBatch& batch, const std::string& name);

  bool exists() const { return array_ != nullptr; }
  bool IsNull(int64_t row) const;
  /// A field of a struct; a column that does not exist when there is none of that name.
  CheckpointColumn Child(const std::string& name) const;

  /// Absent for null.
  std::optional<int64_t> Integer(int64_t row) const;
  std::optional<bool> Boolean(int64_t row) const;
  std::optional<std::string_view> Text(int64_t row) const;
  std::vector<std::string> Texts(int64_t row) const;
  /// Calls `visit(key, value)` for each entry of a map of texts; a null value has null data.
  template <typename Visit>
  void ForEachEntry(int64_t row, Visit visit) const;

  const std::shared_ptr<arrow::Array>& array() const { return array_; }
  const std::string& name() const { return name_; }

 private:
  struct EntryRange;
  [[noreturn]] void ThrowType(std::string_view expected) const;
  EntryRange Entries(int64_t row) const;

  std::shared_ptr<arrow::Array> array_;
  std::string name_;
};

struct CheckpointColumn::EntryRange {
  int64_t begin = 0;
  int64_t end = 0;
  CheckpointColumn keys;
  CheckpointColumn values;
};

template <typename Visit>
void CheckpointColumn::ForEachEntry(int64_t row, Visit visit) const {
  const EntryRange entries = Entries(row);
  for (int64_t i = entries.begin; i < entries.end; ++i) {
    visit(*entries.keys.Text(i), entries.values.Text(i).value_or(std::string_view()));
  }
}

}  // namespace nunatak::delta
