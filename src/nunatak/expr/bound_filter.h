#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/expr/expr.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// A filter bound to a schema: a flat program in prefix order, without `kNot`, its constants
/// folded, each literal converted to its column's type. Immutable after binding; cheap to evaluate
/// from many threads.
struct NUNATAK_EXPORT BoundFilter {
  /// A column that the program reads; nodes refer to it by position.
  struct Column {
    int32_t field_id = 0;
    Type type = {};
    /// The dotted path, for messages and JSON.
    std::string name = {};
    /// Whether a value can be null: the field or a struct above it is optional.
    bool nullable = true;

    friend bool operator==(const Column&, const Column&) = default;
  };

  struct Node {
    Op op = Op::kTrue;
    /// One past the last node of this subtree; children of `kAnd`/`kOr` follow their node directly.
    uint32_t end = 0;
    uint32_t column = 0;
    uint32_t first_literal = 0;
    uint32_t literal_count = 0;

    friend bool operator==(const Node&, const Node&) = default;
  };

  /// At least one node; `kTrue` and `kFalse` occur only alone.
  std::vector<Node> nodes = {Node{Op::kTrue, 1}};
  std::vector<Column> columns;
  /// Neither null nor NaN, and zero without sign. Those of `kIn`/`kNotIn` are sorted and distinct.
  /// `kStartsWith`: the prefix; `kLike`: the pattern and then its literal prefix.
  std::vector<Value> literals;

  bool is_true() const { return nodes[0].op == Op::kTrue; }
  bool is_false() const { return nodes[0].op == Op::kFalse; }
  std::span<const Value> literals_of(const Node& node) const {
    return std::span(literals).subspan(node.first_literal, node.literal_count);
  }

  friend bool operator==(const BoundFilter&, const BoundFilter&) = default;
};

/// Binds a filter: resolves names, converts literals, pushes NOT down, folds constants. Throws
/// `ErrorCode::kUsage` (unknown or ambiguous name, a literal that does not fit the column's type, a
/// column that filters cannot test), with a caret under the place when `text` is the filter's text.
NUNATAK_EXPORT BoundFilter Bind(const Expr& expr, const Schema& schema, bool case_sensitive = true,
                                std::string_view text = "");

/// `ParseFilter` and `Bind` in one.
NUNATAK_EXPORT BoundFilter BindFilter(std::string_view text, const Schema& schema,
                                      bool case_sensitive = true);

/// The REST specification's expression JSON of a bound filter; LIKE, which REST lacks, is
/// {"type": "like" | "not-like", "term", "value"}.
NUNATAK_EXPORT nlohmann::ordered_json FilterToJson(const BoundFilter& filter);

/// The filter in the text language, parseable again.
NUNATAK_EXPORT std::string FilterToText(const BoundFilter& filter);

}  // namespace nunatak
