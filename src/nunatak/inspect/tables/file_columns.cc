#include "nunatak/inspect/tables/file_columns.h"

#include <arrow/builder.h>

#include <algorithm>
#include <string>
#include <utility>

#include "nunatak/inspect/prune_value.h"
#include "nunatak/inspect/tables/row_values.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/project/append_value.h"

namespace nunatak {

namespace {

/// Field ids of the specification.
enum Id : int32_t {
  kFilePath = 100,
  kFileFormat = 101,
  kPartition = 102,
  kRecordCount = 103,
  kFileSize = 104,
  kColumnSizes = 108,
  kValueCounts = 109,
  kNullValueCounts = 110,
  kLowerBounds = 125,
  kUpperBounds = 128,
  kKeyMetadata = 131,
  kSplitOffsets = 132,
  kContent = 134,
  kEqualityIds = 135,
  kNanValueCounts = 137,
  kSortOrderId = 140,
  kSpecId = 141,
  kFirstRowId = 142,
  kReferencedDataFile = 143,
  kContentOffset = 144,
  kContentSize = 145,
};

Type MetricMapType(int32_t key_id, int32_t value_id, Type value) {
  return Type::Map(RequiredField(key_id, "key", TypeId::kInt),
                   RequiredField(value_id, "value", std::move(value)));
}

std::vector<Field> ContentFileFields(const Type& partition_type) {
  std::vector<Field> fields = {OptionalField(kContent, "content", TypeId::kInt),
                               RequiredField(kFilePath, "file_path", TypeId::kString),
                               RequiredField(kFileFormat, "file_format", TypeId::kString),
                               OptionalField(kSpecId, "spec_id", TypeId::kInt)};
  if (!partition_type.fields().empty()) {
    fields.push_back(RequiredField(kPartition, "partition", partition_type));
  }
  const Type longs = TypeId::kLong;
  const Type binary = TypeId::kBinary;
  const std::vector<Field> others = {
      RequiredField(kRecordCount, "record_count", longs),
      RequiredField(kFileSize, "file_size_in_bytes", longs),
      OptionalField(kColumnSizes, "column_sizes", MetricMapType(117, 118, longs)),
      OptionalField(kValueCounts, "value_counts", MetricMapType(119, 120, longs)),
      OptionalField(kNullValueCounts, "null_value_counts", MetricMapType(121, 122, longs)),
      OptionalField(kNanValueCounts, "nan_value_counts", MetricMapType(138, 139, longs)),
      OptionalField(kLowerBounds, "lower_bounds", MetricMapType(126, 127, binary)),
      OptionalField(kUpperBounds, "upper_bounds", MetricMapType(129, 130, binary)),
      OptionalField(kKeyMetadata, "key_metadata", binary),
      OptionalField(kSplitOffsets, "split_offsets",
                    Type::List(RequiredField(133, "element", longs))),
      OptionalField(kEqualityIds, "equality_ids",
                    Type::List(RequiredField(136, "element", TypeId::kInt))),
      OptionalField(kSortOrderId, "sort_order_id", TypeId::kInt),
      OptionalField(kFirstRowId, "first_row_id", longs),
      OptionalField(kReferencedDataFile, "referenced_data_file", TypeId::kString),
      OptionalField(kContentOffset, "content_offset", longs),
      OptionalField(kContentSize, "content_size_in_bytes", longs)};
  fields.insert(fields.end(), others.begin(), others.end());
  return fields;
}

/// The first field id that is beyond those of the specification and of the partitions.
int32_t NextId(const Type& partition_type) {
  int32_t next = 1000;
  for (const Field& field : partition_type.fields()) next = std::max(next, field.id + 1);
  return next;
}

/// One metric map by field id; null when the manifest had no such map. `Member` says which.
template <typename Builder, typename Metric>
void AppendMap(const DataFile& file, int map, std::optional<Metric> ColumnMetrics::* member,
               arrow::ArrayBuilder& builder) {
  if (!(file.metric_maps & (1U << map))) return CheckOk(builder.AppendNull());
  auto& entries = static_cast<arrow::MapBuilder&>(builder);
  auto& keys = static_cast<arrow::Int32Builder&>(*entries.key_builder());
  auto& values = static_cast<Builder&>(*entries.item_builder());
  CheckOk(entries.Append());
  for (const ColumnMetrics& metrics : file.metrics) {
    const std::optional<Metric>& value = metrics.*member;
    if (!value) continue;
    CheckOk(keys.Append(metrics.field_id));
    CheckOk(values.Append(*value));
  }
}

template <typename Number>
Value NumberList(const std::optional<std::vector<Number>>& numbers) {
  if (!numbers) return Value::Null();
  Value::List list;
  for (const Number number : *numbers) list.push_back(Value::Integer(number));
  return Value::Nested(std::move(list));
}

Value ScalarOf(int32_t field_id, const DataFile& file) {
  switch (field_id) {
    case kContent:
      return Value::Integer(static_cast<int>(file.content));
    case kFileFormat:
      return Value::Bytes(std::string(ToString(file.file_format)));
    case kSpecId:
      return Value::Integer(file.partition_spec_id);
    case kRecordCount:
      return Value::Integer(file.record_count);
    case kFileSize:
      return Value::Integer(file.file_size_in_bytes);
    case kKeyMetadata:
      return BytesOrNull(file.key_metadata);
    case kSplitOffsets:
      return NumberList(file.split_offsets);
    case kEqualityIds:
      return NumberList(file.equality_ids);
    case kSortOrderId:
      return IntegerOrNull(file.sort_order_id);
    case kFirstRowId:
      return IntegerOrNull(file.first_row_id);
    case kReferencedDataFile:
      return BytesOrNull(file.referenced_data_file);
    case kContentOffset:
      return IntegerOrNull(file.content_offset);
    default:
      return IntegerOrNull(file.content_size_in_bytes);
  }
}

}  // namespace

FileColumns::FileColumns(MergedPartitions partitions, const Schema& schema)
    : partitions_(std::move(partitions)),
      fields_(ContentFileFields(partitions_.type())),
      readable_metrics_(schema, NextId(partitions_.type())) {}

bool FileColumns::HasMetrics(std::span<const Field> columns) {
  return std::any_of(columns.begin(), columns.end(), [](const Field& column) {
    switch (column.id) {
      case kColumnSizes:
      case kValueCounts:
      case kNullValueCounts:
      case kNanValueCounts:
      case kLowerBounds:
      case kUpperBounds:
        return true;
      default:
        return column.name == "readable_metrics" ||
               (column.type.is_struct() && HasMetrics(column.type.fields()));
    }
  });
}

void FileColumns::Append(const Field& field, const DataFile& file, const PartitionSpec& spec,
                         arrow::ArrayBuilder& builder) const {
  using M = ColumnMetrics;
  switch (field.id) {
    case kFilePath:
      return AppendScalar(field.type, ValueView::Bytes(file.file_path), builder);
    case kPartition:
      return AppendValue(field.type,
                         PruneValue(partitions_.type(), field.type,
                                    partitions_.Project(spec, file.partition.span())),
                         builder);
    case kColumnSizes:
      return AppendMap<arrow::Int64Builder>(file, 0, &M::column_size, builder);
    case kValueCounts:
      return AppendMap<arrow::Int64Builder>(file, 1, &M::value_count, builder);
    case kNullValueCounts:
      return AppendMap<arrow::Int64Builder>(file, 2, &M::null_value_count, builder);
    case kNanValueCounts:
      return AppendMap<arrow::Int64Builder>(file, 3, &M::nan_value_count, builder);
    case kLowerBounds:
      return AppendMap<arrow::BinaryBuilder>(file, 4, &M::lower_bound, builder);
    case kUpperBounds:
      return AppendMap<arrow::BinaryBuilder>(file, 5, &M::upper_bound, builder);
    default:
      if (field.id == readable_metrics_.field().id) {
        return readable_metrics_.Append(field.type, file, builder);
      }
      AppendValue(field.type, ScalarOf(field.id, file), builder);
  }
}

void FileColumns::AppendStruct(std::span<const Field> fields, const DataFile& file,
                               const PartitionSpec& spec, arrow::ArrayBuilder& builder) const {
  auto& structs = static_cast<arrow::StructBuilder&>(builder);
  CheckOk(structs.Append());
  for (size_t i = 0; i < fields.size(); ++i) {
    Append(fields[i], file, spec, *structs.field_builder(static_cast<int>(i)));
  }
}

}  // namespace nunatak
