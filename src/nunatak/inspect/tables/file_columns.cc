#include "nunatak/inspect/tables/file_columns.h"

#include <arrow/builder.h>

#include <algorithm>
#include <utility>

#include "nunatak/inspect/tables/content_file_ids.h"
#include "nunatak/inspect/tables/metric_maps.h"
#include "nunatak/inspect/tables/row_values.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/project/append_value.h"

namespace nunatak {

namespace {

using enum ContentFileId;

Field Required(ContentFileId id, std::string name, Type type) {
  return RequiredField(static_cast<int32_t>(id), std::move(name), std::move(type));
}
Field Optional(ContentFileId id, std::string name, Type type) {
  return OptionalField(static_cast<int32_t>(id), std::move(name), std::move(type));
}

Type MetricMapType(int32_t key_id, int32_t value_id, Type value) {
  return Type::Map(RequiredField(key_id, "key", TypeId::kInt),
                   RequiredField(value_id, "value", std::move(value)));
}

std::vector<Field> ContentFileFields(const Type& partition_type) {
  std::vector<Field> fields = {Optional(kContent, "content", TypeId::kInt),
                               Required(kFilePath, "file_path", TypeId::kString),
                               Required(kFileFormat, "file_format", TypeId::kString),
                               Optional(kSpecId, "spec_id", TypeId::kInt)};
  if (!partition_type.fields().empty()) {
    fields.push_back(Required(kPartition, "partition", partition_type));
  }
  const Type longs = TypeId::kLong;
  const Type binary = TypeId::kBinary;
  const std::vector<Field> others = {
      Required(kRecordCount, "record_count", longs),
      Required(kFileSize, "file_size_in_bytes", longs),
      Optional(kColumnSizes, "column_sizes", MetricMapType(117, 118, longs)),
      Optional(kValueCounts, "value_counts", MetricMapType(119, 120, longs)),
      Optional(kNullValueCounts, "null_value_counts", MetricMapType(121, 122, longs)),
      Optional(kNanValueCounts, "nan_value_counts", MetricMapType(138, 139, longs)),
      Optional(kLowerBounds, "lower_bounds", MetricMapType(126, 127, binary)),
      Optional(kUpperBounds, "upper_bounds", MetricMapType(129, 130, binary)),
      Optional(kKeyMetadata, "key_metadata", binary),
      Optional(kSplitOffsets, "split_offsets", Type::List(RequiredField(133, "element", longs))),
      Optional(kEqualityIds, "equality_ids",
               Type::List(RequiredField(136, "element", TypeId::kInt))),
      Optional(kSortOrderId, "sort_order_id", TypeId::kInt),
      Optional(kFirstRowId, "first_row_id", longs),
      Optional(kReferencedDataFile, "referenced_data_file", TypeId::kString),
      Optional(kContentOffset, "content_offset", longs),
      Optional(kContentSize, "content_size_in_bytes", longs)};
  fields.insert(fields.end(), others.begin(), others.end());
  return fields;
}

/// The first field id that is beyond those of the specification and of the partitions.
int32_t NextId(const Type& partition_type) {
  int32_t next = 1000;
  for (const Field& field : partition_type.fields()) next = std::max(next, field.id + 1);
  return next;
}

MetricMap MapOf(ContentFileId field) {
  switch (field) {
    case kColumnSizes:
      return MetricMap::kColumnSizes;
    case kValueCounts:
      return MetricMap::kValueCounts;
    case kNullValueCounts:
      return MetricMap::kNullValueCounts;
    case kNanValueCounts:
      return MetricMap::kNanValueCounts;
    case kLowerBounds:
      return MetricMap::kLowerBounds;
    default:
      return MetricMap::kUpperBounds;
  }
}

/// The place of a partition field in a spec; the number of its fields when it is not there.
size_t PlaceIn(const PartitionSpec& spec, int32_t field_id) {
  size_t place = 0;
  while (place < spec.fields.size() && spec.fields[place].field_id != field_id) ++place;
  return place;
}

/// One field of the files' partition tuples; null when their spec has none.
FileColumnPtr MakePartitionField(const Field& field) {
  return MakeBuiltColumn(field.type, [&field](FileRun& run, arrow::ArrayBuilder& builder) {
    const FileRecords& files = run.records();
    const size_t place = PlaceIn(files.spec(), field.id);
    if (place == files.spec().fields.size()) {
      return CheckOk(builder.AppendNulls(static_cast<int64_t>(run.files().size())));
    }
    run.ForEach(
        [&](size_t file) { AppendScalar(field.type, files.Partition(place, file), builder); });
  });
}

FileColumnPtr MakePartition(const Type& type) {
  std::vector<FileColumnPtr> fields;
  for (const Field& field : type.fields()) fields.push_back(MakePartitionField(field));
  return MakeStructColumn(type, std::move(fields));
}

FileColumnPtr MakeNumbers(const Field& field, ContentFileId id) {
  return MakeBuiltColumn(field.type, [&field, id, numbers = std::vector<int64_t>()](
                                         FileRun& run, arrow::ArrayBuilder& builder) mutable {
    auto& lists = static_cast<arrow::ListBuilder&>(builder);
    run.ForEach([&](size_t file) {
      if (!run.records().Numbers(id, file, &numbers)) return CheckOk(lists.AppendNull());
      CheckOk(lists.Append());
      for (const int64_t number : numbers) {
        AppendScalar(field.type.element().type, ValueView::Integer(number), *lists.value_builder());
      }
    });
  });
}

FileColumnPtr MakeScalar(const Field& field, ContentFileId id) {
  return MakeBuiltColumn(field.type, [&field, id](FileRun& run, arrow::ArrayBuilder& builder) {
    run.ForEach(
        [&](size_t file) { AppendScalar(field.type, run.records().Scalar(id, file), builder); });
  });
}

}  // namespace

FileColumns::FileColumns(const MergedPartitions& partitions, const Schema& schema)
    : fields_(ContentFileFields(partitions.type())),
      readable_metrics_(schema, NextId(partitions.type())) {}

bool FileColumns::HasMetrics(std::span<const Field> columns) const {
  // The maps of a file are those of its metrics.
  return std::any_of(columns.begin(), columns.end(), [this](const Field& column) {
    return column.type.id() == TypeId::kMap || column.id == readable_metrics_.field().id;
  });
}

FileColumnPtr FileColumns::MakeColumn(const Field& field) const {
  if (field.id == readable_metrics_.field().id) {
    return readable_metrics_.MakeColumn(field.type);
  }
  const auto id = static_cast<ContentFileId>(field.id);
  if (id == kPartition) return MakePartition(field.type);
  switch (field.type.id()) {
    case TypeId::kMap:
      return MakeMetricMapColumn(field.type, MapOf(id));
    case TypeId::kList:
      return MakeNumbers(field, id);
    default:
      return MakeScalar(field, id);
  }
}

FileColumnPtr FileColumns::MakeColumns(const Type& type) const {
  std::vector<FileColumnPtr> fields;
  for (const Field& field : type.fields()) fields.push_back(MakeColumn(field));
  return MakeStructColumn(type, std::move(fields));
}

}  // namespace nunatak
