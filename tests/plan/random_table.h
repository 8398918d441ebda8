#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "fake_source.h"
#include "nunatak/table/transform.h"
#include "random_filter.h"

namespace nunatak {

/// A random table with its rows: columns of many types, nested and added ones among them, several
/// specs of all transforms, and metrics and summaries as writers record them: complete, missing in
/// parts, of the type before a promotion, truncated, or wrong in the ways that readers must see
/// through.
class RandomTable {
 public:
  explicit RandomTable(uint32_t seed)
      : random_(seed), source_(std::make_shared<FakeSource>(MakeSchema())) {
    columns_ = {
        {1, "i", TypeId::kInt},        {2, "l", TypeId::kLong},    {3, "f", TypeId::kDouble},
        {4, "s", TypeId::kString},     {5, "d", TypeId::kDate},    {6, "t", TypeId::kTimestamp},
        {7, "n", Type::Decimal(9, 2)}, {8, "b", TypeId::kBinary},  {9, "u", TypeId::kUuid},
        {10, "o", TypeId::kBoolean},   {12, "st.x", TypeId::kInt}, {13, "st.y", TypeId::kString},
        {14, "r", TypeId::kInt},       {15, "late", TypeId::kInt}};
    for (int32_t id = 0; id < 4; ++id) source_->AddSpec(MakeSpec(id));
    for (int group = 0; group < 6; ++group) AddGroup(group);
  }

  const std::vector<TestColumn>& columns() const { return columns_; }
  std::shared_ptr<const FakeSource> source() const { return source_; }
  const std::map<std::string, std::vector<TestRow>>& rows() const { return rows_; }
  std::mt19937* random() { return &random_; }

  /// A value like those in the rows of some group.
  Value LiteralFor(size_t column) {
    base_ = bases_[static_cast<size_t>(Pick(static_cast<int>(bases_.size())))];
    for (;;) {
      Value value = RandomValue(columns_[column].type);
      if (!value.is_null()) return value;
    }
  }

 private:
  int Pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  bool OneIn(int n) { return Pick(n) == 0; }

  static Schema MakeSchema() {
    const auto field = [](int32_t id, const char* name, Type type, bool required = false) {
      return Field{.id = id, .name = name, .required = required, .type = std::move(type)};
    };
    Type inner =
        Type::Struct({field(12, "x", TypeId::kInt, true), field(13, "y", TypeId::kString)});
    return Schema(
        3, {field(1, "i", TypeId::kInt), field(2, "l", TypeId::kLong),
            field(3, "f", TypeId::kDouble), field(4, "s", TypeId::kString),
            field(5, "d", TypeId::kDate), field(6, "t", TypeId::kTimestamp),
            field(7, "n", Type::Decimal(9, 2)), field(8, "b", TypeId::kBinary),
            field(9, "u", TypeId::kUuid), field(10, "o", TypeId::kBoolean), field(11, "st", inner),
            field(14, "r", TypeId::kInt, true), field(15, "late", TypeId::kInt)});
  }

  PartitionSpec MakeSpec(int32_t id) {
    PartitionSpec spec{id, {}};
    const int fields = id == 0 ? 0 : 1 + Pick(3);
    while (static_cast<int>(spec.fields.size()) < fields) {
      const Transform transforms[] = {TransformId::kIdentity,
                                      Transform(TransformId::kBucket, 3),
                                      Transform(TransformId::kTruncate, 3),
                                      TransformId::kYear,
                                      TransformId::kMonth,
                                      TransformId::kDay,
                                      TransformId::kHour,
                                      TransformId::kVoid,
                                      Transform::Parse("zorder")};
      const Transform& transform = transforms[Pick(9)];
      const TestColumn& column =
          columns_[static_cast<size_t>(Pick(static_cast<int>(columns_.size())))];
      if (!transform.CanTransform(column.type)) continue;
      const int32_t field_id = 1000 + id * 10 + static_cast<int32_t>(spec.fields.size());
      spec.fields.push_back({{column.id}, field_id, "p" + std::to_string(field_id), transform});
    }
    return spec;
  }

  Value RandomValue(const Type& type) {
    if (OneIn(12)) return Value::Null();
    static const char* const kTexts[] = {"",  "a",  "ab",       "abc", "abd",
                                         "b", "bä", "bä\u20AC", "ba",  "z"};
    const int64_t near = base_ + Pick(5);
    switch (type.id()) {
      case TypeId::kBoolean:
        return Value::Integer(Pick(2));
      case TypeId::kInt:
      case TypeId::kLong:
        return Value::Integer(near);
      case TypeId::kDouble: {
        if (OneIn(10)) return Value::Real(std::numeric_limits<double>::quiet_NaN());
        if (OneIn(10)) return Value::Real(OneIn(2) ? -0.0 : 0.0);
        return Value::Real(static_cast<double>(near) / 2);
      }
      case TypeId::kDate:
        return Value::Integer(near * 40);
      case TypeId::kTimestamp:
        return Value::Integer(near * 1'800'000'000 + Pick(3) - 1);
      case TypeId::kDecimal:
        return Value::Decimal(near * 13);
      case TypeId::kString:
        return Value::Bytes(kTexts[(base_ + 100 + Pick(4)) % 10]);
      case TypeId::kBinary:
        return Value::Bytes(
            std::string(static_cast<size_t>(Pick(3)), static_cast<char>(0x7E + Pick(4))));
      case TypeId::kUuid:
        return Value::Bytes(
            std::string(15, '\x10').insert(0, 1, static_cast<char>(0x7E + Pick(4))));
      default:
        return Value::Null();
    }
  }

  TestRow RandomRow(bool has_late) {
    TestRow row;
    for (const TestColumn& column : columns_) row.push_back(RandomValue(column.type));
    const bool null_struct = OneIn(5);
    if (null_struct) row[10] = row[11] = Value::Null();
    if (!null_struct && row[10].is_null()) row[10] = Value::Integer(base_);
    if (row[12].is_null()) row[12] = Value::Integer(base_);
    if (!has_late) row[13] = Value::Null();
    return row;
  }

  size_t ColumnOf(int32_t id) const {
    for (size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].id == id) return c;
    }
    return 0;
  }

  std::vector<Value> TupleOf(const PartitionSpec& spec, const TestRow& row) {
    std::vector<Value> tuple;
    for (const PartitionField& field : spec.fields) {
      const size_t c = ColumnOf(field.source_id());
      if (field.transform.id() == TransformId::kUnknown) {
        tuple.push_back(Value::Bytes(row[c].is_null() ? "none" : "some"));
      } else {
        tuple.push_back(Value::Of(field.transform.Apply(columns_[c].type, row[c].view())));
      }
    }
    return tuple;
  }

  void AddGroup(int group) {
    base_ = 12 * group - 36;
    bases_.push_back(base_);
    const int32_t spec_id = Pick(4);
    const PartitionSpec& spec = source_->spec(spec_id);
    has_late_ = OneIn(2);
    std::vector<std::pair<std::vector<Value>, std::vector<TestRow>>> files;
    for (int n = 0; n < 24; ++n) {
      TestRow row = RandomRow(has_late_);
      std::vector<Value> tuple = TupleOf(spec, row);
      const auto at = std::find_if(files.begin(), files.end(), [&](const auto& file) {
        return file.first == tuple && file.second.size() < 6;
      });
      if (at == files.end()) {
        files.push_back({std::move(tuple), {std::move(row)}});
      } else {
        at->second.push_back(std::move(row));
      }
    }
    std::vector<FakeEntry> entries;
    for (auto& [tuple, rows] : files) {
      entries.push_back({MakeFile(spec_id, std::move(tuple), rows), group + 1});
      rows_[entries.back().file.file_path] = std::move(rows);
    }
    std::vector<FieldSummary> summaries = Summarise(spec, source_->schema(), entries);
    for (FieldSummary& summary : summaries) {
      if (OneIn(6)) summary.contains_nan.reset();
      if (OneIn(8)) std::swap(summary.lower_bound, summary.upper_bound);
    }
    FileGroup& added = source_->AddGroup(spec_id, std::move(entries));
    if (!OneIn(5)) added.partitions = std::move(summaries);
    if (OneIn(3)) added.live_files.reset();
  }

  DataFile MakeFile(int32_t spec_id, std::vector<Value> tuple, const std::vector<TestRow>& rows) {
    DataFile file;
    file.file_path = "file-" + std::to_string(rows_.size());
    file.partition_spec_id = spec_id;
    file.partition = std::move(tuple);
    file.record_count = static_cast<int64_t>(rows.size());
    file.file_size_in_bytes = 1000;
    const bool before_promotion = OneIn(3);
    const bool skip_null_structs = OneIn(2);
    for (size_t c = 0; c < columns_.size(); ++c) {
      const bool absent = columns_[c].id == 15 && !has_late_;
      if (absent || OneIn(8)) continue;
      ColumnMetrics metrics = MetricsOf(c, rows, before_promotion, skip_null_structs);
      const bool named_by_a_map = metrics != ColumnMetrics{.field_id = metrics.field_id};
      if (named_by_a_map) file.metrics.push_back(std::move(metrics));
    }
    return file;
  }

  ColumnMetrics MetricsOf(size_t c, const std::vector<TestRow>& rows, bool before_promotion,
                          bool skip_null_structs) {
    Type type = columns_[c].type;
    if (before_promotion && type.id() == TypeId::kLong) type = TypeId::kInt;
    if (before_promotion && type.id() == TypeId::kDouble) type = TypeId::kFloat;
    const bool nested = columns_[c].id == 12 || columns_[c].id == 13;
    ColumnMetrics metrics{.field_id = columns_[c].id, .value_count = 0, .null_value_count = 0};
    if (type.id() == TypeId::kFloat || type.id() == TypeId::kDouble) metrics.nan_value_count = 0;
    std::vector<Value> values;
    for (const TestRow& row : rows) {
      const bool null_struct = row[10].is_null();  // "st.x" is required inside "st".
      if (nested && null_struct && skip_null_structs) continue;
      ++*metrics.value_count;
      if (row[c].is_null()) {
        ++*metrics.null_value_count;
      } else if (row[c].view().is_nan()) {
        ++*metrics.nan_value_count;
      } else {
        values.push_back(row[c]);
      }
    }
    SetBounds(type, values, &metrics);
    Spoil(type, &metrics);
    return metrics;
  }

  void SetBounds(const Type& type, const std::vector<Value>& values, ColumnMetrics* metrics) {
    if (values.empty()) return;
    const auto less = [](const Value& a, const Value& b) {
      return CompareValues(a.view(), b.view()) < 0;
    };
    const auto [lower, upper] = std::minmax_element(values.begin(), values.end(), less);
    metrics->lower_bound = EncodeSingleValue(type, lower->view());
    metrics->upper_bound = EncodeSingleValue(type, upper->view());
    const bool text = type.id() == TypeId::kString || type.id() == TypeId::kBinary;
    if (text && OneIn(2)) {
      metrics->lower_bound->resize(std::min<size_t>(metrics->lower_bound->size(), 2));
      if (metrics->upper_bound->size() > 1) {
        metrics->upper_bound->resize(1);
        ++metrics->upper_bound->back();
      }
    }
  }

  /// Leaves things out, or writes what faulty writers wrote; none of it may lose a row.
  void Spoil(const Type& type, ColumnMetrics* metrics) {
    if (OneIn(8)) metrics->value_count.reset();
    if (OneIn(8)) metrics->null_value_count.reset();
    if (OneIn(8)) metrics->nan_value_count.reset();
    if (OneIn(12)) metrics->lower_bound.reset();
    if (OneIn(12)) metrics->upper_bound.reset();
    if (OneIn(12)) metrics->null_value_count = -1;
    const bool both_bounds = metrics->lower_bound && metrics->upper_bound;
    if (both_bounds && OneIn(12)) std::swap(metrics->lower_bound, metrics->upper_bound);
    const bool floating = type.id() == TypeId::kFloat || type.id() == TypeId::kDouble;
    if (floating && OneIn(6)) {
      metrics->upper_bound =
          EncodeSingleValue(type, ValueView::Real(std::numeric_limits<double>::quiet_NaN()));
    }
  }

  std::mt19937 random_;
  std::shared_ptr<FakeSource> source_;
  std::vector<TestColumn> columns_;
  std::map<std::string, std::vector<TestRow>> rows_;
  std::vector<int64_t> bases_;
  int64_t base_ = 0;
  bool has_late_ = true;
};

}  // namespace nunatak
