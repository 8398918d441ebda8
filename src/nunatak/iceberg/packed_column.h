#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/plan/task_bytes.h"

namespace nunatak::iceberg {

/// The columns of a manifest image. They are written behind one another, hold no alignment and no
/// address, and are read where they lie: a view is valid as long as the bytes. Reading throws
/// `ErrorCode::kInvalid` for whatever the functions here could not have written.

/// Integers as their distance from the least one, in as few bytes each as the greatest needs: 0, 1,
/// 2, 4 or 8.
///
///     bytes per value, 1 byte │ the least value, 8 bytes │ distances
class PackedIntegers {
 public:
  /// With a `least_width` of 1, no value is stored for nothing.
  static void Append(std::span<const int64_t> values, std::string* out, int least_width = 0);

  /// No values.
  PackedIntegers() = default;
  static PackedIntegers Read(size_t count, TaskBytesReader* in, int least_width = 0);

  size_t size() const { return count_; }
  int64_t operator[](size_t i) const { return static_cast<int64_t>(least_ + Distance(i)); }
  /// Writes all of them, as another type that they fit.
  template <typename T>
  void CopyTo(T* out) const;
  /// Throws unless all lie within the limits.
  void Require(int64_t least, int64_t most, std::string_view what) const;

 private:
  uint64_t Distance(size_t i) const {
    switch (width_) {
      case 0:
        return 0;
      case 1:
        return data_[i];
      case 2:
        return LoadLittleEndian<uint16_t>(data_ + 2 * i);
      case 4:
        return LoadLittleEndian<uint32_t>(data_ + 4 * i);
      default:
        return LoadLittleEndian<uint64_t>(data_ + 8 * i);
    }
  }
  template <typename Stored, typename T>
  void CopyStored(T* out) const;

  const uint8_t* data_ = nullptr;
  size_t count_ = 0;
  uint64_t least_ = 0;
  int width_ = 0;
};

/// Integers of which some may be absent.
class OptionalIntegers {
 public:
  static void Append(std::span<const std::optional<int64_t>> values, std::string* out);
  static OptionalIntegers Read(size_t count, TaskBytesReader* in);

  std::optional<int64_t> operator[](size_t i) const {
    return present_[i] != 0 ? std::optional(values_[i]) : std::nullopt;
  }
  /// Absent ones are 0 here.
  const PackedIntegers& values() const { return values_; }

 private:
  PackedIntegers present_;
  PackedIntegers values_;
};

/// Where the items of each row begin and end among those of all rows; an absent row has none.
class ItemRanges {
 public:
  class Builder {
   public:
    void Reserve(size_t rows);
    void Add(bool present, size_t items);
    void AppendTo(std::string* out) const;

   private:
    std::vector<int64_t> present_;
    std::vector<int64_t> ends_ = {0};
  };

  static ItemRanges Read(size_t count, TaskBytesReader* in);

  bool present(size_t i) const { return present_[i] != 0; }
  size_t begin(size_t i) const { return static_cast<size_t>(bounds_[i]); }
  size_t end(size_t i) const { return static_cast<size_t>(bounds_[i + 1]); }
  /// Of all rows.
  size_t items() const {
    return bounds_.size() == 0 ? 0 : static_cast<size_t>(bounds_[bounds_.size() - 1]);
  }

 private:
  PackedIntegers present_;
  PackedIntegers bounds_;
};

/// Byte strings of which some may be absent.
class PackedTexts {
 public:
  class Builder {
   public:
    void Add(std::string_view text);
    void AddAbsent() { ranges_.Add(false, 0); }
    void AppendTo(std::string* out) const;

   private:
    ItemRanges::Builder ranges_;
    std::string bytes_;
  };

  /// Null data: absent.
  static void Append(std::span<const ByteSpan> texts, std::string* out);
  static PackedTexts Read(size_t count, TaskBytesReader* in);

  /// Null data when absent; an empty one has an address.
  ByteSpan operator[](size_t i) const {
    if (!ranges_.present(i)) return {};
    return {bytes_ + ranges_.begin(i), ranges_.end(i) - ranges_.begin(i)};
  }

 private:
  ItemRanges ranges_;
  const uint8_t* bytes_ = nullptr;
};

/// Lists of integers of which some may be absent.
class PackedLists {
 public:
  class Builder {
   public:
    template <typename T>
    void Add(const std::optional<std::vector<T>>& list) {
      ranges_.Add(list.has_value(), list ? list->size() : 0);
      if (list) values_.insert(values_.end(), list->begin(), list->end());
    }
    void AppendTo(std::string* out) const;

   private:
    ItemRanges::Builder ranges_;
    std::vector<int64_t> values_;
  };

  static PackedLists Read(size_t count, TaskBytesReader* in);

  /// The values must fit `T`.
  template <typename T>
  std::optional<std::vector<T>> Get(size_t i) const {
    if (!ranges_.present(i)) return std::nullopt;
    std::vector<T> list;
    list.reserve(ranges_.end(i) - ranges_.begin(i));
    for (size_t k = ranges_.begin(i); k < ranges_.end(i); ++k) {
      list.push_back(static_cast<T>(values_[k]));
    }
    return list;
  }
  const PackedIntegers& values() const { return values_; }

 private:
  ItemRanges ranges_;
  PackedIntegers values_;
};

template <typename Stored, typename T>
void PackedIntegers::CopyStored(T* out) const {
  for (size_t i = 0; i < count_; ++i) {
    out[i] = static_cast<T>(least_ + LoadLittleEndian<Stored>(data_ + sizeof(Stored) * i));
  }
}

template <typename T>
void PackedIntegers::CopyTo(T* out) const {
  switch (width_) {
    case 0:
      for (size_t i = 0; i < count_; ++i) out[i] = static_cast<T>(least_);
      return;
    case 1:
      return CopyStored<uint8_t>(out);
    case 2:
      return CopyStored<uint16_t>(out);
    case 4:
      return CopyStored<uint32_t>(out);
    default:
      return CopyStored<uint64_t>(out);
  }
}

}  // namespace nunatak::iceberg
