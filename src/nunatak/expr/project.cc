#include "nunatak/expr/project.h"

#include <algorithm>
#include <utility>

#include "nunatak/expr/bound_tree.h"
#include "nunatak/expr/op.h"
#include "nunatak/expr/project_leaf.h"

namespace nunatak {

namespace {

bool IsNullTest(Op op) { return op == Op::kIsNull || op == Op::kNotNull; }

class Projector {
 public:
  Projector(const BoundFilter& filter, const PartitionSpec& spec, const Schema& schema, Mode mode)
      : filter_(filter), spec_(spec), schema_(schema), mode_(mode) {
    for (const PartitionField& field : spec.fields) {
      columns_.push_back({.field_id = field.field_id, .type = {}, .name = field.name});
    }
  }

  BoundFilter Run() {
    const BoundNode root = RewriteLeaves(
        filter_, 0, [this](const BoundFilter::Node& leaf) { return ProjectThroughAll(leaf); });
    return Flatten(root, columns_);
  }

 private:
  /// Each field of the spec that comes from the leaf's column says its part: for some row to pass,
  /// all must allow it; for every row to pass, one that guarantees it is enough.
  BoundNode ProjectThroughAll(const BoundFilter::Node& leaf) {
    const BoundFilter::Column& column = filter_.columns[leaf.column];
    std::vector<BoundNode> terms;
    for (uint32_t i = 0; i < spec_.fields.size(); ++i) {
      if (!Applies(spec_.fields[i], column)) continue;
      columns_[i].type = spec_.fields[i].transform.ResultType(column.type);
      terms.push_back(ProjectThrough(spec_.fields[i].transform, column.type, leaf, i));
    }
    return Combine(mode_ == Mode::kInclusive ? Op::kAnd : Op::kOr, std::move(terms));
  }

  /// Whether the partition field is a function of the column alone, and one that is known here.
  bool Applies(const PartitionField& field, const BoundFilter::Column& column) const {
    if (field.source_ids.size() != 1 || field.source_id() != column.field_id) return false;
    const TransformId id = field.transform.id();
    if (id == TransformId::kVoid || id == TransformId::kUnknown) return false;
    // A filter that was bound to another type of the column has literals of that type.
    const Field* source = schema_.FindField(column.field_id);
    return source && source->type == column.type && column.type.is_comparable() &&
           field.transform.CanTransform(column.type);
  }

  BoundNode ProjectThrough(const Transform& transform, const Type& source,
                           const BoundFilter::Node& leaf, uint32_t partition_column) const {
    // These transforms give null for null, and for nothing else.
    if (IsNullTest(leaf.op)) return Leaf(leaf.op, partition_column);
    const BoundNode not_null = Leaf(Op::kNotNull, partition_column);
    const bool inclusive = mode_ == Mode::kInclusive;
    // Every row passes where the partition is not null and no row may pass the negation.
    std::optional<BoundNode> projected =
        ProjectLeaf(transform, source, inclusive ? leaf.op : Negated(leaf.op),
                    filter_.literals_of(leaf), partition_column);
    if (!projected) return inclusive ? not_null : Constant(false);
    if (inclusive) return *std::move(projected);
    return projected->is_false() ? not_null : Negate(*std::move(projected));
  }

  const BoundFilter& filter_;
  const PartitionSpec& spec_;
  const Schema& schema_;
  Mode mode_;
  /// One per field of the spec.
  std::vector<BoundFilter::Column> columns_;
};

}  // namespace

BoundFilter ProjectToPartition(const BoundFilter& filter, const PartitionSpec& spec,
                               const Schema& schema, Mode mode) {
  return Projector(filter, spec, schema, mode).Run();
}

ColumnStats PartitionStats::Stats(const BoundFilter::Column& column) const {
  ColumnStats stats;
  const auto field = std::find_if(
      spec_.fields.begin(), spec_.fields.end(),
      [&](const PartitionField& candidate) { return candidate.field_id == column.field_id; });
  const auto at = static_cast<size_t>(field - spec_.fields.begin());
  // A tuple that is shorter than its spec says nothing of the fields that it lacks.
  if (field == spec_.fields.end() || at >= partition_.size()) return stats;
  if (partition_[at].is_nested()) return stats;
  const ValueView value = partition_[at].view();
  stats.has_nulls = stats.all_null = value.is_null() ? Known::kYes : Known::kNo;
  stats.has_nans = stats.all_nan = value.is_nan() ? Known::kYes : Known::kNo;
  if (!value.is_nan()) stats.lower = stats.upper = value;
  return stats;
}

}  // namespace nunatak
