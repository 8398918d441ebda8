#include "nunatak/avro/skip_compiler.h"

#include <fmt/format.h>

#include <algorithm>

#include "nunatak/base/error.h"

namespace nunatak::avro {

namespace {

/// Merged counts stop here: more than any block holds, so that skipping them is an error anyway,
/// and little enough to be multiplied by a number of items.
constexpr int64_t kMaxMergedCount = int64_t{1} << 32;

bool IsOp(const Program& program, size_t i, OpCode code) {
  return program[i].code == code && program[i].null_branch < 0;
}

bool IsMergeable(const Op& op) {
  return op.null_branch < 0 && (op.code == OpCode::kSkipBytes || op.code == OpCode::kSkipVarints);
}

}  // namespace

void AppendMerged(const Op& op, Program& out) {
  const bool nothing = op.code == OpCode::kSkipBytes && op.count == 0 && op.null_branch < 0;
  if (nothing) return;
  if (!out.empty() && IsMergeable(op) && IsMergeable(out.back()) && op.code == out.back().code) {
    out.back().count = std::min(out.back().count + op.count, kMaxMergedCount);
    return;
  }
  out.push_back(op);
}

uint32_t NewProgram(Programs& programs) {
  programs.bodies.emplace_back();
  return static_cast<uint32_t>(programs.bodies.size() - 1);
}

void AppendUnionOp(const std::vector<Program>& branches, const Op& prototype, Programs& programs,
                   Program& out) {
  const auto is_null = [&](size_t i) { return prototype.type->branches[i]->type == Type::kNull; };
  // The common case, an optional value of one instruction, needs no program of its own.
  if (branches.size() == 2 && is_null(0) != is_null(1)) {
    const Program& value = branches[is_null(0) ? 1 : 0];
    const bool fits = value.empty() || (value.size() == 1 && value[0].null_branch < 0);
    if (fits) {
      Op op = value.empty() ? prototype : value[0];
      if (value.empty()) op.code = OpCode::kSkipBytes;
      op.null_branch = is_null(0) ? 0 : 1;
      out.push_back(op);
      return;
    }
  }
  Op op = prototype;
  op.code = OpCode::kUnion;
  op.count = static_cast<int64_t>(branches.size());
  op.program = static_cast<uint32_t>(programs.branches.size());
  for (const Program& branch : branches) {
    const uint32_t number = NewProgram(programs);
    programs.bodies[number] = branch;
    programs.branches.push_back(number);
  }
  out.push_back(op);
}

void SkipCompiler::Append(const Node& node, const Field* field, Program& out) {
  if (depth_ > kMaxDepth) {
    ThrowUnsupported(fmt::format("avro schema: types nested deeper than {} levels", kMaxDepth));
  }
  ++depth_;
  Op op{.type = &node, .field = field};
  switch (node.type) {
    case Type::kNull:
      break;
    case Type::kBoolean:
      op.count = 1;
      break;
    case Type::kFloat:
      op.count = 4;
      break;
    case Type::kDouble:
      op.count = 8;
      break;
    case Type::kFixed:
      op.count = node.size;
      break;
    case Type::kInt:
    case Type::kLong:
    case Type::kEnum:
      op.code = OpCode::kSkipVarints;
      op.count = 1;
      break;
    case Type::kBytes:
    case Type::kString:
      op.code = OpCode::kSkipSized;
      break;
    case Type::kArray:
    case Type::kMap:
      op = ItemsOp(node, field);
      break;
    case Type::kRecord:
      AppendRecord(node, field, out);
      break;
    case Type::kUnion:
      AppendUnion(node, field, out);
      break;
  }
  AppendMerged(op, out);
  --depth_;
}

void SkipCompiler::AppendRecord(const Node& node, const Field* field, Program& out) {
  const auto [entry, is_new] = records_.try_emplace(&node);
  Compiled& compiled = entry->second;
  if (is_new) {
    compiled.program = NewProgram(programs_);
    Program body;
    for (const Field& inner : node.fields) Append(*inner.type, &inner, body);
    programs_.bodies[compiled.program] = std::move(body);
    compiled.is_complete = true;
  }
  // Without calls for the sake of one instruction, decoding costs no more than the bytes it
  // consumes.
  const Program& body = programs_.bodies[compiled.program];
  if (compiled.is_complete && body.empty()) return;
  if (compiled.is_complete && body.size() == 1) {
    AppendMerged(body[0], out);
    return;
  }
  out.push_back(
      {.code = OpCode::kCall, .program = compiled.program, .type = &node, .field = field});
}

void SkipCompiler::AppendUnion(const Node& node, const Field* field, Program& out) {
  std::vector<Program> branches(node.branches.size());
  for (size_t i = 0; i < branches.size(); ++i) Append(*node.branches[i], field, branches[i]);
  AppendUnionOp(branches, {.type = &node, .field = field}, programs_, out);
}

Op SkipCompiler::ItemsOp(const Node& collection, const Field* field) {
  Op op{.code = OpCode::kSkipItems, .type = &collection, .field = field};
  const Compiled compiled = CompileItem(collection);
  op.program = compiled.program;
  if (!compiled.is_complete) return op;
  const Program& item = programs_.bodies[compiled.program];
  if (item.size() == 1 && IsOp(item, 0, OpCode::kSkipVarints)) {
    op.shape = ItemShape::kVarints;
    op.count = item[0].count;
  } else if (item.size() == 2 && IsOp(item, 0, OpCode::kSkipVarints) && item[0].count == 1 &&
             IsOp(item, 1, OpCode::kSkipSized)) {
    op.shape = ItemShape::kVarintSized;
  }
  return op;
}

SkipCompiler::Compiled SkipCompiler::CompileItem(const Node& collection) {
  const auto [entry, is_new] = items_.try_emplace(&collection);
  Compiled& compiled = entry->second;
  if (is_new) {
    compiled.program = NewProgram(programs_);
    Program body;
    if (collection.type == Type::kMap) {
      body.push_back({.code = OpCode::kSkipSized, .type = &collection});
    }
    Append(*collection.item, nullptr, body);
    if (body.size() == 1 && IsOp(body, 0, OpCode::kCall)) {
      compiled.program = body[0].program;
    } else {
      programs_.bodies[compiled.program] = std::move(body);
    }
    compiled.is_complete = true;
  }
  return compiled;
}

}  // namespace nunatak::avro
