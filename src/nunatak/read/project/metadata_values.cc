#include "nunatak/read/project/metadata_values.h"

#include <algorithm>
#include <utility>

#include "nunatak/table/metadata_columns.h"

namespace nunatak {

namespace {

Value PartitionValueOf(const Field& field, const FileScanTask& task) {
  // A type that no schema tells any more: there is no way to show the value.
  if (task.spec == nullptr || field.type.id() == TypeId::kUnknown) return Value::Null();
  const std::vector<PartitionField>& fields = task.spec->fields;
  const auto at = std::find_if(fields.begin(), fields.end(), [&](const PartitionField& candidate) {
    return candidate.field_id == PartitionFieldIdOf(field.id);
  });
  const auto i = static_cast<size_t>(at - fields.begin());
  const PartitionValues& partition = task.data_file->partition;
  return i < fields.size() && i < partition.size() ? partition[i] : Value::Null();
}

}  // namespace

Value MetadataConstant(const Field& field, const FileScanTask& task) {
  switch (field.id) {
    case kFileColumnId:
      return Value::Bytes(task.data_file->file_path);
    case kSpecIdColumnId:
      return Value::Integer(task.data_file->partition_spec_id);
    case kPartitionColumnId: {
      Value::List values;
      for (const Field& child : field.type.fields()) {
        values.push_back(PartitionValueOf(child, task));
      }
      return Value::Nested(std::move(values));
    }
    default:
      return Value::Null();
  }
}

std::optional<NullFill> MetadataFill(int32_t field_id, const FileScanTask& task) {
  if (field_id == kPositionColumnId) return NullFill{.value = 0, .add_position = true};
  // A file from before version 3 numbers its rows in no snapshot that was made then.
  const std::optional<int64_t>& first_row_id = task.data_file->first_row_id;
  if (!first_row_id) return std::nullopt;
  if (field_id == kRowIdColumnId) return NullFill{.value = *first_row_id, .add_position = true};
  if (field_id == kLastUpdatedColumnId) return NullFill{.value = task.data_sequence_number};
  return std::nullopt;
}

}  // namespace nunatak
