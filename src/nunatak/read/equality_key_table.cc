#include "nunatak/read/equality_key_table.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "nunatak/base/bytes.h"
#include "nunatak/base/error.h"
#include "nunatak/base/hash.h"

namespace nunatak {

namespace {

constexpr size_t kFirstSlots = 16;
constexpr uint32_t kLinkBit = uint32_t{1} << 31;
constexpr int kTagShift = 48;
constexpr uint64_t kOffsetMask = (uint64_t{1} << kTagShift) - 1;
/// A file that repeats a key is noticed among so many that had it last.
constexpr int kRecentFiles = 4;

uint64_t SlotFor(uint64_t hash, uint64_t offset) { return (hash & ~kOffsetMask) | (offset + 1); }

uint64_t RandomSeed(std::random_device& device) {
  return (static_cast<uint64_t>(device()) << 32) | device();
}

}  // namespace

EqualityKeyTable::EqualityKeyTable() : slots_(kFirstSlots) {
  std::random_device device;
  for (uint64_t& seed : seeds_) seed = RandomSeed(device);
}

uint64_t EqualityKeyTable::Hash(std::string_view key) const {
  uint64_t hash = seeds_[0] ^ key.size();
  while (!key.empty()) {
    uint64_t word = 0;
    const size_t length = std::min(key.size(), sizeof(word));
    std::memcpy(&word, key.data(), length);
    hash = MixHash(hash ^ word, seeds_[1]);
    key.remove_prefix(length);
  }
  return hash;
}

std::string_view EqualityKeyTable::KeyAt(uint64_t offset) const {
  const uint8_t* at = arena_.data() + offset + sizeof(Files);
  size_t length = 0;
  for (int shift = 0;; shift += 7) {
    length |= static_cast<size_t>(*at & 0x7f) << shift;
    if ((*at++ & 0x80) == 0) break;
  }
  return {reinterpret_cast<const char*>(at), length};
}

/// The slot that has the key, or the free one where it belongs.
size_t EqualityKeyTable::FindSlot(std::string_view key, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    const uint64_t slot = slots_[i];
    if (slot == 0) return i;
    const bool same_tag = ((slot ^ hash) >> kTagShift) == 0;
    if (same_tag && KeyAt((slot & kOffsetMask) - 1) == key) return i;
  }
}

uint64_t EqualityKeyTable::AppendKey(std::string_view key, uint32_t file) {
  const uint64_t offset = arena_.size();
  const auto* file_bytes = reinterpret_cast<const uint8_t*>(&file);
  arena_.insert(arena_.end(), file_bytes, file_bytes + sizeof(file));
  size_t length = key.size();
  for (; length >= 0x80; length >>= 7) arena_.push_back(static_cast<uint8_t>(length | 0x80));
  arena_.push_back(static_cast<uint8_t>(length));
  arena_.insert(arena_.end(), key.begin(), key.end());
  return offset;
}

void EqualityKeyTable::Add(std::string_view key, uint32_t file) {
  const uint64_t hash = Hash(key);
  const size_t i = FindSlot(key, hash);
  if (slots_[i] != 0) return AddFile((slots_[i] & kOffsetMask) - 1, file);
  slots_[i] = SlotFor(hash, AppendKey(key, file));
  ++size_;
  // Three quarters: most rows of a table have no delete, and their look-ups end at a free slot.
  if (size_ * 4 > slots_.size() * 3) Grow();
}

void EqualityKeyTable::AddFile(uint64_t offset, uint32_t file) {
  Files files;
  std::memcpy(&files, arena_.data() + offset, sizeof(files));
  Files at = files;
  for (int i = 0; i < kRecentFiles; ++i) {
    const bool is_link = (at & kLinkBit) != 0;
    const Link link = is_link ? links_[at & ~kLinkBit] : Link{at, at};
    if (link.file == file) return;
    if (!is_link) break;
    at = link.next;
  }
  if (links_.size() >= kLinkBit) ThrowUnsupported("equality deletes repeat too many keys");
  links_.push_back({file, files});
  files = static_cast<Files>(links_.size() - 1) | kLinkBit;
  std::memcpy(arena_.data() + offset, &files, sizeof(files));
}

void EqualityKeyTable::Grow() {
  const std::vector<uint64_t> old = std::move(slots_);
  slots_.assign(old.size() * 2, 0);
  const size_t mask = slots_.size() - 1;
  for (const uint64_t slot : old) {
    if (slot == 0) continue;
    size_t i = Hash(KeyAt((slot & kOffsetMask) - 1)) & mask;
    while (slots_[i] != 0) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

bool EqualityKeyTable::Contains(std::string_view key, const DeleteFileSet& files) const {
  const uint64_t slot = slots_[FindSlot(key, Hash(key))];
  if (slot == 0) return false;
  const auto in_set = [&](uint32_t file) { return file < files.size() && files[file]; };
  Files at;
  std::memcpy(&at, arena_.data() + (slot & kOffsetMask) - 1, sizeof(at));
  while ((at & kLinkBit) != 0) {
    const Link& link = links_[at & ~kLinkBit];
    if (in_set(link.file)) return true;
    at = link.next;
  }
  return in_set(at);
}

int64_t EqualityKeyTable::memory_bytes() const {
  return static_cast<int64_t>(slots_.capacity() * sizeof(uint64_t) + arena_.capacity() +
                              links_.capacity() * sizeof(Link));
}

}  // namespace nunatak
