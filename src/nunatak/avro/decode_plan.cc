#include "nunatak/avro/decode_plan.h"

#include <fmt/format.h>

#include <utility>

#include "nunatak/avro/field_match.h"
#include "nunatak/avro/plan_compiler.h"
#include "nunatak/base/error.h"

namespace nunatak::avro {

namespace {

/// Refuses a tree of wanted fields that makes no sense: a mistake of the caller, not of the file.
void Check(std::span<const Wanted> wanted) {
  for (const Wanted& one : wanted) {
    const size_t children = one.children.size();
    const bool fits = one.kind == WantedKind::kRecord ? one.slot < 0
                      : one.kind == WantedKind::kList ? children == 1
                      : one.kind == WantedKind::kMap  ? children == 2
                                                      : children == 0;
    if (!fits || (one.slot < 0 && one.kind != WantedKind::kRecord)) {
      ThrowUsage(fmt::format("{} is wanted with {} children and the slot {}", Describe(one),
                             children, one.slot));
    }
    Check(one.children);
  }
}

}  // namespace

DecodePlan::DecodePlan() = default;
DecodePlan::~DecodePlan() = default;

std::shared_ptr<const DecodePlan> DecodePlan::Compile(std::shared_ptr<const Schema> schema,
                                                      std::span<const Wanted> wanted) {
  Check(wanted);
  const Node& root = schema->root();
  if (root.type != Type::kRecord) {
    ThrowInvalid(fmt::format("avro schema: the root should be a record, but is the type '{}'",
                             ToString(root.type)));
  }
  std::unique_ptr<DecodePlan> plan = PlanCompiler::CompileRecord(root, wanted);
  plan->schema_ = std::move(schema);
  return plan;
}

}  // namespace nunatak::avro
