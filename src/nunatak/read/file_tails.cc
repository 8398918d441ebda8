#include "nunatak/read/file_tails.h"

namespace nunatak {

std::optional<FileTail> FileTails::Find(const std::string& location, int64_t file_size) const {
  std::lock_guard lock(mutex_);
  for (const Entry& entry : entries_) {
    if (entry.file_size == file_size && entry.location == location) return entry.tail;
  }
  return std::nullopt;
}

void FileTails::Keep(const std::string& location, int64_t file_size, const FileTail& tail) {
  if (static_cast<int64_t>(tail.bytes.size()) > kMaxKeptBytes) return;
  std::lock_guard lock(mutex_);
  if (entries_.size() == kMaxKept) entries_.pop_front();
  entries_.push_back({location, file_size, tail});
}

}  // namespace nunatak
