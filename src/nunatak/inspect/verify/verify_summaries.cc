#include "nunatak/inspect/verify/verify_summaries.h"

#include "nunatak/inspect/verify/verify_bounds.h"
#include "nunatak/table/single_value.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

namespace {

/// A partition field over a whole manifest, and the place of its summary.
struct SummarizedField {
  const PartitionField& field;
  const Type& type;
  std::string path;

  std::string Text(const ValueView& value) const { return ValueToText(type, value); }
};

void CheckValue(const SummarizedField& field, const ValueView& value, FileReport* report) {
  const Transform& transform = field.field.transform;
  const bool bucket_fits = transform.id() != TransformId::kBucket ||
                           (value.kind == ValueView::Kind::kInteger && value.integer >= 0 &&
                            value.integer < transform.parameter());
  if (transform.id() != TransformId::kVoid && bucket_fits) return;
  report->Add(Check::kPartitionValue, fmt::format("partition.{}", field.field.name),
              {field.Text(value), transform.id() == TransformId::kVoid
                                      ? "null"
                                      : fmt::format("0 to {}", transform.parameter() - 1)},
              fmt::format("{} cannot yield {}", transform.ToString(), field.Text(value)));
}

/// One of the bounds of a summary against the values.
class BoundCheck {
 public:
  BoundCheck(const SummarizedField& field, bool is_lower, const std::optional<std::string>& bytes,
             FileReport* report)
      : field_(field), is_lower_(is_lower), report_(report) {
    if (!bytes) return;
    if (DecodeSingleValue(field.type, AsBytes(*bytes), &bound_) && !bound_.is_nan()) return;
    Add(Check::kPartitionSummary, {ToHex(AsBytes(*bytes)), field.type.ToString()},
        fmt::format("the {} bound of {} is no {}", name(), field.field.name,
                    field.type.ToString()));
    bound_ = ValueView();
    done_ = true;
  }

  void Check(const ValueView& value) {
    if (done_) return;
    if (bound_.is_null()) {
      return Add(Check::kPartitionSummary, {"null", field_.Text(value)},
                 fmt::format("the summary of {} has no {} bound, where {} is among its values",
                             field_.field.name, name(), field_.Text(value)));
    }
    const BoundVerdict verdict =
        is_lower_ ? CheckOrder(field_.type, bound_, value) : CheckOrder(field_.type, value, bound_);
    if (verdict == BoundVerdict::kHolds) return;
    Add(verdict == BoundVerdict::kBroken ? Check::kPartitionSummary : Check::kUuidOrder,
        {field_.Text(bound_),
         fmt::format("at {} {}", is_lower_ ? "most" : "least", field_.Text(value))},
        fmt::format("the {} bound of {} is {}, but the manifest has {}", name(), field_.field.name,
                    field_.Text(bound_), field_.Text(value)));
  }

 private:
  const char* name() const { return is_lower_ ? "lower" : "upper"; }

  /// One finding for each bound is enough.
  void Add(nunatak::Check check, Comparison compared, std::string message) {
    report_->Add(check, field_.path + (is_lower_ ? ".lower_bound" : ".upper_bound"),
                 std::move(compared), std::move(message));
    done_ = true;
  }

  const SummarizedField& field_;
  bool is_lower_;
  FileReport* report_;
  ValueView bound_;
  bool done_ = false;
};

void CheckFlag(const SummarizedField& field, std::string_view flag, std::string_view what,
               std::optional<bool> recorded, bool found, FileReport* report) {
  if (!recorded || *recorded == found) return;
  report->Add(found ? Check::kPartitionSummary : Check::kPartitionSummaryLoose,
              fmt::format("{}.{}", field.path, flag), Compared(*recorded, found),
              fmt::format("the summary of {} says that it has {}{}, where it has {}",
                          field.field.name, *recorded ? "" : "no ", what, found ? "some" : "none"));
}

void CheckSummary(const SummarizedField& field, const FieldSummary& summary,
                  std::span<const ValueView> values, FileReport* report) {
  BoundCheck lower(field, true, summary.lower_bound, report);
  BoundCheck upper(field, false, summary.upper_bound, report);
  bool has_null = false;
  bool has_nan = false;
  for (const ValueView& value : values) {
    has_null |= value.is_null();
    has_nan |= value.is_nan();
    if (value.is_null() || value.is_nan() || field.type.id() == TypeId::kUnknown) continue;
    lower.Check(value);
    upper.Check(value);
  }
  CheckFlag(field, "contains_null", "null", summary.contains_null, has_null, report);
  CheckFlag(field, "contains_nan", "NaN", summary.contains_nan, has_nan, report);
}

}  // namespace

void CheckPartitions(const SpecFacts& spec, const iceberg::ManifestFile& file,
                     const PartitionTuples& tuples, FileReport* report) {
  const auto& fields = spec.spec.fields;
  const bool fits = !file.partitions || file.partitions->size() == fields.size();
  if (!fits) {
    report->Add(Check::kPartitionSummary, "partitions",
                Compared(file.partitions->size(), fields.size()),
                fmt::format("{} summaries for the {} fields of spec {}", file.partitions->size(),
                            fields.size(), spec.spec.spec_id));
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    const SummarizedField field{fields[i], spec.partition_type.fields()[i].type,
                                fmt::format("partitions[{}]", i)};
    for (const ValueView& value : tuples.columns()[i]) {
      if (!value.is_null()) CheckValue(field, value, report);
    }
    if (file.partitions && fits) {
      CheckSummary(field, (*file.partitions)[i], tuples.columns()[i], report);
    }
  }
}

}  // namespace nunatak
