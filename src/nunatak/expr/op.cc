#include "nunatak/expr/op.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nunatak {

namespace {

struct OpInfo {
  std::string_view name;
  Op negated;
};

/// Indexed by `Op`.
constexpr std::array kOps = {
    OpInfo{"true", Op::kFalse},
    OpInfo{"false", Op::kTrue},
    OpInfo{"and", Op::kOr},
    OpInfo{"or", Op::kAnd},
    OpInfo{"not", Op::kNot},
    OpInfo{"is-null", Op::kNotNull},
    OpInfo{"not-null", Op::kIsNull},
    OpInfo{"is-nan", Op::kNotNan},
    OpInfo{"not-nan", Op::kIsNan},
    OpInfo{"lt", Op::kGreaterEqual},
    OpInfo{"lt-eq", Op::kGreater},
    OpInfo{"gt", Op::kLessEqual},
    OpInfo{"gt-eq", Op::kLess},
    OpInfo{"eq", Op::kNotEqual},
    OpInfo{"not-eq", Op::kEqual},
    OpInfo{"in", Op::kNotIn},
    OpInfo{"not-in", Op::kIn},
    OpInfo{"starts-with", Op::kNotStartsWith},
    OpInfo{"not-starts-with", Op::kStartsWith},
    OpInfo{"like", Op::kNotLike},
    OpInfo{"not-like", Op::kLike},
};
static_assert(kOps.size() == static_cast<size_t>(Op::kNotLike) + 1);

const OpInfo& InfoOf(Op op) { return kOps[static_cast<size_t>(op)]; }

}  // namespace

std::string_view OpName(Op op) { return InfoOf(op).name; }

std::optional<Op> OpFromName(std::string_view name) {
  const auto* it =
      std::find_if(kOps.begin(), kOps.end(), [name](const OpInfo& op) { return op.name == name; });
  if (it == kOps.end()) return std::nullopt;
  return static_cast<Op>(it - kOps.begin());
}

std::string KnownOpNames() {
  std::string names;
  for (const OpInfo& op : kOps) names += fmt::format("{}{}", names.empty() ? "" : ", ", op.name);
  return names;
}

Op Negated(Op op) { return InfoOf(op).negated; }

Op Mirrored(Op op) {
  switch (op) {
    case Op::kLess:
      return Op::kGreater;
    case Op::kLessEqual:
      return Op::kGreaterEqual;
    case Op::kGreater:
      return Op::kLess;
    case Op::kGreaterEqual:
      return Op::kLessEqual;
    default:
      return op;
  }
}

}  // namespace nunatak
