#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "nunatak/expr/bound_filter.h"
#include "nunatak/expr/op.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson LeafToJson(const BoundFilter& filter, const BoundFilter::Node& node) {
  const BoundFilter::Column& column = filter.columns[node.column];
  const std::span<const Value> literals = filter.literals_of(node);
  OrderedJson json;
  json["type"] = OpName(node.op);
  json["term"] = column.name;
  if (node.op == Op::kIn || node.op == Op::kNotIn) {
    OrderedJson& values = json["values"] = OrderedJson::array();
    for (const Value& literal : literals) values.push_back(ValueToCell(column.type, literal));
  } else if (!literals.empty()) {
    json["value"] = ValueToCell(column.type, literals[0]);
  }
  return json;
}

/// REST's AND and OR have two sides: a chain becomes a balanced tree, whose depth every reader
/// bears.
OrderedJson ChainToJson(Op op, std::vector<OrderedJson> terms) {
  while (terms.size() > 1) {
    std::vector<OrderedJson> halved;
    for (size_t i = 0; i + 1 < terms.size(); i += 2) {
      OrderedJson pair;
      pair["type"] = OpName(op);
      pair["left"] = std::move(terms[i]);
      pair["right"] = std::move(terms[i + 1]);
      halved.push_back(std::move(pair));
    }
    if (terms.size() % 2 != 0) halved.push_back(std::move(terms.back()));
    terms = std::move(halved);
  }
  return std::move(terms.front());
}

OrderedJson NodeToJson(const BoundFilter& filter, uint32_t at) {
  const BoundFilter::Node& node = filter.nodes[at];
  if (node.op == Op::kTrue || node.op == Op::kFalse) return node.op == Op::kTrue;
  if (node.op != Op::kAnd && node.op != Op::kOr) return LeafToJson(filter, node);
  std::vector<OrderedJson> terms;
  for (uint32_t child = at + 1; child < node.end; child = filter.nodes[child].end) {
    terms.push_back(NodeToJson(filter, child));
  }
  return ChainToJson(node.op, std::move(terms));
}

}  // namespace

OrderedJson FilterToJson(const BoundFilter& filter) { return NodeToJson(filter, 0); }

}  // namespace nunatak
