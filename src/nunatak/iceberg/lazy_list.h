#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nunatak/base/export.h"

namespace nunatak::iceberg {

/// Things with ids, in the order of a table's metadata file. There may be many and large ones, of
/// which hardly any is ever looked at: they stay JSON text, and one is decoded when it is asked
/// for. T is `Snapshot` or `Schema`. Thread-safe once filled.
template <typename T>
class NUNATAK_EXPORT LazyList {
 public:
  LazyList() = default;
  LazyList(const LazyList& other);
  LazyList& operator=(const LazyList& other);

  /// Adds one as it is.
  void Add(int64_t id, T value);
  /// Adds one as text, which is known to be sound and lives as long as this list and its copies:
  /// see `KeepAlive`.
  void AddText(int64_t id, std::string_view json);
  /// Keeps the owner of the texts.
  void KeepAlive(std::shared_ptr<const void> texts) { texts_ = std::move(texts); }

  size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  int64_t id(size_t i) const { return entries_[i].id; }
  std::vector<int64_t> ids() const;
  /// Of several with the same id, the first.
  std::optional<size_t> IndexOf(int64_t id) const;

  /// Decodes one, and keeps nothing.
  T At(size_t i) const;
  /// Decodes one when it is first asked for, and keeps it: valid as long as this list. Null when
  /// there is none of that id.
  const T* Find(int64_t id) const;

  /// Decodes one after the other.
  class Iterator {
   public:
    Iterator(const LazyList& list, size_t i) : list_(&list), i_(i) {}
    T operator*() const { return list_->At(i_); }
    Iterator& operator++() {
      ++i_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return i_ == other.i_; }

   private:
    const LazyList* list_;
    size_t i_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  struct Entry {
    int64_t id = 0;
    std::string_view json;
    /// Absent until it is asked for.
    std::shared_ptr<const T> decoded;
  };

  void AddEntry(Entry entry);

  std::shared_ptr<const void> texts_;
  /// Guards `decoded` of the entries.
  mutable std::mutex mutex_;
  mutable std::vector<Entry> entries_;
  std::unordered_map<int64_t, size_t> by_id_;
};

}  // namespace nunatak::iceberg
