#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "nunatak/avro/decode_program.h"
#include "nunatak/avro/slot.h"
#include "nunatak/avro/varint.h"
#include "nunatak/base/export.h"

namespace nunatak::avro {

/// Items that take no bytes, such as nulls, are refused beyond this number: no size bounds them.
inline constexpr int64_t kMaxZeroSizeItems = 1024;

/// Runs programs over bytes. Every read is checked against the end; errors name the byte, counted
/// from `begin`, and the field.
class NUNATAK_EXPORT Decoder {
 public:
  Decoder(const Programs& programs, Slot* slots, const uint8_t* begin, const uint8_t* end)
      : programs_(programs), slots_(slots), begin_(begin), end_(end) {}

  /// Makes every slot null, and runs program 0 from `at`; returns where it ended.
  const uint8_t* Run(size_t slot_count, const uint8_t* at) const;

  /// Runs a program that reads nothing into slots; returns where it ended.
  const uint8_t* Skip(uint32_t program, const uint8_t* at) const {
    return RunProgram(programs_.bodies[program], at, 0);
  }

  /// Reads the head of a block of items: how many there are (0: the end of the list) and, when the
  /// data says so, the size in bytes of the items that follow (otherwise −1).
  const uint8_t* ItemBlock(const Op& op, const uint8_t* at, int64_t& count, int64_t& size) const;

 private:
  const uint8_t* RunProgram(const Program& program, const uint8_t* at, int depth) const;
  const uint8_t* RunOp(const Op& op, const uint8_t* at, int depth) const;
  const uint8_t* ReadPrimitive(const Op& op, const uint8_t* at) const;
  const uint8_t* SkipItems(const Op& op, const uint8_t* at, int depth) const;
  const uint8_t* SkipItemBlock(const Op& op, const uint8_t* at, int64_t count, int depth) const;
  const uint8_t* ReadBoolean(const Op& op, const uint8_t* at) const;
  const uint8_t* ReadInt(const Op& op, const uint8_t* at) const;
  const uint8_t* ReadEnum(const Op& op, const uint8_t* at) const;
  const uint8_t* Union(const Op& op, const uint8_t* at, int depth) const;

  const uint8_t* Varint(const Op& op, const uint8_t* at, int64_t& value) const {
    if (at != end_ && *at < 0x80) {
      value = ZigZag(*at);
      return at + 1;
    }
    return LongVarint(op, at, value);
  }
  const uint8_t* LongVarint(const Op& op, const uint8_t* at, int64_t& value) const;
  const uint8_t* SkipVarints(const Op& op, const uint8_t* at, int64_t count) const;
  /// Moves `at` over `size` bytes.
  const uint8_t* Advance(const Op& op, const uint8_t* at, int64_t size) const {
    if (size < 0 || size > end_ - at) FailSize(op, at, size);
    return at + size;
  }
  /// Moves `at` behind the length of a sized value, whose bytes are known to exist.
  const uint8_t* Size(const Op& op, const uint8_t* at, int64_t& size) const {
    at = Varint(op, at, size);
    Advance(op, at, size);
    return at;
  }

  [[noreturn]] void Fail(const Op& op, const uint8_t* at, std::string_view problem) const;
  [[noreturn]] void FailSize(const Op& op, const uint8_t* at, int64_t size) const;

  const Programs& programs_;
  Slot* slots_;
  const uint8_t* begin_;
  const uint8_t* end_;
};

}  // namespace nunatak::avro
