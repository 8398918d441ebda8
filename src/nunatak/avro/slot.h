#pragma once

#include <cstdint>
#include <string_view>

#include "nunatak/base/bytes.h"

namespace nunatak::avro {

enum class SlotKind : uint8_t { kNull, kBoolean, kInteger, kReal, kBytes, kItems };

/// A decoded value: a number, or a span of the block. Bytes are valid as long as the block (symbols
/// of enums: as long as the plan). The getters do not check the kind.
class Slot {
 public:
  Slot() : integer_(0) {}
  static Slot Boolean(bool value) { return Slot(SlotKind::kBoolean, value ? 1 : 0); }
  static Slot Integer(int64_t value) { return Slot(SlotKind::kInteger, value); }
  static Slot Real(double value) {
    Slot slot(SlotKind::kReal, 0);
    slot.real_ = value;
    return slot;
  }
  static Slot Bytes(const uint8_t* data, size_t size) {
    return Slot(SlotKind::kBytes, data, static_cast<uint32_t>(size));
  }
  /// The encoded blocks of an array or a map, to be walked by an `ArrayCursor`.
  static Slot Items(const uint8_t* data, size_t size) {
    return Slot(SlotKind::kItems, data, static_cast<uint32_t>(size));
  }

  SlotKind kind() const { return kind_; }
  bool is_null() const { return kind_ == SlotKind::kNull; }
  bool boolean() const { return integer_ != 0; }
  int64_t integer() const { return integer_; }
  double real() const { return real_; }
  ByteSpan bytes() const { return {data_, size_}; }
  std::string_view text() const { return AsText(bytes()); }

 private:
  Slot(SlotKind kind, int64_t value) : integer_(value), kind_(kind) {}
  Slot(SlotKind kind, const uint8_t* data, uint32_t size) : data_(data), size_(size), kind_(kind) {}

  union {
    int64_t integer_;
    double real_;
    const uint8_t* data_;
  };
  uint32_t size_ = 0;
  SlotKind kind_ = SlotKind::kNull;
};

static_assert(sizeof(Slot) == 16);

}  // namespace nunatak::avro
