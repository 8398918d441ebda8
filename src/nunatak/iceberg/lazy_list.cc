#include "nunatak/iceberg/lazy_list.h"

#include "nunatak/base/json.h"
#include "nunatak/iceberg/snapshot_json.h"
#include "nunatak/iceberg/snapshots.h"
#include "nunatak/table/schema_json.h"

namespace nunatak::iceberg {
namespace {

template <typename T>
T Decode(std::string_view json);

template <>
Snapshot Decode<Snapshot>(std::string_view json) {
  return SnapshotFromJson(JsonDocument::Parse(json).root());
}

template <>
Schema Decode<Schema>(std::string_view json) {
  return SchemaFromJson(JsonDocument::Parse(json).root());
}

}  // namespace

template <typename T>
LazyList<T>::LazyList(const LazyList& other) : texts_(other.texts_), by_id_(other.by_id_) {
  std::lock_guard lock(other.mutex_);
  entries_ = other.entries_;
}

template <typename T>
LazyList<T>& LazyList<T>::operator=(const LazyList& other) {
  LazyList copy(other);
  texts_ = std::move(copy.texts_);
  entries_ = std::move(copy.entries_);
  by_id_ = std::move(copy.by_id_);
  return *this;
}

template <typename T>
void LazyList<T>::AddEntry(Entry entry) {
  by_id_.emplace(entry.id, entries_.size());
  entries_.push_back(std::move(entry));
}

template <typename T>
void LazyList<T>::Add(int64_t id, T value) {
  AddEntry({.id = id, .json = {}, .decoded = std::make_shared<const T>(std::move(value))});
}

template <typename T>
void LazyList<T>::AddText(int64_t id, std::string_view json) {
  AddEntry({.id = id, .json = json, .decoded = nullptr});
}

template <typename T>
std::vector<int64_t> LazyList<T>::ids() const {
  std::vector<int64_t> ids;
  ids.reserve(size());
  for (const Entry& entry : entries_) ids.push_back(entry.id);
  return ids;
}

template <typename T>
std::optional<size_t> LazyList<T>::IndexOf(int64_t id) const {
  const auto at = by_id_.find(id);
  return at == by_id_.end() ? std::nullopt : std::optional(at->second);
}

template <typename T>
T LazyList<T>::At(size_t i) const {
  {
    std::lock_guard lock(mutex_);
    if (entries_[i].decoded) return *entries_[i].decoded;
  }
  return Decode<T>(entries_[i].json);
}

template <typename T>
const T* LazyList<T>::Find(int64_t id) const {
  const std::optional<size_t> i = IndexOf(id);
  if (!i) return nullptr;
  std::lock_guard lock(mutex_);
  Entry& entry = entries_[*i];
  if (!entry.decoded) entry.decoded = std::make_shared<const T>(Decode<T>(entry.json));
  return entry.decoded.get();
}

template class LazyList<Snapshot>;
template class LazyList<Schema>;

}  // namespace nunatak::iceberg
