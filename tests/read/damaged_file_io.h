#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/io/file_io.h"

namespace nunatak {

/// Local files, some of which have other bytes than they have. Each range comes as a buffer of its
/// own, so that a sanitizer sees what is read beyond it.
class DamagedFileIO final : public FileIO {
 public:
  explicit DamagedFileIO(LocationMap locations = {}) : FileIO(std::move(locations)) {}

  bool waits() const override { return false; }
  std::shared_ptr<FileIO> WithLocations(LocationMap locations) const override {
    return std::make_shared<DamagedFileIO>(std::move(locations));
  }

  std::string Bytes(const std::string& location) { return Find(locations().Map(location)); }
  void Put(const std::string& location, std::string bytes) {
    files_[locations().Map(location)] = std::move(bytes);
  }

 protected:
  Buffer DoRead(const std::string& mapped, ByteRange range) override {
    const std::string& file = Find(mapped);
    const auto size = static_cast<int64_t>(file.size());
    if (range.offset < 0 || range.length < 0 || range.offset > size ||
        range.length > size - range.offset) {
      throw Error(ErrorCode::kIo, mapped + ": the file ends before what is read");
    }
    const auto* begin = reinterpret_cast<const uint8_t*>(file.data()) + range.offset;
    return Buffer::From(std::vector<uint8_t>(begin, begin + range.length));
  }
  Buffer DoReadAll(const std::string& mapped) override {
    return DoRead(mapped, {0, DoSize(mapped)});
  }
  int64_t DoSize(const std::string& mapped) override {
    return static_cast<int64_t>(Find(mapped).size());
  }
  std::vector<FileInfo> DoList(const std::string& mapped) override { return local_->List(mapped); }

 private:
  const std::string& Find(const std::string& mapped) {
    const auto known = files_.find(mapped);
    if (known != files_.end()) return known->second;
    return files_.emplace(mapped, AsText(local_->ReadAll(mapped).bytes)).first->second;
  }

  std::shared_ptr<FileIO> local_ = MakeLocalFileIO();
  std::map<std::string, std::string> files_;
};

/// Damages bytes: bits and runs of bytes anywhere, more often near the end, where footers are, and
/// now and then a cut.
class Damager {
 public:
  explicit Damager(uint32_t seed) : random_(seed) {}

  std::string Damage(std::string bytes) {
    if (bytes.empty()) return bytes;
    if (Below(8) == 0) return bytes.substr(0, Below(bytes.size()));
    for (size_t n = 1 + Below(3); n > 0; --n) Change(bytes);
    return bytes;
  }

 private:
  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }

  void Change(std::string& bytes) {
    constexpr size_t kEnd = 1500;
    const size_t near_end = bytes.size() - std::min(bytes.size(), kEnd);
    const size_t from = Below(2) == 0 ? 0 : near_end;
    const size_t at = from + Below(bytes.size() - from);
    if (Below(2) == 0) {
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << Below(8)));
      return;
    }
    const size_t end = std::min(bytes.size(), at + 1 + Below(8));
    const char fill = Below(2) == 0 ? '\xff' : '\0';
    const bool random = Below(2) == 0;
    for (size_t i = at; i < end; ++i) bytes[i] = random ? static_cast<char>(Below(256)) : fill;
  }

  std::mt19937 random_;
};

}  // namespace nunatak
