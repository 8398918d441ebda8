#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace nunatak::avro {

struct Field;
struct Node;

/// The instructions that a schema is compiled to. "Items" are the blocks of an array or a map.
enum class OpCode : uint8_t {
  kSkipBytes,    ///< `count` bytes
  kSkipVarints,  ///< `count` ints, longs or enums
  kSkipSized,    ///< one string or bytes
  kSkipItems,    ///< items of `program`
  kCall,         ///< `program`
  kUnion,        ///< one of `count` programs, from `branches[program]` on
  kMismatch,     ///< the branch `type` was met, which does not fit what is wanted
  kReadBoolean,
  kReadInt,
  kReadLong,
  kReadVarintAsReal,
  kReadFloat,
  kReadDouble,
  kReadSized,
  kReadFixed,  ///< `count` bytes
  kReadEnum,   ///< the symbol of `type`
  kReadItems,  ///< the span of items of `program`
};

/// Items of a simple shape are passed over without running their program.
enum class ItemShape : uint8_t {
  kAny,
  kVarints,      ///< `count` varints each, such as counts by column
  kVarintSized,  ///< one varint and one sized value each, such as bounds by column
};

/// One instruction. `null_branch` is −1, or else the value is a union of two, and that branch is
/// null.
struct Op {
  OpCode code = OpCode::kSkipBytes;
  int8_t null_branch = -1;
  ItemShape shape = ItemShape::kAny;
  int32_t slot = -1;
  int64_t count = 0;
  uint32_t program = 0;
  /// What is decoded, for messages and enums.
  const Node* type = nullptr;
  /// The innermost record field, or the first of a merged stretch; for messages; may be null.
  const Field* field = nullptr;
};

using Program = std::vector<Op>;

/// All programs of a plan; the first is that of a whole record.
struct Programs {
  std::vector<Program> bodies;
  /// The programs of the branches of unions.
  std::vector<uint32_t> branches;
};

/// Instructions call each other at most this deep, which bounds recursive data.
inline constexpr int kMaxDepth = 500;

}  // namespace nunatak::avro
