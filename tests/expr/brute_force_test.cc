/// The evaluator, projection and residuals against brute force: random columns of every type,
/// random rows and random filters, with the answers of an oracle that shares no code with them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "expr/random_filter.h"
#include "expr/test_schema.h"
#include "nunatak/expr/evaluate.h"
#include "nunatak/expr/project.h"

namespace nunatak {
namespace {

constexpr uint64_t kFirstSeed = 20240229;

using Row = std::vector<Value>;

struct Case {
  Schema schema;
  std::vector<std::vector<Value>> pools;
  std::vector<Row> rows;
  TestFilter filter;
  std::string text;
  BoundFilter bound;
};

std::vector<Row> RandomRows(const Case& c, size_t count, Random* random) {
  std::vector<Row> rows(count);
  for (Row& row : rows) {
    for (size_t i = 0; i < c.pools.size(); ++i) {
      const bool null = !c.schema.fields()[i].required && random->OneIn(5);
      row.push_back(null ? Value::Null() : random->Pick(c.pools[i]));
    }
  }
  return rows;
}

Case RandomCase(std::vector<Type> types, int depth, Random* random) {
  Case c;
  std::vector<Field> fields;
  for (size_t i = 0; i < types.size(); ++i) {
    Field field = Optional(static_cast<int32_t>(i + 1), "c" + std::to_string(i), types[i]);
    field.required = random->OneIn(4);
    fields.push_back(field);
    c.pools.push_back(RandomPool(types[i], random));
  }
  c.schema = Schema(0, std::move(fields));
  c.rows = RandomRows(c, 1 + random->Below(5), random);
  c.filter = RandomFilter(c.schema, c.pools, depth, random);
  c.text = random->OneIn(2) ? ToFilterText(c.filter, c.schema) : ToFilterJson(c.filter, c.schema);
  c.bound = BindFilter(c.text, c.schema);
  return c;
}

bool OracleKeeps(const Case& c, const Row& row) {
  return OracleEvaluate(c.filter, c.schema, row) == Truth::kTrue;
}

bool KeepsRow(const BoundFilter& filter, const Row& row) {
  std::vector<ValueView> views;
  for (const BoundFilter::Column& column : filter.columns) {
    views.push_back(row[static_cast<size_t>(column.field_id - 1)].view());
  }
  return EvaluateRow(filter, views);
}

/// ---- statistics of rows, as some writer may have left them -------------------------------------

struct WrittenStats {
  Value lower;
  Value upper;
  ColumnStats stats;
};

/// A bound below or above a text or bytes: cut after some bytes, the upper one with its last byte
/// raised.
Value Cut(const Value& bound, bool upper, Random* random) {
  std::string bytes = bound.bytes();
  const size_t length = random->Below(bytes.size() + 1);
  if (length == bytes.size()) return bound;
  bytes.resize(length);
  if (!upper) return Value::Bytes(bytes);
  while (!bytes.empty() && bytes.back() == '\xFF') bytes.pop_back();
  if (bytes.empty()) return Value::Null();
  ++bytes.back();
  return Value::Bytes(bytes);
}

Known MaybeKnown(bool fact, Random* random) {
  if (random->OneIn(3)) return Known::kUnknown;
  return fact ? Known::kYes : Known::kNo;
}

void SpoilBounds(const Type& type, WrittenStats* written, Random* random) {
  if (random->OneIn(5)) written->lower = Value::Null();
  if (random->OneIn(5)) written->upper = Value::Null();
  const bool both = !written->lower.is_null() && !written->upper.is_null();
  if (both && random->OneIn(10) && OracleCompare(type, written->lower, written->upper) < 0) {
    std::swap(written->lower, written->upper);
  }
  const bool real = type.id() == TypeId::kFloat || type.id() == TypeId::kDouble;
  if (!real) return;
  for (Value* bound : {&written->lower, &written->upper}) {
    if (!bound->is_null() && bound->real() == 0)
      *bound = Value::Real(random->OneIn(2) ? 0.0 : -0.0);
  }
  // A writer that took NaN for a number: whatever else it wrote is worthless.
  if (random->OneIn(10)) {
    const Value nan = Value::Real(std::nan(""));
    (random->OneIn(2) ? written->lower : written->upper) = nan;
    (written->lower.view().is_nan() ? written->upper : written->lower) = Value::Real(7);
  }
}

WrittenStats StatsOf(const std::vector<Row>& rows, size_t column, const Type& type,
                     Random* random) {
  WrittenStats written;
  size_t nulls = 0;
  size_t nans = 0;
  for (const Row& row : rows) {
    const Value& value = row[column];
    if (value.is_null()) {
      ++nulls;
    } else if (value.view().is_nan()) {
      ++nans;
    } else {
      if (written.lower.is_null() || OracleCompare(type, value, written.lower) < 0) {
        written.lower = value;
      }
      if (written.upper.is_null() || OracleCompare(type, value, written.upper) > 0) {
        written.upper = value;
      }
    }
  }
  const bool bytes = type.id() == TypeId::kString || type.id() == TypeId::kBinary;
  if (bytes && !written.lower.is_null() && random->OneIn(2)) {
    written.lower = Cut(written.lower, false, random);
    written.upper = Cut(written.upper, true, random);
  }
  SpoilBounds(type, &written, random);
  written.stats.has_nulls = MaybeKnown(nulls > 0, random);
  written.stats.all_null = MaybeKnown(nulls == rows.size(), random);
  written.stats.has_nans = MaybeKnown(nans > 0, random);
  written.stats.all_nan = MaybeKnown(nans > 0 && nans + nulls == rows.size(), random);
  return written;
}

class RowStats : public StatsSource {
 public:
  RowStats(const Schema& schema, const std::vector<Row>& rows, Random* random) {
    for (size_t i = 0; i < schema.fields().size(); ++i) {
      columns_[static_cast<int32_t>(i + 1)] = StatsOf(rows, i, schema.fields()[i].type, random);
    }
  }
  ColumnStats Stats(const BoundFilter::Column& column) const override {
    const WrittenStats& written = columns_.at(column.field_id);
    ColumnStats stats = written.stats;
    stats.lower = written.lower.view();
    stats.upper = written.upper.view();
    return stats;
  }

 private:
  std::map<int32_t, WrittenStats> columns_;
};

std::vector<Type> RandomTypes(Random* random) {
  std::vector<Type> types;
  for (size_t n = 1 + random->Below(3); n > 0; --n)
    types.push_back(random->Pick(ComparableTypes()));
  return types;
}

TEST(BruteForceTest, StatisticsNeverLoseRows) {
  int pruned = 0;
  int whole = 0;
  for (uint64_t seed = kFirstSeed; seed < kFirstSeed + 20'000; ++seed) {
    Random random(seed);
    const Case c = RandomCase(RandomTypes(&random), 3, &random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + c.text);
    bool any = false;
    bool all = true;
    for (const Row& row : c.rows) {
      const bool keeps = OracleKeeps(c, row);
      ASSERT_EQ(KeepsRow(c.bound, row), keeps);
      any = any || keeps;
      all = all && keeps;
    }
    const RowStats stats(c.schema, c.rows, &random);
    const bool may = Evaluate(c.bound, stats, Mode::kInclusive);
    const bool must = Evaluate(c.bound, stats, Mode::kStrict);
    ASSERT_TRUE(may || !any);
    ASSERT_TRUE(!must || all);
    pruned += !may;
    whole += must;
  }
  // The test says something only if both happen often.
  EXPECT_GT(pruned, 3'000);
  EXPECT_GT(whole, 1'500);
}

TEST(BruteForceTest, PrintedFiltersMeanTheSame) {
  for (uint64_t seed = kFirstSeed; seed < kFirstSeed + 5'000; ++seed) {
    Random random(seed);
    const Case c = RandomCase(RandomTypes(&random), 3, &random);
    const std::string text = FilterToText(c.bound);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + c.text + " printed as " + text);
    ASSERT_EQ(BindFilter(text, c.schema), c.bound);
    ASSERT_EQ(BindFilter(FilterToJson(c.bound).dump(), c.schema), c.bound);
  }
}

/// ---- partitions --------------------------------------------------------------------------------

struct Partitioning {
  Type type;
  std::string transform;
};

std::vector<Partitioning> Partitionings() {
  std::vector<Partitioning> all;
  for (const Type& type : ComparableTypes()) {
    for (const char* transform : {"identity", "bucket[4]", "truncate[1]", "truncate[3]",
                                  "truncate[10]", "truncate[16]", "year", "month", "day", "hour"}) {
      if (Transform::Parse(transform).CanTransform(type)) all.push_back({type, transform});
    }
  }
  return all;
}

bool IsTemporal(TransformId id) { return id >= TransformId::kYear && id <= TransformId::kHour; }

/// The partition value that some writer gives a row: an early one rounds negative times towards
/// zero, and one that wrote a long when it was an int truncates within 32 bits.
Value WrittenPartition(const Transform& transform, const Type& type, const Value& value, bool early,
                       bool narrow) {
  const bool was_int = narrow && type.id() == TypeId::kLong && !value.is_null() &&
                       value.integer() == static_cast<int32_t>(value.integer());
  const Type source = was_int ? Type(TypeId::kInt) : type;
  Value result = Value::Of(transform.Apply(source, value.view()));
  const bool rounded = type.id() != TypeId::kDate || transform.id() != TransformId::kDay;
  const bool negative = IsTemporal(transform.id()) && !value.is_null() && value.integer() < 0;
  if (early && rounded && negative && result.integer() < 0) {
    result = Value::Integer(result.integer() + 1);
  }
  return result;
}

struct PartitionedCase {
  Case c;
  PartitionSpec spec;
  std::vector<std::pair<std::vector<Value>, std::vector<Row>>> partitions;
};

PartitionedCase RandomPartitionedCase(const Partitioning& by, Random* random) {
  PartitionedCase result;
  // Two columns, the second one partitioned by identity in half of the cases.
  result.c = RandomCase({by.type, random->Pick(ComparableTypes())}, 2, random);
  const auto add = [&](int32_t source, std::string_view transform) {
    PartitionField field;
    field.source_ids = {source};
    field.field_id = 999 + static_cast<int32_t>(result.spec.fields.size()) + 1;
    field.name = "p" + std::to_string(field.field_id);
    field.transform = Transform::Parse(transform);
    result.spec.fields.push_back(field);
  };
  add(1, by.transform);
  if (random->OneIn(2)) add(2, "identity");
  const bool early = random->OneIn(2);
  const bool narrow = random->OneIn(2);
  for (const Row& row : RandomRows(result.c, 12, random)) {
    std::vector<Value> tuple;
    for (const PartitionField& field : result.spec.fields) {
      const auto source = static_cast<size_t>(field.source_id() - 1);
      const bool round = early && random->OneIn(2);
      tuple.push_back(WrittenPartition(field.transform, result.c.schema.fields()[source].type,
                                       row[source], round, narrow));
    }
    auto it = std::find_if(result.partitions.begin(), result.partitions.end(),
                           [&](const auto& partition) { return partition.first == tuple; });
    if (it == result.partitions.end()) it = result.partitions.insert(it, {tuple, {}});
    it->second.push_back(row);
  }
  return result;
}

/// The summaries of several partition tuples, as a manifest list has them.
class SummaryStats : public StatsSource {
 public:
  SummaryStats(const PartitionedCase& p) : p_(p) {}
  ColumnStats Stats(const BoundFilter::Column& column) const override {
    const auto field = static_cast<size_t>(column.field_id - 1000);
    ColumnStats stats;
    stats.has_nulls = stats.has_nans = Known::kNo;
    for (const auto& [tuple, rows] : p_.partitions) {
      const ValueView value = tuple[field].view();
      if (value.is_null()) {
        stats.has_nulls = Known::kYes;
      } else if (value.is_nan()) {
        stats.has_nans = Known::kYes;
      } else {
        const auto compare = [&](const ValueView& bound) {
          return OracleCompare(column.type, tuple[field], Value::Of(bound));
        };
        if (stats.lower.is_null() || compare(stats.lower) < 0) stats.lower = value;
        if (stats.upper.is_null() || compare(stats.upper) > 0) stats.upper = value;
      }
    }
    return stats;
  }

 private:
  const PartitionedCase& p_;
};

TEST(BruteForceTest, PartitionsNeverLoseRows) {
  std::map<std::string, int> pruned;
  std::map<std::string, int> whole;
  uint64_t seed = kFirstSeed;
  for (const Partitioning& by : Partitionings()) {
    const std::string what = by.transform + " of " + by.type.ToString();
    for (int i = 0; i < 300; ++i) {
      Random random(++seed);
      const PartitionedCase p = RandomPartitionedCase(by, &random);
      const BoundFilter inclusive =
          ProjectToPartition(p.c.bound, p.spec, p.c.schema, Mode::kInclusive);
      const BoundFilter strict = ProjectToPartition(p.c.bound, p.spec, p.c.schema, Mode::kStrict);
      const ResidualEvaluator residuals(p.c.bound, p.spec, p.c.schema);
      SCOPED_TRACE("seed " + std::to_string(seed) + ": " + what + ": " + p.c.text +
                   "\ninclusive: " + FilterToText(inclusive) + "\nstrict: " + FilterToText(strict));
      bool any_row = false;
      for (const auto& [tuple, rows] : p.partitions) {
        const PartitionStats stats(p.spec, tuple);
        const BoundFilter residual = residuals.ResidualFor(tuple);
        const bool may = Evaluate(inclusive, stats, Mode::kInclusive);
        const bool must = Evaluate(strict, stats, Mode::kStrict);
        pruned[what] += !may;
        whole[what] += must;
        for (const Row& row : rows) {
          const bool keeps = OracleKeeps(p.c, row);
          any_row = any_row || keeps;
          ASSERT_TRUE(may || !keeps);
          ASSERT_TRUE(!must || keeps);
          ASSERT_EQ(KeepsRow(residual, row), keeps) << "residual " << FilterToText(residual);
        }
        ASSERT_TRUE(may || residual.is_false());
        ASSERT_TRUE(!must || residual.is_true());
      }
      ASSERT_TRUE(Evaluate(inclusive, SummaryStats(p), Mode::kInclusive) || !any_row);
    }
    EXPECT_GT(pruned[what], 60) << what;
    EXPECT_GT(whole[what], 5) << what;
  }
}

}  // namespace
}  // namespace nunatak
