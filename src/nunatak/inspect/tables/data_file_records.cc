#include "nunatak/inspect/tables/data_file_records.h"

#include <optional>
#include <string>

namespace nunatak {

namespace {

template <typename Number>
ValueView IntegerOf(const std::optional<Number>& value) {
  return value ? ValueView::Integer(*value) : ValueView();
}

ValueView BytesOf(const std::optional<std::string>& value) {
  return value ? ValueView::Bytes(*value) : ValueView();
}

template <typename Number>
bool Append(const std::optional<std::vector<Number>>& values, std::vector<int64_t>* numbers) {
  numbers->clear();
  if (values) numbers->insert(numbers->end(), values->begin(), values->end());
  return values.has_value();
}

std::optional<int64_t> CountOf(MetricMap map, const ColumnMetrics& metrics) {
  switch (map) {
    case MetricMap::kColumnSizes:
      return metrics.column_size;
    case MetricMap::kValueCounts:
      return metrics.value_count;
    case MetricMap::kNullValueCounts:
      return metrics.null_value_count;
    case MetricMap::kNanValueCounts:
      return metrics.nan_value_count;
    default:
      return std::nullopt;
  }
}

const std::optional<std::string>* BoundOf(MetricMap map, const ColumnMetrics& metrics) {
  if (map == MetricMap::kLowerBounds) return &metrics.lower_bound;
  return map == MetricMap::kUpperBounds ? &metrics.upper_bound : nullptr;
}

}  // namespace

ValueView DataFileRecords::Scalar(ContentFileId field, size_t i) const {
  using enum ContentFileId;
  const DataFile& file = files_[i];
  switch (field) {
    case kContent:
      return ValueView::Integer(static_cast<int>(file.content));
    case kFilePath:
      return ValueView::Bytes(file.file_path);
    case kFileFormat:
      return ValueView::Bytes(ToString(file.file_format));
    case kSpecId:
      return ValueView::Integer(file.partition_spec_id);
    case kRecordCount:
      return ValueView::Integer(file.record_count);
    case kFileSize:
      return ValueView::Integer(file.file_size_in_bytes);
    case kFirstRowId:
      return IntegerOf(file.first_row_id);
    case kSortOrderId:
      return IntegerOf(file.sort_order_id);
    case kKeyMetadata:
      return BytesOf(file.key_metadata);
    case kReferencedDataFile:
      return BytesOf(file.referenced_data_file);
    case kContentOffset:
      return IntegerOf(file.content_offset);
    case kContentSize:
      return IntegerOf(file.content_size_in_bytes);
    default:
      return {};
  }
}

bool DataFileRecords::Numbers(ContentFileId field, size_t file,
                              std::vector<int64_t>* numbers) const {
  return field == ContentFileId::kSplitOffsets ? Append(files_[file].split_offsets, numbers)
                                               : Append(files_[file].equality_ids, numbers);
}

ValueView DataFileRecords::Partition(size_t place, size_t file) const {
  const std::span<const Value> tuple = files_[file].partition.span();
  return place < tuple.size() ? tuple[place].view() : ValueView();
}

bool DataFileRecords::HasMetrics(MetricMap map, size_t file) const {
  return (files_[file].metric_maps & (1U << static_cast<unsigned>(map))) != 0;
}

void DataFileRecords::AppendMetrics(MetricMap map, size_t file,
                                    std::vector<MetricPair>* pairs) const {
  for (const ColumnMetrics& metrics : files_[file].metrics) {
    const std::optional<std::string>* bound = BoundOf(map, metrics);
    if (bound && *bound) {
      pairs->push_back({.field_id = metrics.field_id, .bound = AsBytes(**bound)});
    } else if (const std::optional<int64_t> count = CountOf(map, metrics)) {
      pairs->push_back({.field_id = metrics.field_id, .count = *count});
    }
  }
}

void DataFileRecords::AddPlace(size_t file, Error* error) const {
  error->AddContext(files_[file].file_path);
}

}  // namespace nunatak
