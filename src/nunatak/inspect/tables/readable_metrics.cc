#include "nunatak/inspect/tables/readable_metrics.h"

#include <arrow/builder.h>

#include <map>
#include <string>
#include <utility>

#include "nunatak/inspect/tables/row_values.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/project/append_value.h"
#include "nunatak/table/single_value.h"

namespace nunatak {

namespace {

/// In the order of their field ids behind that of their column.
enum Metric : int32_t {
  kColumnSize = 1,
  kValueCount,
  kNullValueCount,
  kNanValueCount,
  kLowerBound,
  kUpperBound,
};

/// A column's struct and its metrics.
constexpr int32_t kIdsPerLeaf = kUpperBound + 1;

Type MetricsType(int32_t id, const Type& type) {
  return Type::Struct({OptionalField(id + kColumnSize, "column_size", TypeId::kLong),
                       OptionalField(id + kValueCount, "value_count", TypeId::kLong),
                       OptionalField(id + kNullValueCount, "null_value_count", TypeId::kLong),
                       OptionalField(id + kNanValueCount, "nan_value_count", TypeId::kLong),
                       OptionalField(id + kLowerBound, "lower_bound", type),
                       OptionalField(id + kUpperBound, "upper_bound", type)});
}

void CollectLeaves(const Schema& schema, std::span<const Field> fields,
                   std::map<std::string, const Field*>* leaves) {
  for (const Field& field : fields) {
    if (field.type.is_nested()) {
      CollectLeaves(schema, field.type.fields(), leaves);
    } else if (field.type.id() != TypeId::kVariant) {
      // A dotted path is also the name of another column if a name has dots: that one comes first.
      leaves->emplace(schema.NameOf(field.id), &field);
    }
  }
}

/// Bounds of other types are bytes that nobody can compare.
Type BoundType(const Type& type) {
  return type.is_comparable() || type.id() == TypeId::kUnknown ? type : Type(TypeId::kBinary);
}

Value Bound(const Type& type, const std::optional<std::string>& bytes) {
  if (!bytes) return Value::Null();
  if (type.id() == TypeId::kBinary) return Value::Bytes(*bytes);
  ValueView value;
  if (!DecodeSingleValue(type, AsBytes(*bytes), &value)) return Value::Null();
  // A bound may be cut inside a character.
  if (type.id() == TypeId::kString) {
    return Value::Bytes(std::string(ValidUtf8Prefix(value.text())));
  }
  return Value::Of(value);
}

Value MetricOf(int32_t metric, const Type& type, const ColumnMetrics& metrics) {
  switch (metric) {
    case kColumnSize:
      return IntegerOrNull(metrics.column_size);
    case kValueCount:
      return IntegerOrNull(metrics.value_count);
    case kNullValueCount:
      return IntegerOrNull(metrics.null_value_count);
    case kNanValueCount:
      return IntegerOrNull(metrics.nan_value_count);
    case kLowerBound:
      return Bound(type, metrics.lower_bound);
    default:
      return Bound(type, metrics.upper_bound);
  }
}

}  // namespace

ReadableMetrics::ReadableMetrics(const Schema& schema, int32_t first_id) : first_id_(first_id) {
  std::map<std::string, const Field*> leaves;
  CollectLeaves(schema, schema.fields(), &leaves);
  std::vector<Field> fields;
  int32_t id = first_id + 1;
  for (const auto& [name, field] : leaves) {
    leaves_.push_back({field->id, BoundType(field->type)});
    fields.push_back(OptionalField(id, name, MetricsType(id, leaves_.back().type)));
    id += kIdsPerLeaf;
  }
  field_ = OptionalField(first_id, "readable_metrics", Type::Struct(std::move(fields)));
}

const ReadableMetrics::Leaf& ReadableMetrics::LeafOf(int32_t id) const {
  return leaves_[static_cast<size_t>((id - first_id_ - 1) / kIdsPerLeaf)];
}

void ReadableMetrics::Append(const Type& pruned, const DataFile& file,
                             arrow::ArrayBuilder& builder) const {
  static const ColumnMetrics kNone;
  auto& columns = static_cast<arrow::StructBuilder&>(builder);
  CheckOk(columns.Append());
  for (size_t i = 0; i < pruned.fields().size(); ++i) {
    const Field& column = pruned.fields()[i];
    const Leaf& leaf = LeafOf(column.id);
    const ColumnMetrics* found = file.FindMetrics(leaf.field_id);
    auto& metrics = static_cast<arrow::StructBuilder&>(*columns.field_builder(static_cast<int>(i)));
    CheckOk(metrics.Append());
    for (size_t j = 0; j < column.type.fields().size(); ++j) {
      const Field& metric = column.type.fields()[j];
      AppendValue(metric.type, MetricOf(metric.id - column.id, leaf.type, found ? *found : kNone),
                  *metrics.field_builder(static_cast<int>(j)));
    }
  }
}

}  // namespace nunatak
