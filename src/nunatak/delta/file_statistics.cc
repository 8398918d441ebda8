#include "nunatak/delta/file_statistics.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "nunatak/table/single_value.h"

namespace nunatak::delta {

namespace {

/// Writers cut strings to this many characters unless they are told otherwise, and then round the
/// upper bound up, though the specification does not say so. A shorter bound was not cut.
constexpr size_t kStringPrefix = 32;
/// Above what any character begins with.
constexpr char kAboveAllText = '\xff';
/// What is below a millisecond, in microseconds.
constexpr int64_t kCutMicros = 999;
/// More rows than this no file has: whoever claims them knows nothing, and sums stay in range.
constexpr int64_t kMostRecords = int64_t{1} << 40;
/// More digits than this do not survive in a double, by way of which some writers pass decimals.
constexpr int kExactDigits = 15;

bool IsTimestamp(const Type& type) {
  return type.id() == TypeId::kTimestamp || type.id() == TypeId::kTimestampTz;
}

bool IsFloating(const Type& type) {
  return type.id() == TypeId::kFloat || type.id() == TypeId::kDouble;
}

size_t CharactersIn(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// How far a decimal that went through a double may be off.
Int128 RoundingOf(Int128 value) {
  const Int128 magnitude = value < 0 ? -value : value;
  return magnitude < PowerOfTen(kExactDigits) ? Int128{0} : (magnitude >> 52) + 1;
}

/// Whether the value can be a bound of the type.
bool CanBound(const Type& type, const ValueView& value) {
  if (value.is_null() || value.is_nan() || !type.is_comparable()) return false;
  if (type.id() != TypeId::kDecimal) return true;
  const Int128 limit = PowerOfTen(38);
  return value.decimal > -limit && value.decimal < limit;
}

/// The bound moved outwards by what its writer may have cut off.
ValueView Widened(const Type& type, ValueView value, bool upper) {
  if (IsTimestamp(type)) {
    // Some writers cut towards the epoch, which raises a lower bound before it.
    if (upper && value.integer <= std::numeric_limits<int64_t>::max() - kCutMicros) {
      value.integer += kCutMicros;
    } else if (!upper && value.integer < 0 &&
               value.integer >= std::numeric_limits<int64_t>::min() + kCutMicros) {
      value.integer -= kCutMicros;
    }
  } else if (type.id() == TypeId::kDecimal) {
    const Int128 rounding = RoundingOf(value.decimal);
    value.decimal += upper ? rounding : -rounding;
  }
  return value;
}

void AppendFields(const Type& type, std::vector<int32_t>* ids) {
  for (const Field& field : type.fields()) {
    if (field.type.is_struct()) {
      AppendFields(field.type, ids);
    } else {
      ids->push_back(field.id);
    }
  }
}

}  // namespace

std::vector<StatisticsColumn> StatisticsColumnsOf(const TableSchema& table,
                                                  std::span<const int32_t> field_ids) {
  std::vector<StatisticsColumn> columns;
  for (const int32_t id : field_ids) {
    const Field* field = table.schema.FindField(id);
    if (field == nullptr || field->type.is_struct() || table.schema.IsRepeated(id)) continue;
    columns.push_back({.field_id = id, .type = field->type, .path = table.PhysicalPath(id)});
  }
  return columns;
}

std::vector<int32_t> FieldsWithStatistics(const TableSchema& table) {
  std::vector<int32_t> ids;
  AppendFields(table.schema.AsStruct(), &ids);
  std::sort(ids.begin(), ids.end());
  return ids;
}

FileStatistics::FileStatistics(std::vector<StatisticsColumn> columns)
    : columns_(std::move(columns)),
      rows_(columns_.size()),
      metrics_(columns_.size()),
      places_(columns_.size()) {}

void FileStatistics::Reserve(size_t files) {
  record_counts_.reserve(files);
  for (size_t c = 0; c < columns_.size(); ++c) {
    metrics_[c].value_counts.reserve(files);
    metrics_[c].null_value_counts.reserve(files);
    metrics_[c].nan_value_counts.reserve(files);
    places_[c].lower.reserve(files);
    places_[c].upper.reserve(files);
  }
}

void FileStatistics::BeginFile(bool has_deletes) {
  ForgetFile();
  tight_ = !has_deletes;
}

void FileStatistics::ForgetFile() {
  record_count_ = -1;
  for (Row& row : rows_) {
    row.has_lower = row.has_upper = false;
    row.null_count = row.nan_count = -1;
  }
}

void FileStatistics::SetLower(size_t column, const ValueView& value) {
  const Type& type = columns_[column].type;
  if (!CanBound(type, value)) return;
  rows_[column].lower = EncodeSingleValue(type, Widened(type, value, /*upper=*/false));
  rows_[column].has_lower = true;
}

void FileStatistics::SetUpper(size_t column, const ValueView& value) {
  const Type& type = columns_[column].type;
  if (!CanBound(type, value)) return;
  std::string& upper = rows_[column].upper;
  upper = EncodeSingleValue(type, Widened(type, value, /*upper=*/true));
  if (type.id() == TypeId::kString && CharactersIn(upper) >= kStringPrefix) {
    upper.push_back(kAboveAllText);
  }
  rows_[column].has_upper = true;
  rows_[column].nan_count = IsFloating(type) ? 0 : -1;
}

int64_t FileStatistics::KnownNullCount(const Row& row) const {
  const bool says_something = tight_ || row.null_count == 0 || row.null_count == record_count_;
  return says_something && row.null_count >= 0 ? row.null_count : -1;
}

void FileStatistics::EndFile() {
  if (record_count_ < 0 || record_count_ > kMostRecords) record_count_ = -1;
  record_counts_.push_back(record_count_);
  for (size_t c = 0; c < columns_.size(); ++c) {
    MetricColumn& metrics = metrics_[c];
    const Row& row = rows_[c];
    const auto keep = [&](bool known, const std::string& bytes) {
      if (!known) return Place{};
      const auto offset = static_cast<int64_t>(metrics.bound_bytes.size());
      metrics.bound_bytes.insert(metrics.bound_bytes.end(), bytes.begin(), bytes.end());
      return Place{offset, static_cast<int64_t>(bytes.size())};
    };
    places_[c].lower.push_back(keep(row.has_lower, row.lower));
    places_[c].upper.push_back(keep(row.has_upper, row.upper));
    const int64_t nulls = KnownNullCount(row);
    metrics.null_value_counts.push_back(nulls);
    metrics.value_counts.push_back(nulls < 0 ? -1 : record_counts_.back());
    metrics.nan_value_counts.push_back(row.nan_count);
  }
}

namespace {

template <typename T>
void AppendTo(std::vector<T>* to, const std::vector<T>& more) {
  to->insert(to->end(), more.begin(), more.end());
}

}  // namespace

void FileStatistics::Append(FileStatistics more) {
  if (record_counts_.empty()) {
    *this = std::move(more);
    return;
  }
  AppendTo(&record_counts_, more.record_counts_);
  for (size_t c = 0; c < columns_.size(); ++c) {
    const auto shift = static_cast<int64_t>(metrics_[c].bound_bytes.size());
    for (auto* places : {&more.places_[c].lower, &more.places_[c].upper}) {
      for (Place& place : *places) place.offset += place.offset < 0 ? 0 : shift;
    }
    AppendTo(&places_[c].lower, more.places_[c].lower);
    AppendTo(&places_[c].upper, more.places_[c].upper);
    AppendTo(&metrics_[c].bound_bytes, more.metrics_[c].bound_bytes);
    AppendTo(&metrics_[c].value_counts, more.metrics_[c].value_counts);
    AppendTo(&metrics_[c].null_value_counts, more.metrics_[c].null_value_counts);
    AppendTo(&metrics_[c].nan_value_counts, more.metrics_[c].nan_value_counts);
  }
}

FileStatistics FileStatistics::At(std::span<const uint32_t> positions) const {
  FileStatistics some(columns_);
  const auto take = [&](const auto& from, auto* to) {
    for (const uint32_t i : positions) to->push_back(from[i]);
  };
  take(record_counts_, &some.record_counts_);
  for (size_t c = 0; c < columns_.size(); ++c) {
    const MetricColumn& from = metrics_[c];
    MetricColumn& to = some.metrics_[c];
    take(from.value_counts, &to.value_counts);
    take(from.null_value_counts, &to.null_value_counts);
    take(from.nan_value_counts, &to.nan_value_counts);
    const auto take_bounds = [&](const std::vector<Place>& places, std::vector<Place>* out) {
      for (const uint32_t i : positions) {
        Place place = places[i];
        if (place.offset >= 0) {
          const auto begin = from.bound_bytes.begin() + place.offset;
          place.offset = static_cast<int64_t>(to.bound_bytes.size());
          to.bound_bytes.insert(to.bound_bytes.end(), begin, begin + place.length);
        }
        out->push_back(place);
      }
    };
    take_bounds(places_[c].lower, &some.places_[c].lower);
    take_bounds(places_[c].upper, &some.places_[c].upper);
  }
  return some;
}

std::vector<const MetricColumn*> FileStatistics::MetricsOf(std::span<const int32_t> field_ids,
                                                           MetricColumn* unknown) const {
  std::vector<const MetricColumn*> found;
  for (const int32_t id : field_ids) {
    const auto at = std::find_if(columns_.begin(), columns_.end(),
                                 [id](const StatisticsColumn& c) { return c.field_id == id; });
    if (at != columns_.end()) {
      found.push_back(&metrics_[static_cast<size_t>(at - columns_.begin())]);
    } else {
      if (unknown->value_counts.empty()) *unknown = MetricColumn::Unknown(size());
      found.push_back(unknown);
    }
  }
  return found;
}

void FileStatistics::Index() {
  for (size_t c = 0; c < columns_.size(); ++c) {
    MetricColumn& metrics = metrics_[c];
    // An empty bound is not an absent one.
    metrics.bound_bytes.push_back(0);
    const auto spans = [&](const std::vector<Place>& places, std::vector<ByteSpan>* out) {
      out->clear();
      out->reserve(places.size());
      for (const Place& place : places) {
        out->push_back(place.offset < 0 ? ByteSpan()
                                        : ByteSpan(metrics.bound_bytes.data() + place.offset,
                                                   static_cast<size_t>(place.length)));
      }
    };
    spans(places_[c].lower, &metrics.lower_bounds);
    spans(places_[c].upper, &metrics.upper_bounds);
  }
}

void FileStatistics::Finish() {
  Index();
  places_.clear();
}

int64_t FileStatistics::memory_bytes() const {
  size_t bytes = record_counts_.capacity() * sizeof(int64_t);
  for (const MetricColumn& column : metrics_) {
    bytes += column.bound_bytes.capacity() + size() * (2 * sizeof(ByteSpan) + 3 * sizeof(int64_t));
  }
  return static_cast<int64_t>(bytes);
}

}  // namespace nunatak::delta
