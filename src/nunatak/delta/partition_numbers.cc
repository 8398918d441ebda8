#include "nunatak/delta/partition_numbers.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/delta/partition_value.h"

namespace nunatak::delta {

namespace {

/// Reads the values of one partition column; texts that come again are read once.
class PartitionReader {
 public:
  explicit PartitionReader(const Field& field) : field_(field) {}

  ValueView Read(std::string_view text) {
    if (text.data() == nullptr) return {};
    if (text.data() == last_.data() && text.size() == last_.size()) return last_value_;
    const auto [at, is_new] = values_.try_emplace(text);
    if (is_new) {
      at->second = WithContext(fmt::format("partition column {}", field_.name),
                               [&] { return ParsePartitionValue(field_.type, text); });
    }
    last_ = text;
    last_value_ = at->second;
    return at->second;
  }

 private:
  const Field& field_;
  std::unordered_map<std::string_view, ValueView> values_;
  std::string_view last_;
  ValueView last_value_;
};

}  // namespace

PartitionNumbers NumberPartitions(const TableSchema& table,
                                  const std::vector<std::vector<std::string_view>>& texts,
                                  size_t file_count) {
  std::vector<PartitionReader> readers;
  for (const PartitionField& field : table.spec.fields) {
    readers.emplace_back(*table.schema.FindField(field.source_id()));
  }
  PartitionNumbers partitions{PartitionTuples(readers.size()), {}};
  std::vector<ValueView> tuple(readers.size());
  partitions.numbers.reserve(file_count);
  for (size_t i = 0; i < file_count; ++i) {
    for (size_t c = 0; c < readers.size(); ++c) tuple[c] = readers[c].Read(texts[c][i]);
    partitions.numbers.push_back(partitions.tuples.NumberOf(tuple));
  }
  return partitions;
}

}  // namespace nunatak::delta
