#include "nunatak/plan/content_file_binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/base/int128.h"
#include "nunatak/table/single_value.h"

namespace nunatak {
namespace {

/// What two paths share is one byte long at most: a hostile input cannot repeat a long path for
/// next to nothing.
constexpr size_t kMaxSharedPath = 255;
constexpr int64_t kMaxInt64 = std::numeric_limits<int64_t>::max();

/// How a partition value is stored.
enum class ValueTag : uint8_t { kNull, kInteger, kReal, kDecimal, kBytes };

/// The metrics of a column; the position in these lists is the bit in `DataFile::metric_maps` and
/// in the byte that says which metrics of a column follow.
constexpr std::array<std::optional<int64_t> ColumnMetrics::*, 4> kCounts = {
    &ColumnMetrics::column_size, &ColumnMetrics::value_count, &ColumnMetrics::null_value_count,
    &ColumnMetrics::nan_value_count};
constexpr std::array<std::optional<std::string> ColumnMetrics::*, 2> kBounds = {
    &ColumnMetrics::lower_bound, &ColumnMetrics::upper_bound};
constexpr uint8_t kAllMetrics = 0b111111;

void AppendByte(uint8_t byte, std::string* out) { out->push_back(static_cast<char>(byte)); }

void AppendValue(const Value& value, std::string* out) {
  if (value.is_nested()) ThrowInvalid("a partition value is a nested value");
  const ValueView view = value.view();
  switch (view.kind) {
    case ValueView::Kind::kNull:
      return AppendByte(static_cast<uint8_t>(ValueTag::kNull), out);
    case ValueView::Kind::kInteger:
      AppendByte(static_cast<uint8_t>(ValueTag::kInteger), out);
      return AppendLong(view.integer, out);
    case ValueView::Kind::kReal: {
      AppendByte(static_cast<uint8_t>(ValueTag::kReal), out);
      out->append(EncodeSingleValue(TypeId::kDouble, view));
      return;
    }
    case ValueView::Kind::kDecimal:
      AppendByte(static_cast<uint8_t>(ValueTag::kDecimal), out);
      return AppendText(ToMinimalBigEndian(view.decimal), out);
    case ValueView::Kind::kBytes:
      AppendByte(static_cast<uint8_t>(ValueTag::kBytes), out);
      return AppendText(view.text(), out);
  }
}

Value ReadValue(TaskBytesReader* in) {
  const size_t start = in->offset();
  switch (static_cast<ValueTag>(in->Byte())) {
    case ValueTag::kNull:
      return Value::Null();
    case ValueTag::kInteger:
      return Value::Integer(in->Long());
    case ValueTag::kReal:
      return Value::Real(LoadLittleEndian<double>(in->Bytes(sizeof(double), "a real").data()));
    case ValueTag::kDecimal: {
      const std::optional<Int128> decimal = FromBigEndian(AsBytes(in->Text("a decimal")));
      if (!decimal) TaskBytesReader::FailAt(start, "a decimal of no or too many bytes");
      return Value::Decimal(*decimal);
    }
    case ValueTag::kBytes:
      return Value::Bytes(std::string(in->Text("a partition value")));
  }
  TaskBytesReader::FailAt(start, "a partition value of no known form");
}

/// Whether a value is one of the type, as what it is encoded to and decoded from again is the same.
/// Any value fits a type that nobody can tell.
bool Fits(const Type& type, const Value& value) {
  if (value.is_null() || type.id() == TypeId::kUnknown) return true;
  ValueView again;
  const std::string bytes = EncodeSingleValue(type, value.view());
  return DecodeSingleValue(type, AsBytes(bytes), &again) && Value::Of(again) == value;
}

std::vector<Value> ReadPartition(const Type& type, TaskBytesReader* in) {
  const size_t start = in->offset();
  const size_t count = in->Count(1, "partition values");
  if (count != type.fields().size()) {
    TaskBytesReader::FailAt(start, fmt::format("{} partition values, but the spec has {} fields",
                                               count, type.fields().size()));
  }
  std::vector<Value> partition;
  partition.reserve(count);
  for (const Field& field : type.fields()) {
    const size_t at = in->offset();
    partition.push_back(ReadValue(in));
    if (!Fits(field.type, partition.back())) {
      TaskBytesReader::FailAt(at, fmt::format("the value of the partition field '{}' is no {}",
                                              field.name, field.type.ToString()));
    }
  }
  return partition;
}

uint8_t PresentMetrics(const ColumnMetrics& column) {
  uint8_t present = 0;
  int bit = 0;
  for (const auto member : kCounts)
    present |= static_cast<uint8_t>((column.*member ? 1 : 0) << bit++);
  for (const auto member : kBounds)
    present |= static_cast<uint8_t>((column.*member ? 1 : 0) << bit++);
  return present;
}

void AppendMetrics(const DataFile& file, std::string* out) {
  AppendByte(file.metric_maps, out);
  AppendLong(static_cast<int64_t>(file.metrics.size()), out);
  int64_t previous = 0;
  for (const ColumnMetrics& column : file.metrics) {
    AppendLong(column.field_id - previous, out);
    previous = column.field_id;
    AppendByte(PresentMetrics(column), out);
    for (const auto member : kCounts) {
      if (column.*member) AppendLong(*(column.*member), out);
    }
    for (const auto member : kBounds) {
      if (column.*member) AppendText(*(column.*member), out);
    }
  }
}

uint8_t ReadMetricBits(TaskBytesReader* in) {
  const size_t start = in->offset();
  const uint8_t bits = in->Byte();
  if ((bits & ~kAllMetrics) != 0) TaskBytesReader::FailAt(start, "metrics that nobody knows");
  return bits;
}

void ReadColumnMetrics(ColumnMetrics* column, TaskBytesReader* in) {
  const uint8_t present = ReadMetricBits(in);
  int bit = 0;
  const auto next_is_present = [&] { return ((present >> bit++) & 1) != 0; };
  for (const auto member : kCounts) {
    if (next_is_present()) column->*member = in->Long();
  }
  for (const auto member : kBounds) {
    if (next_is_present()) column->*member = std::string(in->Text("a bound"));
  }
}

void ReadMetrics(DataFile* file, TaskBytesReader* in) {
  file->metric_maps = ReadMetricBits(in);
  constexpr size_t kLeastBytes = 2;  // The id, and which metrics there are.
  const size_t count = in->Count(kLeastBytes, "columns with metrics");
  file->metrics.resize(count);
  int64_t previous = 0;
  bool first = true;
  for (ColumnMetrics& column : file->metrics) {
    const int64_t least = first ? std::numeric_limits<int32_t>::min() : int64_t{1};
    const int64_t most = std::numeric_limits<int32_t>::max() - previous;
    previous += in->LongIn(least, most, "the step to the next field id");
    column.field_id = static_cast<int32_t>(previous);
    first = false;
    ReadColumnMetrics(&column, in);
  }
}

/// Which of the optional fields follow, and they themselves, in this order.
enum class Optional : uint8_t {
  kKeyMetadata = 1,
  kSplitOffsets = 2,
  kEqualityIds = 4,
  kSortOrderId = 8,
  kFirstRowId = 16,
  kReferencedDataFile = 32,
  kContentOffset = 64,
  kContentSize = 128,
};

/// Calls `visit(bit, field)` for each optional field of a file, in the order of the enumeration.
template <typename File, typename Visit>
void ForEachOptional(File& file, Visit visit) {
  visit(Optional::kKeyMetadata, file.key_metadata);
  visit(Optional::kSplitOffsets, file.split_offsets);
  visit(Optional::kEqualityIds, file.equality_ids);
  visit(Optional::kSortOrderId, file.sort_order_id);
  visit(Optional::kFirstRowId, file.first_row_id);
  visit(Optional::kReferencedDataFile, file.referenced_data_file);
  visit(Optional::kContentOffset, file.content_offset);
  visit(Optional::kContentSize, file.content_size_in_bytes);
}

void AppendField(int64_t value, std::string* out) { AppendLong(value, out); }
void AppendField(const std::string& value, std::string* out) { AppendText(value, out); }
template <typename T>
void AppendField(const std::vector<T>& values, std::string* out) {
  AppendLong(static_cast<int64_t>(values.size()), out);
  for (const T value : values) AppendLong(value, out);
}

void ReadField(TaskBytesReader* in, int64_t* value) { *value = in->Long(); }
void ReadField(TaskBytesReader* in, int32_t* value) { *value = in->Int32("a 32-bit field"); }
void ReadField(TaskBytesReader* in, std::string* value) { *value = in->Text("an optional field"); }
template <typename T>
void ReadField(TaskBytesReader* in, std::vector<T>* values) {
  values->resize(in->Count(1, "list elements"));
  for (T& value : *values) ReadField(in, &value);
}

void AppendOptionals(const DataFile& file, std::string* out) {
  uint8_t present = 0;
  ForEachOptional(file, [&](Optional bit, const auto& field) {
    if (field) present |= static_cast<uint8_t>(bit);
  });
  AppendByte(present, out);
  ForEachOptional(file, [&](Optional, const auto& field) {
    if (field) AppendField(*field, out);
  });
}

void ReadOptionals(DataFile* file, TaskBytesReader* in) {
  const uint8_t present = in->Byte();
  ForEachOptional(*file, [&](Optional bit, auto& field) {
    if ((present & static_cast<uint8_t>(bit)) != 0) ReadField(in, &field.emplace());
  });
}

template <typename Enum>
Enum ReadEnum(Enum last, std::string_view what, TaskBytesReader* in) {
  const size_t start = in->offset();
  const uint8_t value = in->Byte();
  if (value > static_cast<uint8_t>(last)) {
    TaskBytesReader::FailAt(start, fmt::format("there is no {} {}", what, value));
  }
  return static_cast<Enum>(value);
}

}  // namespace

void ContentFileEncoder::Append(const DataFile& file, std::string* out) {
  const std::string& path = file.file_path;
  const auto [at, _] =
      std::mismatch(path.begin(), path.end(), previous_path_.begin(), previous_path_.end());
  const size_t shared = std::min<size_t>(static_cast<size_t>(at - path.begin()), kMaxSharedPath);
  AppendByte(static_cast<uint8_t>(file.content), out);
  AppendByte(static_cast<uint8_t>(file.file_format), out);
  AppendByte(static_cast<uint8_t>(shared), out);
  AppendText(std::string_view(path).substr(shared), out);
  previous_path_ = path;
  AppendLong(file.partition_spec_id, out);
  AppendLong(static_cast<int64_t>(file.partition.size()), out);
  for (const Value& value : file.partition) AppendValue(value, out);
  AppendLong(file.record_count, out);
  AppendLong(file.file_size_in_bytes, out);
  AppendMetrics(file, out);
  AppendOptionals(file, out);
}

DataFile ContentFileDecoder::Read(TaskBytesReader* in) {
  DataFile file;
  file.content = ReadEnum(FileContent::kEqualityDeletes, "file content", in);
  file.file_format = ReadEnum(FileFormat::kPuffin, "file format", in);
  const size_t start = in->offset();
  const size_t shared = in->Byte();
  if (shared > previous_path_.size()) {
    TaskBytesReader::FailAt(start,
                            fmt::format("{} bytes of a path of {}", shared, previous_path_.size()));
  }
  file.file_path = previous_path_.substr(0, shared);
  file.file_path += in->Text("a path");
  previous_path_ = file.file_path;
  const size_t spec_at = in->offset();
  file.partition_spec_id = in->Int32("the spec id");
  if (!definitions_.has_spec(file.partition_spec_id)) {
    TaskBytesReader::FailAt(spec_at,
                            fmt::format("no partition spec has the id {}", file.partition_spec_id));
  }
  file.partition = ReadPartition(definitions_.partition_type(file.partition_spec_id), in);
  file.record_count = in->Long();
  file.file_size_in_bytes = in->LongIn(0, kMaxInt64, "the file size");
  ReadMetrics(&file, in);
  ReadOptionals(&file, in);
  return file;
}

}  // namespace nunatak
