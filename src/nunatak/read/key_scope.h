#pragma once

#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/read/equality_key.h"
#include "nunatak/read/equality_key_table.h"

namespace nunatak {

/// The keys of the equality delete files that compare by the same fields in the same partition. It
/// grows as tasks bring further files, while others read. Thread-safe.
class NUNATAK_EXPORT KeyScope {
 public:
  explicit KeyScope(std::vector<EqualityField> fields) : fields_(std::move(fields)) {}

  const std::vector<EqualityField>& fields() const { return fields_; }

  /// Adds keys of the file of that number; returns how many bytes more they take.
  int64_t Add(const EncodedKeys& keys, uint32_t file);

  /// Calls `body` with the table, which does not change meanwhile.
  template <typename Body>
  void Read(Body&& body) const {
    {
      std::lock_guard wait_for_writers(writers_);
    }
    std::shared_lock lock(table_mutex_);
    body(table_);
  }

  int64_t memory_bytes() const;

 private:
  const std::vector<EqualityField> fields_;
  /// Held while a writer waits, so that readers who come one after the other do not keep it out.
  mutable std::mutex writers_;
  mutable std::shared_mutex table_mutex_;
  EqualityKeyTable table_;
};

}  // namespace nunatak
