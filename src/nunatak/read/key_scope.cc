#include "nunatak/read/key_scope.h"

namespace nunatak {

int64_t KeyScope::Add(const EncodedKeys& keys, uint32_t file) {
  std::lock_guard first(writers_);
  std::lock_guard lock(table_mutex_);
  const int64_t before = table_.memory_bytes();
  for (size_t i = 0; i < keys.size(); ++i) table_.Add(keys[i], file);
  return table_.memory_bytes() - before;
}

int64_t KeyScope::memory_bytes() const {
  std::shared_lock lock(table_mutex_);
  return table_.memory_bytes();
}

}  // namespace nunatak
