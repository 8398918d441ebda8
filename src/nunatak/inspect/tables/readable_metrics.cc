#include "nunatak/inspect/tables/readable_metrics.h"

#include <arrow/array.h>
#include <arrow/builder.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "nunatak/base/plain_ascii.h"
#include "nunatak/inspect/tables/row_values.h"
#include "nunatak/read/arrow_schema.h"
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

/// The map that has a metric.
MetricMap MapOf(int32_t metric) { return static_cast<MetricMap>(metric - kColumnSize); }

struct Target;
using AppendPair = void (*)(const MetricPair&, Target&);

/// One metric of one leaf.
struct Target {
  int32_t field_id = 0;
  Type type;
  AppendPair append = nullptr;
  std::unique_ptr<arrow::ArrayBuilder> builder;
  /// Where its array belongs: of which leaf, as which of its metrics.
  size_t column = 0;
  size_t place = 0;
};

void AppendCount(const MetricPair& pair, Target& target) {
  static_cast<arrow::Int64Builder&>(*target.builder).UnsafeAppend(pair.count);
}

/// A bound of any type; null when it is none.
void AppendBound(const MetricPair& pair, Target& target) {
  ValueView value;
  if (target.type.id() == TypeId::kBinary) {
    value = ValueView::Bytes(pair.bound);
  } else {
    DecodeSingleValue(target.type, pair.bound, &value);
  }
  AppendScalar(target.type, value, *target.builder);
}

/// A bound that is as it lies there, unless it is from before the column was promoted.
template <typename Builder>
void AppendFixedBound(const MetricPair& pair, Target& target) {
  using Number = typename Builder::value_type;
  if (pair.bound.size() != sizeof(Number)) return AppendBound(pair, target);
  static_cast<Builder&>(*target.builder).UnsafeAppend(LoadLittleEndian<Number>(pair.bound.data()));
}

void AppendTextBound(const MetricPair& pair, Target& target) {
  std::string_view text = AsText(pair.bound);
  // A bound may be cut inside a character.
  if (!IsPlainAscii(text)) text = ValidUtf8Prefix(text);
  CheckOk(static_cast<arrow::StringBuilder&>(*target.builder).Append(text));
}

AppendPair AppendBoundOf(const Type& type) {
  switch (type.id()) {
    case TypeId::kInt:
      return AppendFixedBound<arrow::Int32Builder>;
    case TypeId::kLong:
      return AppendFixedBound<arrow::Int64Builder>;
    case TypeId::kFloat:
      return AppendFixedBound<arrow::FloatBuilder>;
    case TypeId::kDouble:
      return AppendFixedBound<arrow::DoubleBuilder>;
    case TypeId::kDate:
      return AppendFixedBound<arrow::Date32Builder>;
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
      return AppendFixedBound<arrow::TimestampBuilder>;
    case TypeId::kString:
      return AppendTextBound;
    default:
      return AppendBound;
  }
}

/// The leaves of one metric, ascending by field id.
struct Targets {
  MetricMap map;
  std::vector<Target> leaves;

  void Append(std::span<const MetricPair> pairs);
};

void Targets::Append(std::span<const MetricPair> pairs) {
  auto pair = pairs.begin();
  for (Target& target : leaves) {
    while (pair != pairs.end() && pair->field_id < target.field_id) ++pair;
    if (pair != pairs.end() && pair->field_id == target.field_id) {
      target.append(*pair, target);
    } else {
      CheckOk(target.builder->AppendNull());
    }
  }
}

class MetricsColumn final : public FileColumn {
 public:
  explicit MetricsColumn(const Type& pruned) : type_(pruned), arrays_(pruned.fields().size()) {}

  /// Adds a metric of the leaf whose struct is field `column` of the type.
  void Add(size_t column, int32_t field_id, size_t place);

  void Reserve(int64_t files) override;
  void Append(FileRun& run) override;
  std::shared_ptr<arrow::Array> Finish() override;

 private:
  Type type_;
  /// Of each leaf, the arrays of its metrics.
  std::vector<arrow::ArrayVector> arrays_;
  std::map<int32_t, Targets> metrics_;
  int64_t count_ = 0;
};

void MetricsColumn::Add(size_t column, int32_t field_id, size_t place) {
  const Field& leaf = type_.fields()[column];
  const Field& metric = leaf.type.fields()[place];
  const int32_t number = metric.id - leaf.id;
  const bool is_bound = number == kLowerBound || number == kUpperBound;
  Targets& targets = metrics_.try_emplace(number, Targets{MapOf(number), {}}).first->second;
  const auto after =
      std::upper_bound(targets.leaves.begin(), targets.leaves.end(), field_id,
                       [](int32_t id, const Target& target) { return id < target.field_id; });
  arrays_[column].resize(leaf.type.fields().size());
  targets.leaves.insert(
      after, Target{field_id, metric.type, is_bound ? AppendBoundOf(metric.type) : AppendCount,
                    ValueOrThrow(arrow::MakeBuilder(ArrowTypeOf(metric.type))), column, place});
}

void MetricsColumn::Reserve(int64_t files) {
  for (auto& [number, targets] : metrics_) {
    for (Target& target : targets.leaves) CheckOk(target.builder->Reserve(files));
  }
}

void MetricsColumn::Append(FileRun& run) {
  // What is appended without looking for room has it, whether or not it was reserved for all.
  Reserve(static_cast<int64_t>(run.files().size()));
  for (auto& [number, targets] : metrics_) {
    const FileRun::Metrics& metrics = run.Of(targets.map);
    size_t at = 0;
    run.ForEach([&](size_t) { targets.Append(metrics.pairs(at++)); });
  }
  count_ += static_cast<int64_t>(run.files().size());
}

std::shared_ptr<arrow::Array> MetricsColumn::Finish() {
  for (auto& [number, targets] : metrics_) {
    for (Target& target : targets.leaves) {
      arrays_[target.column][target.place] = ValueOrThrow(target.builder->Finish());
    }
  }
  arrow::ArrayVector columns;
  for (size_t i = 0; i < arrays_.size(); ++i) {
    columns.push_back(std::make_shared<arrow::StructArray>(ArrowTypeOf(type_.fields()[i].type),
                                                           count_, std::move(arrays_[i])));
  }
  return std::make_shared<arrow::StructArray>(ArrowTypeOf(type_), count_, std::move(columns));
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

FileColumnPtr ReadableMetrics::MakeColumn(const Type& pruned) const {
  auto column = std::make_unique<MetricsColumn>(pruned);
  for (size_t i = 0; i < pruned.fields().size(); ++i) {
    const Field& leaf = pruned.fields()[i];
    for (size_t j = 0; j < leaf.type.fields().size(); ++j) {
      column->Add(i, LeafOf(leaf.id).field_id, j);
    }
  }
  return column;
}

}  // namespace nunatak
