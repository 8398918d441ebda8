#include "nunatak/iceberg/manifest_cache.h"

#include <algorithm>
#include <array>
#include <list>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "nunatak/avro/schema.h"
#include "nunatak/base/hash.h"
#include "nunatak/iceberg/disk_cache.h"
#include "nunatak/iceberg/entry_decoder.h"
#include "nunatak/iceberg/manifest_fields.h"
#include "nunatak/iceberg/manifest_reader.h"

namespace nunatak::iceberg {
namespace {

/// Tables have a handful of shapes; beyond this many something is odd, and keeping more of them
/// would only grow.
constexpr size_t kMaxShapes = 1024;

using Key = std::array<std::string_view, 3>;

}  // namespace

template <typename T>
class ManifestCache::ByBytes {
 public:
  std::shared_ptr<const T> Find(const Key& key, uint64_t hash) const {
    const auto [first, last] = entries_.equal_range(hash);
    for (auto at = first; at != last; ++at) {
      if (std::equal(key.begin(), key.end(), at->second.key.begin())) return at->second.value;
    }
    return nullptr;
  }

  void Keep(const Key& key, uint64_t hash, std::shared_ptr<const T> value) {
    if (entries_.size() >= kMaxShapes) entries_.clear();
    entries_.emplace(hash, Entry{{std::string(key[0]), std::string(key[1]), std::string(key[2])},
                                 std::move(value)});
  }

 private:
  struct Entry {
    std::array<std::string, 3> key;
    std::shared_ptr<const T> value;
  };
  std::unordered_multimap<uint64_t, Entry> entries_;
};

template <typename T>
class ManifestCache::ByUse {
 public:
  explicit ByUse(int64_t max_bytes) : max_bytes_(max_bytes) {}

  std::optional<T> Find(const std::string& key) {
    const auto at = by_key_.find(key);
    if (at == by_key_.end()) return std::nullopt;
    by_use_.splice(by_use_.begin(), by_use_, at->second);
    return at->second->value;
  }

  void Keep(const std::string& key, T value, int64_t bytes) {
    if (bytes > max_bytes_) return;
    if (const auto at = by_key_.find(key); at != by_key_.end()) {
      bytes_ -= at->second->bytes;
      by_use_.erase(at->second);
      by_key_.erase(at);
    }
    by_use_.push_front(Entry{key, std::move(value), bytes});
    by_key_.emplace(key, by_use_.begin());
    bytes_ += bytes;
    while (bytes_ > max_bytes_) DropLast();
  }

  /// What was kept under the key has grown; it may have to go itself.
  void Resize(const std::string& key, int64_t bytes) {
    Entry& entry = *by_key_.at(key);
    bytes_ += bytes - entry.bytes;
    entry.bytes = bytes;
    while (bytes_ > max_bytes_) DropLast();
  }

  int64_t bytes() const { return bytes_; }
  int64_t max_bytes() const { return max_bytes_; }

 private:
  struct Entry {
    std::string key;
    T value;
    int64_t bytes;
  };

  void DropLast() {
    bytes_ -= by_use_.back().bytes;
    by_key_.erase(by_use_.back().key);
    by_use_.pop_back();
  }

  int64_t max_bytes_;
  int64_t bytes_ = 0;
  /// The most recently used first.
  std::list<Entry> by_use_;
  std::unordered_map<std::string, typename std::list<Entry>::iterator> by_key_;
};

struct ManifestCache::State {
  explicit State(const ManifestCacheOptions& options)
      : files(options.max_file_bytes), columns(options.max_column_bytes) {
    if (options.disk_directory.empty()) return;
    disk = std::make_shared<DiskManifestCache>(options.disk_directory, options.max_disk_bytes);
  }

  uint64_t HashOf(const Key& key) const {
    uint64_t hash = 0;
    if (collide) return hash;
    for (std::string_view part : key) hash = MixHash(hash, HashBytes(AsBytes(part)));
    return hash;
  }

  /// Finds a value, or makes it outside the lock: two threads may make the same one.
  template <typename T, typename Make>
  std::shared_ptr<const T> FindOrMake(ByBytes<T>* values, const Key& key, Make make) {
    uint64_t hash = 0;
    if (enabled) {
      std::lock_guard lock(mutex);
      hash = HashOf(key);
      if (std::shared_ptr<const T> found = values->Find(key, hash)) {
        ++counters.hits;
        return found;
      }
      ++counters.misses;
    }
    std::shared_ptr<const T> made = make();
    std::lock_guard lock(mutex);
    if (!enabled) {
      ++counters.misses;
    } else if (!values->Find(key, hash)) {
      values->Keep(key, hash, made);
    }
    return made;
  }

  std::mutex mutex;
  bool enabled = true;
  bool collide = false;
  ManifestCacheCounters counters;
  ByBytes<ManifestShape> shapes;
  ByBytes<avro::Schema> schemas;
  ByBytes<avro::DecodePlan> lists;
  ByUse<Buffer> files;
  ByUse<std::shared_ptr<const DecodedManifest>> columns;
  /// Shared with writes that are under way.
  std::shared_ptr<DiskManifestCache> disk;
};

ManifestCache::ManifestCache(ManifestCacheOptions options)
    : state_(std::make_unique<State>(options)) {}
ManifestCache::~ManifestCache() = default;

std::shared_ptr<ManifestCache> ManifestCache::Disabled() {
  auto cache = std::make_shared<ManifestCache>(
      ManifestCacheOptions{.max_file_bytes = 0, .max_column_bytes = 0});
  cache->state_->enabled = false;
  return cache;
}

void ManifestCache::CollideAllHashes() {
  std::lock_guard lock(state_->mutex);
  state_->collide = true;
}

ManifestCacheCounters ManifestCache::counters() const {
  std::lock_guard lock(state_->mutex);
  ManifestCacheCounters counters = state_->counters;
  counters.file_bytes = state_->files.bytes();
  counters.column_bytes = state_->columns.bytes();
  if (state_->disk) {
    counters.disk_hits = state_->disk->hits();
    counters.disk_writes = state_->disk->writes();
  }
  return counters;
}

std::shared_ptr<const ManifestShape> ManifestCache::Shape(const avro::Container& container,
                                                          const PartitionSpec& spec,
                                                          const Type& partition_type,
                                                          std::string_view spec_key) {
  const std::optional<ByteSpan> version = container.FindMetadata("format-version");
  const Key key = {container.schema_json(), version ? AsText(*version) : "", spec_key};
  return state_->FindOrMake(&state_->shapes, key, [&] {
    // Specs differ where writers' schemas do not, and the other way round: parse each once.
    const auto schema = state_->FindOrMake(&state_->schemas, {container.schema_json()}, [&] {
      return std::shared_ptr<const avro::Schema>(avro::Schema::Parse(key[0]));
    });
    return std::make_shared<const ManifestShape>(
        MakeManifestShape(schema, ReadManifestHeader(container), spec, partition_type));
  });
}

std::shared_ptr<const avro::DecodePlan> ManifestCache::ListPlan(const avro::Container& container) {
  return state_->FindOrMake(&state_->lists, {container.schema_json()}, [&] {
    return avro::DecodePlan::Compile(avro::Schema::Parse(container.schema_json()),
                                     ManifestListFields());
  });
}

bool ManifestCache::keeps_files() const { return state_->files.max_bytes() > 0; }
bool ManifestCache::keeps_columns() const {
  return state_->columns.max_bytes() > 0 || state_->disk != nullptr;
}
DiskManifestCache* ManifestCache::disk() const { return state_->disk.get(); }

std::optional<Buffer> ManifestCache::FindFile(const std::string& location) {
  std::lock_guard lock(state_->mutex);
  std::optional<Buffer> found = state_->files.Find(location);
  if (found) ++state_->counters.file_hits;
  return found;
}

void ManifestCache::KeepFile(const std::string& location, const Buffer& bytes) {
  std::lock_guard lock(state_->mutex);
  state_->files.Keep(location, bytes, static_cast<int64_t>(bytes.size()));
}

std::shared_ptr<const DecodedManifest> ManifestCache::FindColumns(const std::string& key) {
  std::lock_guard lock(state_->mutex);
  const auto found = state_->columns.Find(key);
  if (!found) return nullptr;
  ++state_->counters.column_hits;
  // Columns of metrics were made since it was looked at last.
  state_->columns.Resize(key, (*found)->memory_bytes());
  return *found;
}

void ManifestCache::KeepColumns(const std::string& key,
                                std::shared_ptr<const DecodedManifest> columns) {
  std::lock_guard lock(state_->mutex);
  const int64_t bytes = columns->memory_bytes();
  state_->columns.Keep(key, std::move(columns), bytes);
}

Buffer ReadCached(FileIO& io, const std::string& location, ManifestCache* cache) {
  if (!cache || !cache->keeps_files()) return io.ReadAll(location);
  const std::string key = io.locations().Map(location);
  if (std::optional<Buffer> found = cache->FindFile(key)) return *std::move(found);
  Buffer bytes = io.ReadAll(location);
  cache->KeepFile(key, bytes);
  return bytes;
}

}  // namespace nunatak::iceberg
