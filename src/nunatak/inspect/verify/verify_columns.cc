#include "nunatak/inspect/verify/verify_columns.h"

#include <arrow/array.h>

#include <utility>

#include "nunatak/inspect/verify/verify_bounds.h"
#include "nunatak/table/single_value.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

namespace {

/// A bound that cannot be decoded is found without its file.
ValueView BoundOf(const Type& type, const std::optional<std::string>& bytes) {
  ValueView bound;
  if (!bytes || !type.is_comparable() || !DecodeSingleValue(type, AsBytes(*bytes), &bound) ||
      bound.is_nan()) {
    return {};
  }
  return bound;
}

}  // namespace

ColumnTally::ColumnTally(const ColumnMetrics& metrics, const FieldFacts& field, FieldPath path)
    : metrics_(metrics),
      field_(field),
      path_(std::move(path)),
      lower_(BoundOf(field.type, metrics.lower_bound)),
      upper_(BoundOf(field.type, metrics.upper_bound)) {}

void ColumnTally::Add(std::span<const std::shared_ptr<arrow::Array>> columns, int64_t rows,
                      int64_t first_row) {
  const FieldReader reader(field_.type, path_, columns);
  values_ += rows;
  if (!path_.children.empty()) CountNullParents(columns, rows);
  for (int64_t row = 0; row < rows; ++row) {
    const ValueView value = reader.At(row);
    if (value.is_null()) {
      ++nulls_;
    } else if (value.is_nan()) {
      ++nans_;
    } else {
      CheckBound(true, value, first_row + row);
      CheckBound(false, value, first_row + row);
    }
  }
}

void ColumnTally::CountNullParents(std::span<const std::shared_ptr<arrow::Array>> columns,
                                   int64_t rows) {
  FieldPath parent = path_;
  parent.children.pop_back();
  const FieldReader reader(Type(TypeId::kStruct), parent, columns);
  for (int64_t row = 0; row < rows; ++row) null_parents_ += reader.At(row).is_null() ? 1 : 0;
}

void ColumnTally::CheckBound(bool is_lower, const ValueView& value, int64_t row) {
  const ValueView& bound = is_lower ? lower_ : upper_;
  std::optional<Violation>& violation = is_lower ? below_ : above_;
  if (violation || bound.is_null()) return;
  const BoundVerdict verdict =
      is_lower ? CheckOrder(field_.type, bound, value) : CheckOrder(field_.type, value, bound);
  if (verdict == BoundVerdict::kHolds) return;
  violation = {
      .row = row,
      .value = ValueToText(field_.type, value),
      .check = verdict == BoundVerdict::kBroken ? Check::kColumnBounds : Check::kUuidOrder};
}

void ColumnTally::Report(FileReport* report) const {
  ReportCount("value_counts", metrics_.value_count, values_, null_parents_, report);
  ReportCount("null_value_counts", metrics_.null_value_count, nulls_, null_parents_, report);
  ReportCount("nan_value_counts", metrics_.nan_value_count, nans_, 0, report);
  ReportBound("lower_bounds", lower_, below_, report);
  ReportBound("upper_bounds", upper_, above_, report);
}

void ColumnTally::ReportCount(std::string_view name, const std::optional<int64_t>& recorded,
                              int64_t found, int64_t uncounted, FileReport* report) const {
  if (!recorded || *recorded == found || *recorded == found - uncounted) return;
  report->Add(Check::kColumnCounts, fmt::format("{}[{}]", name, metrics_.field_id),
              Compared(*recorded, found),
              fmt::format("column {} has {} {}, the file {}", field_.name, name, *recorded, found));
}

void ColumnTally::ReportBound(std::string_view name, const ValueView& bound,
                              const std::optional<Violation>& violation, FileReport* report) const {
  if (!violation) return;
  const std::string text = ValueToText(field_.type, bound);
  report->Add(violation->check, fmt::format("{}[{}]", name, metrics_.field_id),
              {text, violation->value},
              fmt::format("column {} has {} {}, but row {} has {}", field_.name, name, text,
                          violation->row, violation->value));
}

}  // namespace nunatak
