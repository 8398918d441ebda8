#include "nunatak/inspect/verify/verify_metrics.h"

#include "nunatak/inspect/verify/verify_bounds.h"
#include "nunatak/table/single_value.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

using iceberg::FieldMetrics;
using iceberg::WalkedEntry;

namespace {

/// Checks what an entry says of one field.
class FieldCheck {
 public:
  FieldCheck(const WalkedEntry& entry, const FieldMetrics& metrics, const FieldFacts& field,
             FileReport* report)
      : entry_(entry), metrics_(metrics), field_(field), report_(report) {}

  void Run() {
    const bool negative = IsNegative("column_sizes", metrics_.column_size) |
                          IsNegative("value_counts", metrics_.value_count) |
                          IsNegative("null_value_counts", metrics_.null_value_count) |
                          IsNegative("nan_value_counts", metrics_.nan_value_count);
    if (!negative) CheckCounts();
    if (field_.type.is_comparable()) CheckBounds();
  }

 private:
  void Add(Check check, std::string_view map, Comparison compared, std::string_view message) {
    report_->AddTo(entry_, check, fmt::format("{}[{}]", map, metrics_.field_id),
                   std::move(compared), message);
  }

  bool IsNegative(std::string_view map, const std::optional<int64_t>& count) {
    if (!count || *count >= 0) return false;
    Add(Check::kMetricCounts, map, {fmt::format("{}", *count), "at least 0"},
        fmt::format("column {} has {} {}", field_.name, map, *count));
    return true;
  }

  void CheckCounts() {
    const int64_t rows = entry_.head.record_count;
    const bool of_rows = !field_.repeated && !field_.nested;
    const int64_t nulls = metrics_.null_value_count.value_or(0);
    const int64_t nans = metrics_.nan_value_count.value_or(0);
    if (metrics_.value_count && of_rows && *metrics_.value_count != rows) {
      Add(Check::kMetricCounts, "value_counts", Compared(*metrics_.value_count, rows),
          fmt::format("column {} has {} values in {} rows", field_.name, *metrics_.value_count,
                      rows));
    }
    if (!metrics_.value_count && !of_rows) return;
    const int64_t values = metrics_.value_count.value_or(rows);
    const bool too_many_nulls = nulls > values;
    if (!too_many_nulls && nans <= values - nulls) return;
    Add(Check::kMetricCounts, too_many_nulls ? "null_value_counts" : "nan_value_counts",
        {fmt::format("{}", too_many_nulls ? nulls : nans),
         fmt::format("at most {}", too_many_nulls ? values : values - nulls)},
        fmt::format("column {} has {} nulls and {} NaNs among {} values", field_.name, nulls, nans,
                    values));
  }

  /// The bound, or null when there is none that says something.
  ValueView BoundOf(std::string_view map, const std::optional<ByteSpan>& bytes) {
    ValueView bound;
    if (!bytes) return bound;
    const bool decoded = DecodeSingleValue(field_.type, *bytes, &bound);
    if (decoded && !bound.is_nan()) return bound;
    Add(Check::kMetricBounds, map, {ToHex(*bytes), field_.type.ToString()},
        fmt::format("the bound of column {} is {}", field_.name,
                    decoded ? "NaN" : "no " + field_.type.ToString()));
    return {};
  }

  void CheckBounds() {
    const ValueView lower = BoundOf("lower_bounds", metrics_.lower_bound);
    const ValueView upper = BoundOf("upper_bounds", metrics_.upper_bound);
    if (lower.is_null() || upper.is_null()) return;
    const BoundVerdict verdict = CheckOrder(field_.type, lower, upper);
    if (verdict == BoundVerdict::kHolds) return;
    const std::string least = ValueToText(field_.type, lower);
    const std::string most = ValueToText(field_.type, upper);
    Add(verdict == BoundVerdict::kBroken ? Check::kMetricBounds : Check::kUuidOrder, "lower_bounds",
        {least, "at most " + most},
        fmt::format("column {} lies between {} and {}, in this order", field_.name, least, most));
  }

  const WalkedEntry& entry_;
  const FieldMetrics& metrics_;
  const FieldFacts& field_;
  FileReport* report_;
};

}  // namespace

void MetricChecker::Check(const WalkedEntry& entry, FileReport* report) {
  for (const FieldMetrics& metrics : metrics_.Read(entry.slots)) {
    if (metrics.twice) {
      report->AddTo(entry, Check::kMetricTwice, fmt::format("metrics[{}]", metrics.field_id), {},
                    fmt::format("a metric map has field {} twice", metrics.field_id));
    }
    const FieldFacts* field = facts_.FindField(static_cast<int32_t>(metrics.field_id));
    if (field) {
      FieldCheck(entry, metrics, *field, report).Run();
      continue;
    }
    report->AddTo(
        entry, Check::kMetricField, fmt::format("metrics[{}]", metrics.field_id), {},
        fmt::format("has metrics of field {}, which no schema of the table has", metrics.field_id));
  }
}

}  // namespace nunatak
