#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "nunatak/table/value.h"

namespace nunatak {

/// The values of a partition tuple, in the order of the spec's fields. Immutable, and shared by its
/// copies: the many files of a partition have one. An empty tuple takes no memory.
class PartitionValues {
 public:
  PartitionValues() = default;
  PartitionValues(std::vector<Value> values)  // NOLINT(google-explicit-constructor)
      : values_(values.empty() ? nullptr
                               : std::make_shared<const std::vector<Value>>(std::move(values))) {}
  PartitionValues(std::initializer_list<Value> values)
      : PartitionValues(std::vector<Value>(values)) {}

  size_t size() const { return values_ ? values_->size() : 0; }
  bool empty() const { return size() == 0; }
  const Value& operator[](size_t i) const { return (*values_)[i]; }
  /// Throws `std::out_of_range` where there is none.
  const Value& at(size_t i) const {
    if (!values_) throw std::out_of_range("an empty partition tuple");
    return values_->at(i);
  }
  auto begin() const { return span().begin(); }
  auto end() const { return span().end(); }
  std::span<const Value> span() const {
    return values_ ? std::span<const Value>(*values_) : std::span<const Value>();
  }

  friend bool operator==(const PartitionValues& a, const PartitionValues& b) {
    return a.values_ == b.values_ || std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::shared_ptr<const std::vector<Value>> values_;
};

}  // namespace nunatak
