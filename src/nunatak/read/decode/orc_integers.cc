#include "nunatak/read/decode/orc_integers.h"

#include <array>
#include <cstddef>

#include "nunatak/base/error.h"

namespace nunatak {

namespace {

constexpr size_t kMaxRun = 512;
constexpr int kShortestRun = 3;

int64_t ZigZag(uint64_t value) {
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

/// The bits that a width code of five bits stands for.
int BitsOf(int code) {
  constexpr std::array<int, 8> kWide = {26, 28, 30, 32, 40, 48, 56, 64};
  return code < 24 ? code + 1 : kWide[static_cast<size_t>(code - 24)];
}

/// The least width that has a code and holds so many bits.
int ClosestBits(int bits) {
  int code = 0;
  while (code < 31 && BitsOf(code) < bits) ++code;
  return BitsOf(code);
}

class Runs {
 public:
  Runs(ByteSpan stream, OrcIntegerForm form) : rest_(stream), form_(form) {}

  bool AtEnd() const { return rest_.empty(); }

  std::span<const int64_t> Next() {
    size_ = 0;
    if (form_.version == 1) {
      ReadFirstVersion();
    } else {
      ReadSecondVersion();
    }
    return std::span(values_).first(size_);
  }

 private:
  void ReadFirstVersion() {
    const uint8_t control = Byte();
    if (control >= 0x80) {
      for (int left = 0x100 - control; left > 0; --left) Put(Varint());
      return;
    }
    const auto delta = static_cast<uint64_t>(static_cast<int8_t>(Byte()));
    auto value = static_cast<uint64_t>(SignedOrNot(Varint()));
    for (int left = control + kShortestRun; left > 0; --left, value += delta) PutPlain(value);
  }

  void ReadSecondVersion() {
    const uint8_t head = Byte();
    switch (head >> 6) {
      case 0:
        return ReadRepeats(head);
      case 1:
        return ReadDirect(head);
      case 2:
        return ReadPatched(head);
      default:
        return ReadDeltas(head);
    }
  }

  void ReadRepeats(uint8_t head) {
    const uint64_t value = BigEndian((head >> 3 & 7) + 1);
    for (int left = (head & 7) + kShortestRun; left > 0; --left) Put(value);
  }

  void ReadDirect(uint8_t head) {
    const size_t length = Length(head);
    StartBits();
    for (size_t i = 0; i < length; ++i) Put(Bits(BitsOf(head >> 1 & 31)));
  }

  void ReadDeltas(uint8_t head) {
    const size_t length = Length(head);
    const int code = head >> 1 & 31;
    auto value = static_cast<uint64_t>(SignedOrNot(Varint()));
    const int64_t first = ZigZag(Varint());
    PutPlain(value);
    if (length > 1) PutPlain(value += static_cast<uint64_t>(first));
    StartBits();
    for (size_t i = 2; i < length; ++i) {
      const uint64_t step = code == 0 ? static_cast<uint64_t>(first) : Bits(BitsOf(code));
      value += code != 0 && first < 0 ? uint64_t{0} - step : step;
      PutPlain(value);
    }
  }

  /// Small values of one width from a base up, and the upper bits of those that are larger.
  void ReadPatched(uint8_t head) {
    const size_t length = Length(head);
    const int width = BitsOf(head >> 1 & 31);
    const uint8_t third = Byte();
    const uint8_t fourth = Byte();
    const int base_bytes = (third >> 5) + 1;
    const int patch_bits = BitsOf(third & 31);
    const int gap_bits = (fourth >> 5) + 1;
    const size_t patches = fourth & 31;
    uint64_t base = BigEndian(base_bytes);
    const uint64_t sign = uint64_t{1} << (8 * base_bytes - 1);
    if ((base & sign) != 0) base = uint64_t{0} - (base & (sign - 1));
    std::array<uint64_t, kMaxRun> raw{};
    StartBits();
    for (size_t i = 0; i < length; ++i) raw[i] = Bits(width);
    StartBits();
    size_t at = 0;
    for (size_t i = 0; i < patches; ++i) {
      const uint64_t entry = Bits(ClosestBits(gap_bits + patch_bits));
      const uint64_t patch = patch_bits == 64 ? entry : entry & ((uint64_t{1} << patch_bits) - 1);
      at += patch_bits == 64 ? 0 : static_cast<size_t>(entry >> patch_bits);
      if (at < length && width < 64) raw[at] |= patch << width;
    }
    for (size_t i = 0; i < length; ++i) PutPlain(base + raw[i]);
  }

  int64_t SignedOrNot(uint64_t value) const {
    return form_.is_signed ? ZigZag(value) : static_cast<int64_t>(value);
  }
  void Put(uint64_t value) { PutPlain(static_cast<uint64_t>(SignedOrNot(value))); }
  void PutPlain(uint64_t value) { values_[size_++] = static_cast<int64_t>(value); }

  size_t Length(uint8_t head) { return (static_cast<size_t>(head & 1) << 8 | Byte()) + 1; }

  uint8_t Byte() {
    if (rest_.empty()) ThrowInvalid("a run of integers goes beyond its stream");
    const uint8_t byte = rest_.front();
    rest_ = rest_.subspan(1);
    return byte;
  }

  uint64_t BigEndian(int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) value = value << 8 | Byte();
    return value;
  }

  uint64_t Varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const uint8_t byte = Byte();
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    ThrowInvalid("an integer beyond 64 bits");
  }

  /// Bits are packed from the highest of a byte on; what is left of the last byte says nothing.
  void StartBits() { bits_left_ = 0; }

  uint64_t Bits(int count) {
    uint64_t value = 0;
    while (count > 0) {
      if (bits_left_ == 0) {
        bits_ = Byte();
        bits_left_ = 8;
      }
      const int taken = count < bits_left_ ? count : bits_left_;
      bits_left_ -= taken;
      value = value << taken | (static_cast<uint64_t>(bits_ >> bits_left_) & ((1u << taken) - 1));
      count -= taken;
    }
    return value;
  }

  ByteSpan rest_;
  OrcIntegerForm form_;
  std::array<int64_t, kMaxRun> values_{};
  size_t size_ = 0;
  uint8_t bits_ = 0;
  int bits_left_ = 0;
};

}  // namespace

void ReadOrcIntegers(ByteSpan stream, OrcIntegerForm form,
                     const std::function<void(std::span<const int64_t>)>& body) {
  for (Runs runs(stream, form); !runs.AtEnd();) body(runs.Next());
}

}  // namespace nunatak
