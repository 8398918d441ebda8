#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "nunatak/base/export.h"

namespace nunatak {

/// A set of equality delete files, by their numbers.
using DeleteFileSet = std::vector<bool>;

/// The keys of many equality delete files, each with the files that have it: one look-up answers
/// for any set of the files. Keys lie one behind the other in one piece of memory; beside its bytes
/// a distinct key takes 5 of them and a slot of 8, of which between three and six eighths are
/// taken, and another 8 for each further file that has it. Not synchronised.
class NUNATAK_EXPORT EqualityKeyTable {
 public:
  EqualityKeyTable();

  /// Adds a key of the file of that number; numbers are below 2^31.
  void Add(std::string_view key, uint32_t file);
  /// Whether one of the files has the key; numbers that the set does not reach are not in it.
  bool Contains(std::string_view key, const DeleteFileSet& files) const;

  /// Distinct keys.
  size_t size() const { return size_; }
  int64_t memory_bytes() const;

 private:
  /// A file number, or (with the highest bit) a position in `links_`.
  using Files = uint32_t;
  struct Link {
    uint32_t file;
    Files next;
  };

  uint64_t Hash(std::string_view key) const;
  size_t FindSlot(std::string_view key, uint64_t hash) const;
  std::string_view KeyAt(uint64_t offset) const;
  uint64_t AppendKey(std::string_view key, uint32_t file);
  void AddFile(uint64_t offset, uint32_t file);
  void Grow();

  /// Keys come from files, which may be made to collide under a hash that is known.
  uint64_t seeds_[2];
  /// Upper 16 bits of the key's hash, then 1 more than its offset in `arena_`; 0 when free. A power
  /// of two of them.
  std::vector<uint64_t> slots_;
  size_t size_ = 0;
  /// Per key: the files that have it, the length as a varint, the bytes.
  std::vector<uint8_t> arena_;
  std::vector<Link> links_;
};

}  // namespace nunatak
