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

void AppendCount(const std::optional<int64_t>& count, arrow::ArrayBuilder& builder) {
  auto& counts = static_cast<arrow::Int64Builder&>(builder);
  CheckOk(count ? counts.Append(*count) : counts.AppendNull());
}

void AppendBound(const Type& type, const std::optional<std::string>& bytes,
                 arrow::ArrayBuilder& builder) {
  ValueView value;
  if (bytes && type.id() == TypeId::kBinary) {
    value = ValueView::Bytes(*bytes);
  } else if (bytes && DecodeSingleValue(type, AsBytes(*bytes), &value) &&
             type.id() == TypeId::kString) {
    // A bound may be cut inside a character.
    value = ValueView::Bytes(ValidUtf8Prefix(value.text()));
  }
  AppendScalar(type, value, builder);
}

void AppendMetric(int32_t metric, const Type& type, const ColumnMetrics& metrics,
                  arrow::ArrayBuilder& builder) {
  switch (metric) {
    case kColumnSize:
      return AppendCount(metrics.column_size, builder);
    case kValueCount:
      return AppendCount(metrics.value_count, builder);
    case kNullValueCount:
      return AppendCount(metrics.null_value_count, builder);
    case kNanValueCount:
      return AppendCount(metrics.nan_value_count, builder);
    case kLowerBound:
      return AppendBound(type, metrics.lower_bound, builder);
    default:
      return AppendBound(type, metrics.upper_bound, builder);
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
      AppendMetric(metric.id - column.id, leaf.type, found ? *found : kNone,
                   *metrics.field_builder(static_cast<int>(j)));
    }
  }
}

}  // namespace nunatak
