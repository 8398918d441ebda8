#include "nunatak/inspect/explain/clustering.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "nunatak/expr/evaluate.h"

namespace nunatak {

namespace {

/// The part of [lower, upper] in which a leaf can be true, if values are spread evenly: at least,
/// for how often a single value comes is not known. 1 where the leaf says nothing of order.
double PassingPart(const BoundFilter& term, double lower, double upper) {
  const BoundFilter::Node& leaf = term.nodes[0];
  const auto literals = term.literals_of(leaf);
  if (literals.empty() || term.nodes.size() != 1) return 1;
  const double first = PlaceOf(literals.front().view());
  const double width = upper - lower;
  // One value: its share of a range is not known, and small.
  if (!(width > 0)) return 1;
  switch (leaf.op) {
    case Op::kLess:
    case Op::kLessEqual:
      return std::clamp((first - lower) / width, 0.0, 1.0);
    case Op::kGreater:
    case Op::kGreaterEqual:
      return std::clamp((upper - first) / width, 0.0, 1.0);
    case Op::kEqual:
    case Op::kIn:
    case Op::kStartsWith:
    case Op::kLike:
      return 0;
    default:
      return 1;
  }
}

bool ComparesOrder(const BoundFilter& term) {
  if (term.nodes.size() != 1) return false;
  switch (term.nodes[0].op) {
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
    case Op::kEqual:
    case Op::kIn:
    case Op::kStartsWith:
    case Op::kLike:
      return true;
    default:
      return false;
  }
}

/// Stats that were asked for before, of a column without NaNs unless it is known to have some.
class OneColumnStats : public StatsSource {
 public:
  explicit OneColumnStats(const ColumnStats& stats) : stats_(stats) {
    if (stats_.has_nans == Known::kUnknown) stats_.has_nans = Known::kNo;
  }
  ColumnStats Stats(const BoundFilter::Column&) const override { return stats_; }

 private:
  ColumnStats stats_;
};

}  // namespace

ClusteringBuilder::ClusteringBuilder(const BoundFilter& filter, std::vector<BoundFilter> terms) {
  for (size_t i = 0; i < filter.columns.size(); ++i) {
    Column column{.column = filter.columns[i]};
    for (const BoundFilter& term : terms) {
      if (ComparesOrder(term) && term.nodes[0].column == i) column.terms.push_back(term);
    }
    columns_.push_back(std::move(column));
  }
}

void ClusteringBuilder::Add(const FileBatch& batch, const MetricsLayout& layout, size_t i) {
  const BatchFileStats metrics(layout, batch, i);
  for (Column& column : columns_) {
    if (layout.Find(column.column.field_id) < 0) continue;
    const ColumnStats stats = metrics.Stats(column.column);
    AddKept(batch, stats, i, &column);
    if (stats.all_null == Known::kYes || stats.all_nan == Known::kYes)
      continue;  // nothing to bound
    if (stats.lower.is_null() || stats.upper.is_null()) {
      ++column.without_bounds;
    } else {
      column.ranges.push_back({.lower = PlaceOf(stats.lower), .upper = PlaceOf(stats.upper)});
      column.bytes += batch.file_sizes[i];
      column.rows += std::max<int64_t>(batch.record_counts[i], 0);
    }
  }
}

void ClusteringBuilder::AddKept(const FileBatch& batch, const ColumnStats& stats, size_t i,
                                Column* column) const {
  double part = 1;
  for (const BoundFilter& term : column->terms) {
    if (!Evaluate(term, OneColumnStats(stats), Mode::kInclusive)) return;
    if (stats.lower.is_null() || stats.upper.is_null()) continue;
    const double lower = PlaceOf(stats.lower);
    part = std::max(0.0, part - (1 - PassingPart(term, lower, PlaceOf(stats.upper))));
  }
  ++column->kept_files;
  column->kept_bytes += batch.file_sizes[i];
  column->passing_rows += part * static_cast<double>(std::max<int64_t>(batch.record_counts[i], 0));
}

void ClusteringBuilder::Merge(ClusteringBuilder&& other) {
  for (size_t i = 0; i < columns_.size(); ++i) {
    Column& column = columns_[i];
    const Column& more = other.columns_[i];
    column.ranges.insert(column.ranges.end(), more.ranges.begin(), more.ranges.end());
    column.bytes += more.bytes;
    column.rows += more.rows;
    column.without_bounds += more.without_bounds;
    column.kept_files += more.kept_files;
    column.kept_bytes += more.kept_bytes;
    column.passing_rows += more.passing_rows;
  }
}

std::vector<Clustering> ClusteringBuilder::Finish() const {
  std::vector<Clustering> described;
  for (const Column& column : columns_) {
    if (column.ranges.empty() && column.without_bounds == 0) continue;
    described.push_back(Describe(column));
  }
  return described;
}

Clustering ClusteringBuilder::Describe(const Column& column) {
  Clustering result{.column = column.column.name,
                    .field_id = column.column.field_id,
                    .files = static_cast<int64_t>(column.ranges.size()),
                    .files_without_bounds = column.without_bounds};
  if (column.ranges.empty()) return result;
  const OverlapDepth depth = DepthOf(column.ranges);
  result.average_depth = depth.average;
  result.max_depth = depth.max;
  if (column.terms.empty() || column.rows == 0) return result;
  const auto count = static_cast<double>(column.ranges.size());
  const double rows_per_file = static_cast<double>(column.rows) / count;
  const double files = std::min(std::ceil(column.passing_rows / rows_per_file) + 1,
                                static_cast<double>(column.kept_files));
  result.outlook = {
      .files_now = column.kept_files,
      .bytes_now = column.kept_bytes,
      .files_sorted = static_cast<int64_t>(files),
      .bytes_sorted = static_cast<int64_t>(files * static_cast<double>(column.bytes) / count)};
  return result;
}

}  // namespace nunatak
