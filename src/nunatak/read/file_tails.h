#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

#include "nunatak/base/export.h"
#include "nunatak/read/decode/section_decoder.h"

namespace nunatak {

/// The ends of the files that the splits of a scan were last read from: the splits of one file
/// follow each other, and fetch its footer once. Thread-safe.
class NUNATAK_EXPORT FileTails {
 public:
  /// Ends that are larger than this are not kept; some at a time are.
  static constexpr int64_t kMaxKeptBytes = int64_t{4} << 20;
  static constexpr size_t kMaxKept = 8;

  std::optional<FileTail> Find(const std::string& location, int64_t file_size) const;
  void Keep(const std::string& location, int64_t file_size, const FileTail& tail);

 private:
  struct Entry {
    std::string location;
    int64_t file_size;
    FileTail tail;
  };

  mutable std::mutex mutex_;
  /// The newest comes last.
  std::deque<Entry> entries_;
};

}  // namespace nunatak
