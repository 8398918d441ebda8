#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "nunatak/expr/expr.h"
#include "nunatak/table/schema.h"
#include "nunatak/table/value.h"

namespace nunatak {

/// A random number generator with the few draws that the tests make.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  /// 0 ≤ result < bound.
  size_t Below(size_t bound) {
    return std::uniform_int_distribution<size_t>(0, bound - 1)(engine_);
  }
  bool OneIn(size_t n) { return Below(n) == 0; }
  uint64_t Bits() { return engine_(); }
  template <typename T>
  const T& Pick(const std::vector<T>& from) {
    return from[Below(from.size())];
  }

 private:
  std::mt19937_64 engine_;
};

/// SQL's three truth values, in the order that AND (least) and OR (greatest) want.
enum class Truth { kFalse, kUnknown, kTrue };

/// A filter as the tests see it: typed values, NOT anywhere, NULL and NaN as literals. It is
/// evaluated here by the words of the documentation, without the library's expr room.
struct TestFilter {
  Op op = Op::kTrue;
  std::vector<TestFilter> children;
  size_t column = 0;
  std::vector<Value> literals;
  /// LIKE and the prefix tests.
  std::string pattern;
};

/// Compares two values of one type, neither null: NaN above all, zeros equal, bytes unsigned.
int OracleCompare(const Type& type, const Value& a, const Value& b);

Truth OracleEvaluate(const TestFilter& filter, const Schema& schema, const std::vector<Value>& row);

/// The filter in the text language, or as expression JSON.
std::string ToFilterText(const TestFilter& filter, const Schema& schema);
std::string ToFilterJson(const TestFilter& filter, const Schema& schema);

/// Every type that has values to compare.
std::vector<Type> ComparableTypes();

/// A few values of a type among which rows and literals are drawn: extremes, neighbours, and what
/// random bits give.
std::vector<Value> RandomPool(const Type& type, Random* random);

/// A filter over the top-level columns of `schema`; `pools` has the values for each column.
TestFilter RandomFilter(const Schema& schema, const std::vector<std::vector<Value>>& pools,
                        int depth, Random* random);

/// One leaf on the given column.
TestFilter RandomLeaf(const Schema& schema, const std::vector<std::vector<Value>>& pools,
                      size_t column, Random* random);

}  // namespace nunatak
