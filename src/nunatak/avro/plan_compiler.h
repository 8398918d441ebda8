#pragma once

#include <memory>
#include <span>
#include <vector>

#include "nunatak/avro/decode_plan.h"
#include "nunatak/avro/skip_compiler.h"

namespace nunatak::avro {

/// Compiles one plan: that of a record, or that of the items of a list or map.
class PlanCompiler {
 public:
  explicit PlanCompiler(DecodePlan& plan) : plan_(plan), skip_(plan.programs_) {}

  static std::unique_ptr<DecodePlan> CompileRecord(const Node& record,
                                                   std::span<const Wanted> wanted);

 private:
  static std::unique_ptr<DecodePlan> CompileItems(const Node& collection, const Wanted& wanted);
  static std::unique_ptr<DecodePlan> NewPlan(std::span<const Wanted> wanted);

  void AppendFields(const Node& record, std::span<const Wanted* const> wanted, Program& out);
  /// Appends what reads one value of `node`.
  void AppendValue(const Node& node, const Wanted& wanted, const Field* field, Program& out);
  void AppendUnion(const Node& node, const Wanted& wanted, const Field* field, Program& out);
  void AppendBranch(const Node& node, const Wanted& wanted, const Field* field, Program& out);
  void Finish(Program body);

  DecodePlan& plan_;
  SkipCompiler skip_;
};

}  // namespace nunatak::avro
