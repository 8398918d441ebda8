#include "nunatak/read/row_filter.h"

#include <arrow/array.h>
#include <arrow/type.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "nunatak/expr/evaluate.h"

namespace nunatak {

namespace {

using Marks = std::span<uint8_t>;

/// Marks the rows whose value does not compare so.
template <typename T, typename Compare>
void DropUnless(const T* values, int64_t literal, Compare compare, Marks dropped) {
  for (size_t i = 0; i < dropped.size(); ++i) {
    dropped[i] |= static_cast<uint8_t>(!compare(int64_t{values[i]}, literal));
  }
}

/// False for an operator that is none of comparison.
template <typename T>
bool DropByComparison(const T* values, Op op, int64_t literal, Marks dropped) {
  switch (op) {
    case Op::kEqual:
      DropUnless(values, literal, std::equal_to<>(), dropped);
      return true;
    case Op::kNotEqual:
      DropUnless(values, literal, std::not_equal_to<>(), dropped);
      return true;
    case Op::kLess:
      DropUnless(values, literal, std::less<>(), dropped);
      return true;
    case Op::kLessEqual:
      DropUnless(values, literal, std::less_equal<>(), dropped);
      return true;
    case Op::kGreater:
      DropUnless(values, literal, std::greater<>(), dropped);
      return true;
    case Op::kGreaterEqual:
      DropUnless(values, literal, std::greater_equal<>(), dropped);
      return true;
    default:
      return false;
  }
}

/// Whether values of the type are integers of four or eight bytes one behind the other.
bool IsIntegral(TypeId type) {
  switch (type) {
    case TypeId::kInt:
    case TypeId::kLong:
    case TypeId::kDate:
    case TypeId::kTime:
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
    case TypeId::kTimestampNs:
    case TypeId::kTimestampTzNs:
      return true;
    default:
      return false;
  }
}

void DropNulls(const arrow::Array& column, Marks dropped) {
  if (column.null_count() == 0) return;
  for (size_t i = 0; i < dropped.size(); ++i) {
    dropped[i] |= static_cast<uint8_t>(column.IsNull(static_cast<int64_t>(i)));
  }
}

/// A batch under a filter.
class BatchFilter {
 public:
  BatchFilter(const BoundFilter& filter, std::span<const FieldPath> paths,
              std::span<const std::shared_ptr<arrow::Array>> columns)
      : filter_(filter), paths_(paths), columns_(columns) {}

  /// Marks the rows that the subtree at `node` is not true for. Since there is no NOT, unknown may
  /// count as false at every leaf.
  void Drop(uint32_t node, Marks dropped) const {
    switch (filter_.nodes[node].op) {
      case Op::kTrue:
        return;
      case Op::kFalse:
        return std::fill(dropped.begin(), dropped.end(), uint8_t{1});
      case Op::kAnd:
        return ForChildren(node, [&](uint32_t child) { Drop(child, dropped); });
      case Op::kOr:
        return DropByOr(node, dropped);
      default:
        DropByLeaf(filter_.nodes[node], dropped);
    }
  }

 private:
  template <typename Visit>
  void ForChildren(uint32_t node, Visit visit) const {
    const uint32_t end = filter_.nodes[node].end;
    for (uint32_t child = node + 1; child < end; child = filter_.nodes[child].end) visit(child);
  }

  void DropByOr(uint32_t node, Marks dropped) const {
    // Rows that are dropped, or have passed one of the terms, are looked at no more.
    std::vector<uint8_t> decided(dropped.begin(), dropped.end());
    ForChildren(node, [&](uint32_t child) {
      std::vector<uint8_t> failed = decided;
      Drop(child, failed);
      for (size_t i = 0; i < failed.size(); ++i) {
        decided[i] |= static_cast<uint8_t>(failed[i] == 0);
      }
    });
    for (size_t i = 0; i < decided.size(); ++i) {
      dropped[i] |= static_cast<uint8_t>(decided[i] == 0);
    }
  }

  void DropByLeaf(const BoundFilter::Node& leaf, Marks dropped) const {
    if (DropByIntegers(leaf, dropped)) return;
    const FieldPath& path = paths_[leaf.column];
    const FieldReader field(filter_.columns[leaf.column].type, path, columns_);
    for (size_t i = 0; i < dropped.size(); ++i) {
      if (dropped[i] != 0) continue;
      dropped[i] = EvaluateLeaf(filter_, leaf, field.At(static_cast<int64_t>(i))) ? 0 : 1;
    }
  }

  /// False when the leaf is none that compares integers of a top-level column.
  bool DropByIntegers(const BoundFilter::Node& leaf, Marks dropped) const {
    const FieldPath& path = paths_[leaf.column];
    if (!path.children.empty() || leaf.literal_count != 1 ||
        !IsIntegral(filter_.columns[leaf.column].type.id())) {
      return false;
    }
    const arrow::Array& column = *columns_[path.column];
    const arrow::ArrayData& data = *column.data();
    const int64_t literal = filter_.literals_of(leaf)[0].integer();
    const bool compared =
        column.type()->byte_width() == sizeof(int32_t)
            ? DropByComparison(data.GetValues<int32_t>(1), leaf.op, literal, dropped)
            : DropByComparison(data.GetValues<int64_t>(1), leaf.op, literal, dropped);
    if (compared) DropNulls(column, dropped);
    return compared;
  }

  const BoundFilter& filter_;
  std::span<const FieldPath> paths_;
  std::span<const std::shared_ptr<arrow::Array>> columns_;
};

}  // namespace

void RowFilter::Apply(std::span<const std::shared_ptr<arrow::Array>> columns,
                      std::span<uint8_t> dropped) const {
  BatchFilter(*filter_, paths_, columns).Drop(0, dropped);
}

}  // namespace nunatak
