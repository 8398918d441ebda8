#include "nunatak/inspect/partition_text.h"

#include <fmt/format.h>

#include "nunatak/table/datetime.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

namespace {

constexpr int64_t kEpochYear = 1970;
constexpr int64_t kMonthsPerYear = 12;
constexpr int64_t kHoursPerDay = 24;

std::string MonthText(int64_t months) {
  const int64_t years = FloorDivide(months, kMonthsPerYear);
  return fmt::format("{:04}-{:02}", kEpochYear + years, months - years * kMonthsPerYear + 1);
}

std::string HourText(int64_t hours) {
  const int64_t days = FloorDivide(hours, kHoursPerDay);
  return fmt::format("{}-{:02}", FormatDate(days), hours - days * kHoursPerDay);
}

}  // namespace

std::string PartitionText(const Transform& transform, const Type& type, const ValueView& value) {
  if (value.kind != ValueView::Kind::kInteger) return ValueToText(type, value);
  switch (transform.id()) {
    case TransformId::kYear:
      return fmt::format("{:04}", kEpochYear + value.integer);
    case TransformId::kMonth:
      return MonthText(value.integer);
    case TransformId::kHour:
      return HourText(value.integer);
    default:
      return ValueToText(type, value);
  }
}

}  // namespace nunatak
