#include "nunatak/plan/partition_key.h"

#include <cmath>
#include <limits>

#include "nunatak/base/error.h"

namespace nunatak {
namespace {

template <typename T>
void AppendBits(const T& value, std::string* key) {
  key->append(reinterpret_cast<const char*>(&value), sizeof(T));
}

void AppendValue(const ValueView& view, std::string* key) {
  key->push_back(static_cast<char>(view.kind));
  switch (view.kind) {
    case ValueView::Kind::kNull:
      break;
    case ValueView::Kind::kInteger:
      AppendBits(view.integer, key);
      break;
    case ValueView::Kind::kReal:
      AppendBits(std::isnan(view.real) ? std::numeric_limits<double>::quiet_NaN() : view.real, key);
      break;
    case ValueView::Kind::kDecimal:
      AppendBits(view.decimal, key);
      break;
    case ValueView::Kind::kBytes:
      AppendBits(view.bytes.size, key);
      key->append(view.text());
      break;
  }
}

}  // namespace

void AppendPartitionKey(int32_t spec_id, std::span<const Value> partition, std::string* key) {
  AppendBits(spec_id, key);
  for (const Value& value : partition) {
    if (value.is_nested()) ThrowInvalid("a partition value is a nested value");
    AppendValue(value.view(), key);
  }
}

void AppendPartitionKey(const FileBatch& batch, size_t tuple, std::string* key) {
  AppendBits(batch.partition_spec_id, key);
  for (const std::span<const ValueView>& column : batch.tuples) AppendValue(column[tuple], key);
}

}  // namespace nunatak
