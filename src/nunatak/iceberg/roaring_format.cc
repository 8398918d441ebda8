#include "nunatak/iceberg/roaring_format.h"

#include <fmt/format.h>

#include <bit>

#include "nunatak/base/error.h"

namespace nunatak::iceberg {

namespace {

constexpr uint32_t kCookieWithoutRuns = 12346;
constexpr uint32_t kCookieWithRuns = 12347;
/// With runs, bitmaps of fewer containers have no offsets.
constexpr size_t kMinContainersForOffsets = 4;
constexpr size_t kMaxContainers = 65536;
/// Containers of more values are bitsets.
constexpr uint32_t kMaxArrayCardinality = 4096;
constexpr size_t kBitsetBytes = 8192;

class RoaringChecker {
 public:
  RoaringChecker(ByteSpan bytes, size_t begin) : bytes_(bytes), begin_(begin), at_(begin) {}

  size_t Check() {
    ReadCookie();
    headers_ = at_;
    Skip(4 * containers_, "container headers");
    if (!has_runs_ || containers_ >= kMinContainersForOffsets) {
      offsets_ = at_;
      Skip(4 * containers_, "container offsets");
    }
    for (size_t i = 0; i < containers_; ++i) CheckContainer(i);
    return at_;
  }

 private:
  [[noreturn]] void Fail(size_t at, std::string_view what) const {
    ThrowInvalid(fmt::format("damaged bitmap at byte {}: {}", at, what));
  }

  /// Moves over `count` bytes; returns where they begin.
  size_t Skip(size_t count, std::string_view what) {
    if (count > bytes_.size() - at_) {
      Fail(at_, fmt::format("{} take {} bytes, but {} are left", what, count, bytes_.size() - at_));
    }
    const size_t start = at_;
    at_ += count;
    return start;
  }

  template <typename T>
  T Load(size_t at) const {
    return LoadLittleEndian<T>(bytes_.data() + at);
  }

  void ReadCookie() {
    const uint32_t cookie = Load<uint32_t>(Skip(4, "the cookie"));
    if ((cookie & 0xffff) == kCookieWithRuns) {
      has_runs_ = true;
      containers_ = (cookie >> 16) + 1;
      run_flags_ = Skip((containers_ + 7) / 8, "run flags");
      return;
    }
    if (cookie != kCookieWithoutRuns) Fail(begin_, fmt::format("unknown cookie {}", cookie));
    containers_ = Load<uint32_t>(Skip(4, "the container count"));
    if (containers_ > kMaxContainers) {
      Fail(begin_ + 4, fmt::format("{} containers are more than there can be", containers_));
    }
  }

  void CheckContainer(size_t i) {
    const size_t header = headers_ + 4 * i;
    if (i > 0 && Load<uint16_t>(header) <= Load<uint16_t>(header - 4)) {
      Fail(header, "container keys do not ascend");
    }
    if (offsets_ != 0 && Load<uint32_t>(offsets_ + 4 * i) != at_ - begin_) {
      Fail(offsets_ + 4 * i, fmt::format("container {} begins elsewhere", i));
    }
    const uint32_t cardinality = uint32_t{Load<uint16_t>(header + 2)} + 1;
    const size_t start = at_;
    const bool is_run = has_runs_ && (bytes_[run_flags_ + i / 8] >> (i % 8) & 1) != 0;
    const uint32_t found = is_run                               ? CheckRuns()
                           : cardinality > kMaxArrayCardinality ? CheckBitset()
                                                                : CheckArray(cardinality);
    if (found != cardinality) {
      Fail(start,
           fmt::format("the container has {} values, its header says {}", found, cardinality));
    }
  }

  uint32_t CheckArray(uint32_t cardinality) {
    const size_t start = Skip(size_t{2} * cardinality, "array values");
    for (size_t at = start + 2; at < at_; at += 2) {
      if (Load<uint16_t>(at) <= Load<uint16_t>(at - 2)) Fail(at, "array values do not ascend");
    }
    return cardinality;
  }

  uint32_t CheckBitset() {
    const size_t start = Skip(kBitsetBytes, "bitset words");
    int count = 0;
    for (size_t at = start; at < at_; at += 8) count += std::popcount(Load<uint64_t>(at));
    return static_cast<uint32_t>(count);
  }

  uint32_t CheckRuns() {
    const size_t runs = Load<uint16_t>(Skip(2, "the run count"));
    const size_t start = Skip(4 * runs, "runs");
    uint32_t cardinality = 0;
    uint32_t end = 0;  // one past the last value of the run before
    for (size_t at = start; at < at_; at += 4) {
      const uint32_t first = Load<uint16_t>(at);
      const uint32_t length = uint32_t{Load<uint16_t>(at + 2)} + 1;
      if (at > start && first < end) Fail(at, "runs overlap or do not ascend");
      end = first + length;
      if (end > 65536) Fail(at, "a run ends beyond its container");
      cardinality += length;
    }
    return cardinality;
  }

  ByteSpan bytes_;
  size_t begin_;
  size_t at_;
  bool has_runs_ = false;
  size_t containers_ = 0;
  size_t run_flags_ = 0;
  size_t headers_ = 0;
  size_t offsets_ = 0;  ///< 0: there are none.
};

}  // namespace

size_t CheckRoaringBitmap(ByteSpan bytes, size_t begin) {
  return RoaringChecker(bytes, begin).Check();
}

}  // namespace nunatak::iceberg
