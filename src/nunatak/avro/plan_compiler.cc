#include "nunatak/avro/plan_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nunatak/avro/field_match.h"
#include "nunatak/base/error.h"

namespace nunatak::avro {

namespace {

/// The type of the keys of every Avro map.
const Node& MapKeyType() {
  static const Node type = [] {
    Node node;
    node.type = Type::kString;
    return node;
  }();
  return type;
}

int MaxSlot(std::span<const Wanted> wanted) {
  int max = -1;
  for (const Wanted& one : wanted) {
    max = std::max(max, one.slot);
    if (one.kind == WantedKind::kRecord) max = std::max(max, MaxSlot(one.children));
  }
  return max;
}

OpCode ReadCode(Type type, WantedKind kind) {
  switch (type) {
    case Type::kBoolean:
      return OpCode::kReadBoolean;
    case Type::kInt:
      return kind == WantedKind::kReal ? OpCode::kReadVarintAsReal : OpCode::kReadInt;
    case Type::kLong:
      return kind == WantedKind::kReal ? OpCode::kReadVarintAsReal : OpCode::kReadLong;
    case Type::kFloat:
      return OpCode::kReadFloat;
    case Type::kDouble:
      return OpCode::kReadDouble;
    case Type::kFixed:
      return OpCode::kReadFixed;
    case Type::kEnum:
      return OpCode::kReadEnum;
    default:
      return OpCode::kReadSized;
  }
}

/// Values of these kinds have a shape of their own, which only one branch of a union can have.
bool NeedsOneBranch(WantedKind kind) {
  return kind == WantedKind::kAny || kind == WantedKind::kRecord || kind == WantedKind::kList ||
         kind == WantedKind::kMap;
}

[[noreturn]] void ThrowMismatch(const Wanted& wanted, const Node& node) {
  ThrowInvalid(fmt::format("avro schema: {} should be {}, but its type is '{}'", Describe(wanted),
                           ToString(wanted.kind), ToString(node.type)));
}

}  // namespace

std::unique_ptr<DecodePlan> PlanCompiler::NewPlan(std::span<const Wanted> wanted) {
  std::unique_ptr<DecodePlan> plan(new DecodePlan());
  plan->slots_.resize(static_cast<size_t>(MaxSlot(wanted) + 1));
  // Program 0 is that of the whole record; its body comes last.
  NewProgram(plan->programs_);
  return plan;
}

std::unique_ptr<DecodePlan> PlanCompiler::CompileRecord(const Node& record,
                                                        std::span<const Wanted> wanted) {
  std::unique_ptr<DecodePlan> plan = NewPlan(wanted);
  PlanCompiler compiler(*plan);
  Program body;
  compiler.AppendFields(record, MatchFields(record, wanted), body);
  compiler.Finish(std::move(body));
  return plan;
}

std::unique_ptr<DecodePlan> PlanCompiler::CompileItems(const Node& collection,
                                                       const Wanted& wanted) {
  std::unique_ptr<DecodePlan> plan = NewPlan(wanted.children);
  PlanCompiler compiler(*plan);
  Program body;
  const std::vector<Wanted>& children = wanted.children;
  if (wanted.kind == WantedKind::kList) {
    compiler.AppendValue(*collection.item, children.at(0), nullptr, body);
  } else if (collection.type == Type::kMap) {
    compiler.AppendValue(MapKeyType(), children.at(0), nullptr, body);
    compiler.AppendValue(*collection.item, children.at(1), nullptr, body);
  } else {
    const Node& entry = *collection.item;
    compiler.AppendFields(entry, MatchEntry(entry, children.at(0), children.at(1)), body);
  }
  compiler.Finish(std::move(body));
  return plan;
}

void PlanCompiler::AppendFields(const Node& record, std::span<const Wanted* const> wanted,
                                Program& out) {
  for (size_t i = 0; i < record.fields.size(); ++i) {
    const Field& field = record.fields[i];
    if (wanted[i] == nullptr) {
      skip_.Append(*field.type, &field, out);
    } else {
      AppendValue(*field.type, *wanted[i], &field, out);
    }
  }
}

void PlanCompiler::AppendValue(const Node& node, const Wanted& wanted, const Field* field,
                               Program& out) {
  if (node.type == Type::kUnion) {
    AppendUnion(node, wanted, field, out);
  } else if (node.type == Type::kNull || Fits(node, wanted)) {
    AppendBranch(node, wanted, field, out);
  } else {
    ThrowMismatch(wanted, node);
  }
}

void PlanCompiler::AppendUnion(const Node& node, const Wanted& wanted, const Field* field,
                               Program& out) {
  std::vector<Program> branches(node.branches.size());
  int fitting = 0;
  for (size_t i = 0; i < branches.size(); ++i) {
    const Node& branch = *node.branches[i];
    if (branch.type == Type::kNull) continue;
    if (Fits(branch, wanted)) {
      if (++fitting > 1 && NeedsOneBranch(wanted.kind)) {
        ThrowInvalid(fmt::format("avro schema: {} may have several types, which is not supported",
                                 Describe(wanted)));
      }
      AppendBranch(branch, wanted, field, branches[i]);
    } else {
      branches[i].push_back({.code = OpCode::kMismatch, .type = &branch, .field = field});
    }
  }
  const bool has_value = std::ranges::any_of(
      node.branches, [](const Node* branch) { return branch->type != Type::kNull; });
  if (has_value && fitting == 0) ThrowMismatch(wanted, node);
  if (!has_value) AppendBranch(*node.branches[0], wanted, field, branches[0]);
  AppendUnionOp(branches, {.type = &node, .field = field}, plan_.programs_, out);
}

void PlanCompiler::AppendBranch(const Node& node, const Wanted& wanted, const Field* field,
                                Program& out) {
  if (wanted.kind == WantedKind::kRecord) {
    if (node.type == Type::kRecord) AppendFields(node, MatchFields(node, wanted.children), out);
    return;
  }
  if (plan_.slots_[wanted.slot].type == nullptr) plan_.slots_[wanted.slot].type = &node;
  if (node.type == Type::kNull) return;
  if (wanted.kind == WantedKind::kList || wanted.kind == WantedKind::kMap) {
    out.push_back(skip_.ItemsOp(node, field));
    out.back().code = OpCode::kReadItems;
    plan_.slots_[wanted.slot].items = CompileItems(node, wanted);
  } else {
    out.push_back({.code = ReadCode(node.type, wanted.kind), .count = node.size});
  }
  out.back().slot = wanted.slot;
  out.back().type = &node;
  out.back().field = field;
}

void PlanCompiler::Finish(Program body) {
  plan_.zero_size_ = std::ranges::all_of(body, [](const Op& op) {
    return op.code == OpCode::kReadFixed && op.count == 0 && op.null_branch < 0;
  });
  plan_.programs_.bodies[0] = std::move(body);
}

}  // namespace nunatak::avro
