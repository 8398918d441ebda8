#include "nunatak/avro/decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "nunatak/avro/schema.h"
#include "nunatak/base/bytes.h"
#include "nunatak/base/error.h"

namespace nunatak::avro {

const uint8_t* Decoder::Run(size_t slot_count, const uint8_t* at) const {
  // What lies under a null record or in another branch is not written below.
  std::fill_n(slots_, slot_count, Slot());
  return RunProgram(programs_.bodies[0], at, 0);
}

const uint8_t* Decoder::RunProgram(const Program& program, const uint8_t* at, int depth) const {
  for (const Op& op : program) {
    if (op.null_branch >= 0) {
      int64_t branch = 0;
      const uint8_t* start = at;
      at = Varint(op, at, branch);
      if (branch == op.null_branch) continue;
      if (branch != 1 - op.null_branch) {
        Fail(op, start, fmt::format("branch {} of a union of 2", branch));
      }
    }
    at = RunOp(op, at, depth);
  }
  return at;
}

const uint8_t* Decoder::RunOp(const Op& op, const uint8_t* at, int depth) const {
  int64_t value = 0;
  switch (op.code) {
    case OpCode::kSkipBytes:
      return Advance(op, at, op.count);
    case OpCode::kSkipVarints:
      return SkipVarints(op, at, op.count);
    case OpCode::kSkipSized:
      at = Size(op, at, value);
      return at + value;
    case OpCode::kSkipItems:
      return SkipItems(op, at, depth);
    case OpCode::kCall:
      if (depth == kMaxDepth) {
        Fail(op, at, fmt::format("values nested deeper than {} levels", kMaxDepth));
      }
      return RunProgram(programs_.bodies[op.program], at, depth + 1);
    case OpCode::kUnion:
      return Union(op, at, depth);
    case OpCode::kMismatch:
      Fail(op, at,
           fmt::format("a value of type '{}', which does not fit here", ToString(op.type->type)));
    case OpCode::kReadItems: {
      const uint8_t* items_end = SkipItems(op, at, depth);
      slots_[op.slot] = Slot::Items(at, static_cast<size_t>(items_end - at));
      return items_end;
    }
    default:
      return ReadPrimitive(op, at);
  }
}

const uint8_t* Decoder::ReadPrimitive(const Op& op, const uint8_t* at) const {
  int64_t value = 0;
  switch (op.code) {
    case OpCode::kReadBoolean:
      return ReadBoolean(op, at);
    case OpCode::kReadInt:
      return ReadInt(op, at);
    case OpCode::kReadLong:
      at = Varint(op, at, value);
      slots_[op.slot] = Slot::Integer(value);
      return at;
    case OpCode::kReadVarintAsReal:
      at = Varint(op, at, value);
      slots_[op.slot] = Slot::Real(static_cast<double>(value));
      return at;
    case OpCode::kReadFloat:
      Advance(op, at, sizeof(float));
      slots_[op.slot] = Slot::Real(LoadLittleEndian<float>(at));
      return at + sizeof(float);
    case OpCode::kReadDouble:
      Advance(op, at, sizeof(double));
      slots_[op.slot] = Slot::Real(LoadLittleEndian<double>(at));
      return at + sizeof(double);
    case OpCode::kReadSized:
      at = Size(op, at, value);
      slots_[op.slot] = Slot::Bytes(at, static_cast<size_t>(value));
      return at + value;
    case OpCode::kReadFixed:
      Advance(op, at, op.count);
      slots_[op.slot] = Slot::Bytes(at, static_cast<size_t>(op.count));
      return at + op.count;
    case OpCode::kReadEnum:
      return ReadEnum(op, at);
    default:
      return at;
  }
}

const uint8_t* Decoder::ItemBlock(const Op& op, const uint8_t* at, int64_t& count,
                                  int64_t& size) const {
  const uint8_t* start = at;
  size = -1;
  at = Varint(op, at, count);
  if (count >= 0) return at;
  // A negative count is followed by the size of the block, for those who skip it.
  if (count == std::numeric_limits<int64_t>::min()) Fail(op, start, "an item count out of range");
  count = -count;
  return Size(op, at, size);
}

const uint8_t* Decoder::SkipItems(const Op& op, const uint8_t* at, int depth) const {
  while (true) {
    int64_t count = 0;
    int64_t size = 0;
    at = ItemBlock(op, at, count, size);
    if (count == 0) return at;
    at = size >= 0 ? at + size : SkipItemBlock(op, at, count, depth);
  }
}

const uint8_t* Decoder::SkipItemBlock(const Op& op, const uint8_t* at, int64_t count,
                                      int depth) const {
  const Program& item = programs_.bodies[op.program];
  if (item.empty()) return at;
  // An item takes a byte or more, which also bounds the loops below.
  if (count > end_ - at) Fail(op, at, fmt::format("{} items, more than the bytes left", count));
  switch (op.shape) {
    case ItemShape::kVarints:
      return SkipVarints(op, at, count * op.count);
    case ItemShape::kVarintSized:
      for (; count > 0; --count) {
        int64_t value = 0;
        at = Varint(op, at, value);
        at = Size(op, at, value) + value;
      }
      return at;
    case ItemShape::kAny:
      break;
  }
  if (depth == kMaxDepth) {
    Fail(op, at, fmt::format("values nested deeper than {} levels", kMaxDepth));
  }
  for (; count > 0; --count) at = RunProgram(item, at, depth + 1);
  return at;
}

const uint8_t* Decoder::ReadBoolean(const Op& op, const uint8_t* at) const {
  Advance(op, at, 1);
  if (*at > 1) Fail(op, at, fmt::format("the byte {}, which is not a boolean", *at));
  slots_[op.slot] = Slot::Boolean(*at != 0);
  return at + 1;
}

const uint8_t* Decoder::ReadInt(const Op& op, const uint8_t* at) const {
  int64_t value = 0;
  const uint8_t* after = Varint(op, at, value);
  if (value != static_cast<int32_t>(value)) {
    Fail(op, at, fmt::format("the value {}, which is not a 32-bit integer", value));
  }
  slots_[op.slot] = Slot::Integer(value);
  return after;
}

const uint8_t* Decoder::ReadEnum(const Op& op, const uint8_t* at) const {
  int64_t value = 0;
  const uint8_t* after = Varint(op, at, value);
  const std::vector<std::string>& symbols = op.type->symbols;
  if (value < 0 || value >= static_cast<int64_t>(symbols.size())) {
    Fail(op, at, fmt::format("symbol {} of an enum of {}", value, symbols.size()));
  }
  const ByteSpan symbol = AsBytes(symbols[static_cast<size_t>(value)]);
  slots_[op.slot] = Slot::Bytes(symbol.data(), symbol.size());
  return after;
}

const uint8_t* Decoder::Union(const Op& op, const uint8_t* at, int depth) const {
  int64_t branch = 0;
  const uint8_t* after = Varint(op, at, branch);
  if (branch < 0 || branch >= op.count) {
    Fail(op, at, fmt::format("branch {} of a union of {}", branch, op.count));
  }
  if (depth == kMaxDepth) {
    Fail(op, at, fmt::format("values nested deeper than {} levels", kMaxDepth));
  }
  const uint32_t number = programs_.branches[op.program + static_cast<size_t>(branch)];
  return RunProgram(programs_.bodies[number], after, depth + 1);
}

const uint8_t* Decoder::LongVarint(const Op& op, const uint8_t* at, int64_t& value) const {
  const uint8_t* after = at;
  if (ReadLong(after, end_, value)) return after;
  Fail(op, at,
       end_ - at < kMaxVarintBytes ? "a number that ends beyond the data"
                                   : "a number of more than 64 bits");
}

const uint8_t* Decoder::SkipVarints(const Op& op, const uint8_t* at, int64_t count) const {
  if (!SkipLongs(at, end_, count)) {
    int64_t value = 0;
    LongVarint(op, at, value);  // Says what is wrong.
  }
  return at;
}

void Decoder::Fail(const Op& op, const uint8_t* at, std::string_view problem) const {
  const std::string field = op.field ? fmt::format(" (field '{}')", op.field->name) : "";
  ThrowInvalid(fmt::format("byte {}{}: {}", at - begin_, field, problem));
}

void Decoder::FailSize(const Op& op, const uint8_t* at, int64_t size) const {
  Fail(op, at,
       size < 0 ? fmt::format("the negative size {}", size)
                : fmt::format("{} bytes, but only {} are left", size, end_ - at));
}

}  // namespace nunatak::avro
