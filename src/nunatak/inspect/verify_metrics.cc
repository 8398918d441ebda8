#include "nunatak/inspect/verify_metrics.h"

#include "nunatak/inspect/verify_bounds.h"
#include "nunatak/table/single_value.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

using iceberg::WalkedEntry;

namespace {

constexpr const char* kMapNames[] = {"column_sizes",     "value_counts", "null_value_counts",
                                     "nan_value_counts", "lower_bounds", "upper_bounds"};

std::string Named(int slot, int64_t field_id) {
  return fmt::format("{}[{}]", kMapNames[slot - iceberg::kColumnSizes], field_id);
}

}  // namespace

MetricChecker::MetricChecker(const TableFacts& facts, const iceberg::ManifestShape& shape)
    : facts_(facts) {
  for (int slot = iceberg::kColumnSizes; slot <= iceberg::kUpperBounds; ++slot) {
    cursors_.emplace_back(shape.plan->items(slot));
  }
}

void MetricChecker::Check(const WalkedEntry& entry, FileReport* report) {
  Collect(entry, report);
  for (const size_t place : current_) {
    const Metrics& metrics = metrics_[place];
    if (!metrics.field) {
      report->AddTo(entry, Check::kMetricField, fmt::format("metrics[{}]", metrics.field_id), {},
                    fmt::format("has metrics of field {}, which no schema of the table has",
                                metrics.field_id));
      continue;
    }
    CheckCounts(entry, metrics, report);
    CheckBounds(entry, metrics, report);
  }
}

void MetricChecker::Collect(const WalkedEntry& entry, FileReport* report) {
  current_.clear();
  CollectCounts(entry, iceberg::kColumnSizes, nullptr, report);
  CollectCounts(entry, iceberg::kValueCounts, &Metrics::values, report);
  CollectCounts(entry, iceberg::kNullValueCounts, &Metrics::nulls, report);
  CollectCounts(entry, iceberg::kNanValueCounts, &Metrics::nans, report);
  CollectBounds(entry, iceberg::kLowerBounds, &Metrics::lower);
  CollectBounds(entry, iceberg::kUpperBounds, &Metrics::upper);
}

MetricChecker::Metrics& MetricChecker::MetricsOf(const WalkedEntry& entry, int64_t field_id) {
  const auto [at, added] = places_.emplace(field_id, metrics_.size());
  if (added) metrics_.emplace_back();
  Metrics& metrics = metrics_[at->second];
  if (metrics.entry == entry.index) return metrics;
  current_.push_back(at->second);
  const auto id = static_cast<int32_t>(field_id);
  metrics = {
      .field_id = id, .field = added ? facts_.FindField(id) : metrics.field, .entry = entry.index};
  return metrics;
}

void MetricChecker::CollectCounts(const WalkedEntry& entry, int slot,
                                  std::optional<int64_t> Metrics::* count, FileReport* report) {
  avro::ArrayCursor& items = cursors_[static_cast<size_t>(slot - iceberg::kColumnSizes)];
  items.Reset(entry.slots[static_cast<size_t>(slot)]);
  while (items.Next()) {
    const avro::Slot& value = items.slot(iceberg::kItemValue);
    if (value.is_null()) continue;
    const int64_t field_id = items.slot(iceberg::kItemKey).integer();
    if (value.integer() < 0) {
      report->AddTo(entry, Check::kMetricCounts, Named(slot, field_id),
                    {fmt::format("{}", value.integer()), "at least 0"},
                    fmt::format("{} is {}", Named(slot, field_id), value.integer()));
    } else if (count) {
      MetricsOf(entry, field_id).*count = value.integer();
    }
  }
}

void MetricChecker::CollectBounds(const WalkedEntry& entry, int slot,
                                  std::optional<ByteSpan> Metrics::* bound) {
  avro::ArrayCursor& items = cursors_[static_cast<size_t>(slot - iceberg::kColumnSizes)];
  items.Reset(entry.slots[static_cast<size_t>(slot)]);
  while (items.Next()) {
    const avro::Slot& value = items.slot(iceberg::kItemValue);
    if (value.is_null()) continue;
    MetricsOf(entry, items.slot(iceberg::kItemKey).integer()).*bound = value.bytes();
  }
}

void MetricChecker::CheckCounts(const WalkedEntry& entry, const Metrics& metrics,
                                FileReport* report) {
  const int64_t nulls = metrics.nulls.value_or(0);
  const int64_t nans = metrics.nans.value_or(0);
  const bool of_rows = !metrics.field->repeated && !metrics.field->nested;
  if (metrics.values && of_rows && *metrics.values != entry.head.record_count) {
    report->AddTo(entry, Check::kMetricCounts, Named(iceberg::kValueCounts, metrics.field_id),
                  Compared(*metrics.values, entry.head.record_count),
                  fmt::format("column {} has {} values in {} rows", metrics.field->name,
                              *metrics.values, entry.head.record_count));
  }
  const int64_t values = metrics.values.value_or(entry.head.record_count);
  if (!metrics.values && !of_rows) return;
  if (nulls <= values && nans <= values - nulls) return;
  const bool too_many_nulls = nulls > values;
  const int slot = too_many_nulls ? iceberg::kNullValueCounts : iceberg::kNanValueCounts;
  report->AddTo(entry, Check::kMetricCounts, Named(slot, metrics.field_id),
                {fmt::format("{}", too_many_nulls ? nulls : nans),
                 fmt::format("at most {}", too_many_nulls ? values : values - nulls)},
                fmt::format("column {} has {} nulls and {} NaNs among {} values",
                            metrics.field->name, nulls, nans, values));
}

void MetricChecker::CheckBounds(const WalkedEntry& entry, const Metrics& metrics,
                                FileReport* report) {
  const Type& type = metrics.field->type;
  if (!type.is_comparable()) return;
  ValueView bounds[2];
  for (int i : {0, 1}) {
    const std::optional<ByteSpan>& bytes = i == 0 ? metrics.lower : metrics.upper;
    const int slot = i == 0 ? iceberg::kLowerBounds : iceberg::kUpperBounds;
    if (!bytes) continue;
    const bool decoded = DecodeSingleValue(type, *bytes, &bounds[i]);
    if (decoded && !bounds[i].is_nan()) continue;
    report->AddTo(entry, Check::kMetricBounds, Named(slot, metrics.field_id),
                  {ToHex(*bytes), type.ToString()},
                  fmt::format("the bound of column {} is {}", metrics.field->name,
                              decoded ? "NaN" : "no " + type.ToString()));
    bounds[i] = ValueView();
  }
  if (bounds[0].is_null() || bounds[1].is_null()) return;
  const BoundVerdict verdict = CheckOrder(type, bounds[0], bounds[1]);
  if (verdict == BoundVerdict::kHolds) return;
  const Comparison texts = {ValueToText(type, bounds[0]), ValueToText(type, bounds[1])};
  report->AddTo(entry, verdict == BoundVerdict::kBroken ? Check::kMetricBounds : Check::kUuidOrder,
                Named(iceberg::kLowerBounds, metrics.field_id),
                {texts.found, "at most " + texts.expected},
                fmt::format("column {} lies between {} and {}, in this order", metrics.field->name,
                            texts.found, texts.expected));
}

}  // namespace nunatak
