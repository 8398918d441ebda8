#include "nunatak/inspect/partition_text.h"

#include <fmt/format.h>

#include <vector>

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

std::string Base64(ByteSpan bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t j = i; j < i + 3; ++j) group = group << 8 | (j < bytes.size() ? bytes[j] : 0U);
    for (size_t digit = 0; digit < 4; ++digit) {
      const bool present = i + digit <= bytes.size();
      text += present ? kDigits[group >> (18 - 6 * digit) & 63U] : '=';
    }
  }
  return text;
}

}  // namespace

std::string PartitionText(const Transform& transform, const Type& type, const ValueView& value) {
  const bool is_bytes = type.id() == TypeId::kBinary || type.id() == TypeId::kFixed;
  if (is_bytes && !value.is_null()) return Base64(value.span());
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

std::string PartitionPath(const PartitionSpec& spec, const Type& type,
                          std::span<const ValueView> tuple) {
  std::string path;
  for (size_t i = 0; i < spec.fields.size() && i < tuple.size(); ++i) {
    const PartitionField& field = spec.fields[i];
    path += fmt::format("{}{}={}", i == 0 ? "" : "/", field.name,
                        PartitionText(field.transform, type.fields()[i].type, tuple[i]));
  }
  return path;
}

std::string PartitionPath(const PartitionSpec& spec, const Type& type,
                          const PartitionValues& tuple) {
  std::vector<ValueView> views;
  for (const Value& value : tuple) views.push_back(value.view());
  return PartitionPath(spec, type, views);
}

}  // namespace nunatak
