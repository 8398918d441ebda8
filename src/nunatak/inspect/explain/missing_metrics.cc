#include "nunatak/inspect/explain/missing_metrics.h"

namespace nunatak {

namespace {

bool IsReal(const Type& type) {
  return type.id() == TypeId::kFloat || type.id() == TypeId::kDouble;
}

bool IsLeaf(Op op) {
  return op != Op::kAnd && op != Op::kOr && op != Op::kTrue && op != Op::kFalse;
}

bool Lacks(MetricsKind kind, const BoundFilter::Column& column, const ColumnStats& stats) {
  switch (kind) {
    case MetricsKind::kNanCounts:
      return IsReal(column.type) && stats.has_nans == Known::kUnknown;
    case MetricsKind::kNullCounts:
      return stats.has_nulls == Known::kUnknown;
    case MetricsKind::kBounds:
      return stats.lower.is_null() && stats.upper.is_null() && stats.all_null != Known::kYes &&
             stats.all_nan != Known::kYes;
  }
  return false;
}

/// Statistics as they would be if what is not known were for the best.
class Assuming final : public StatsSource {
 public:
  Assuming(MetricsKind kind, const StatsSource& source) : kind_(kind), source_(source) {}

  ColumnStats Stats(const BoundFilter::Column& column) const override {
    ColumnStats stats = source_.Stats(column);
    if (!Lacks(kind_, column, stats)) return stats;
    if (kind_ == MetricsKind::kNanCounts) {
      stats.has_nans = stats.all_nan = Known::kNo;
    } else if (kind_ == MetricsKind::kNullCounts) {
      stats.has_nulls = stats.all_null = Known::kNo;
    } else {
      stats.has_nulls = stats.all_null = Known::kYes;
    }
    return stats;
  }

 private:
  MetricsKind kind_;
  const StatsSource& source_;
};

}  // namespace

std::string_view ToString(MetricsKind kind) {
  switch (kind) {
    case MetricsKind::kNanCounts:
      return "nan-counts";
    case MetricsKind::kNullCounts:
      return "null-counts";
    case MetricsKind::kBounds:
      return "bounds";
  }
  return "";
}

std::optional<MissingMetrics> MissingFor(const BoundFilter& term, const StatsSource& source) {
  for (const MetricsKind kind :
       {MetricsKind::kNanCounts, MetricsKind::kNullCounts, MetricsKind::kBounds}) {
    for (const BoundFilter::Node& node : term.nodes) {
      if (!IsLeaf(node.op)) continue;
      const BoundFilter::Column& column = term.columns[node.column];
      if (!Lacks(kind, column, source.Stats(column))) continue;
      if (Evaluate(term, Assuming(kind, source), Mode::kInclusive)) break;
      return MissingMetrics{.kind = kind, .column = column.name};
    }
  }
  return std::nullopt;
}

}  // namespace nunatak
