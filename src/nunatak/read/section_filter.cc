#include "nunatak/read/section_filter.h"

#include <arrow/type.h>

#include <algorithm>
#include <utility>

#include "nunatak/base/bytes.h"
#include "nunatak/expr/evaluate.h"
#include "nunatak/plan/metrics_stats.h"
#include "nunatak/read/arrow_schema.h"

namespace nunatak {

namespace {

/// A column of the filter in the file.
struct FilterLeaf {
  int32_t field_id = 0;
  /// The number of the leaf; −1 when its statistics say nothing of the column.
  int leaf = -1;
  ColumnPlacement placement = ColumnPlacement::kTopLevel;
};

FilterLeaf FindLeaf(const BoundFilter::Column& column, const FieldPath& path,
                    std::span<const ColumnPlan> plans, const std::vector<FileField>& file_fields) {
  FilterLeaf found{.field_id = column.field_id};
  if (!path.children.empty()) found.placement = ColumnPlacement::kNested;
  const ColumnPlan* plan = &plans[path.column];
  const std::vector<FileField>* siblings = &file_fields;
  // What is filled in is not in the file's statistics.
  if (plan->null_fill) return found;
  for (size_t depth = 0; plan->from_file; ++depth) {
    const FileField& field = (*siblings)[plan->file_index];
    if (depth == path.children.size()) {
      if (field.is_leaf() && BoundsHold(*field.type, column.type)) {
        found.leaf = field.leaf;
      }
      break;
    }
    plan = &plan->children[static_cast<size_t>(path.children[depth])];
    siblings = &field.children;
  }
  return found;
}

class SectionColumnStats final : public StatsSource {
 public:
  SectionColumnStats(std::span<const FilterLeaf> leaves, const SectionStats& section)
      : leaves_(leaves), section_(section) {}

  ColumnStats Stats(const BoundFilter::Column& column) const override {
    for (const FilterLeaf& leaf : leaves_) {
      if (leaf.field_id != column.field_id || leaf.leaf < 0) continue;
      // Bytes of the answer are valid until the next one.
      recorded_ = section_.Of(leaf.leaf);
      // Writers disagree on whether nulls of a parent count: within structs, no count is complete.
      const bool complete = leaf.placement == ColumnPlacement::kTopLevel;
      const int64_t rows = recorded_.value_count < 0 ? section_.rows() : recorded_.value_count;
      return StatsFromMetrics(column, leaf.placement,
                              {.lower_bound = Bound(recorded_.lower_bound),
                               .upper_bound = Bound(recorded_.upper_bound),
                               .value_count = complete ? rows : -1,
                               .null_value_count = recorded_.null_count},
                              rows);
    }
    return {};
  }

 private:
  static ByteSpan Bound(const std::optional<std::string>& bound) {
    return bound ? AsBytes(*bound) : ByteSpan();
  }

  std::span<const FilterLeaf> leaves_;
  const SectionStats& section_;
  mutable LeafStats recorded_;
};

}  // namespace

bool BoundsHold(const arrow::DataType& from, const Type& to) {
  if (from.Equals(*ArrowTypeOf(to))) return true;
  switch (to.id()) {
    case TypeId::kInt:
    case TypeId::kLong:
      return arrow::is_signed_integer(from.id());
    case TypeId::kDouble:
      return from.id() == arrow::Type::FLOAT;
    case TypeId::kDecimal:
      return arrow::is_decimal(from.id()) &&
             static_cast<const arrow::DecimalType&>(from).scale() == to.scale();
    case TypeId::kString:
    case TypeId::kBinary:
      return from.id() == arrow::Type::STRING || from.id() == arrow::Type::BINARY;
    default:
      return false;
  }
}

SectionFilter MakeSectionFilter(std::shared_ptr<const BoundFilter> filter,
                                std::span<const FieldPath> paths, std::span<const ColumnPlan> plans,
                                const std::vector<FileField>& file_fields) {
  std::vector<FilterLeaf> leaves;
  for (size_t i = 0; i < paths.size(); ++i) {
    leaves.push_back(FindLeaf(filter->columns[i], paths[i], plans, file_fields));
  }
  SectionFilter made;
  for (const FilterLeaf& leaf : leaves) {
    const bool is_new =
        std::find(made.leaves.begin(), made.leaves.end(), leaf.leaf) == made.leaves.end();
    if (leaf.leaf >= 0 && is_new) made.leaves.push_back(leaf.leaf);
  }
  made.may_match = [filter = std::move(filter),
                    leaves = std::move(leaves)](const SectionStats& section) {
    return Evaluate(*filter, SectionColumnStats(leaves, section), Mode::kInclusive);
  };
  return made;
}

}  // namespace nunatak
