#include "nunatak/inspect/explain/filter_terms.h"

#include <cstdint>

namespace nunatak {

namespace {

/// The subtree of a filter that begins at `node`.
BoundFilter Subtree(const BoundFilter& filter, uint32_t node) {
  BoundFilter part{.columns = filter.columns, .literals = filter.literals};
  part.nodes.assign(filter.nodes.begin() + node, filter.nodes.begin() + filter.nodes[node].end);
  for (BoundFilter::Node& moved : part.nodes) moved.end -= node;
  return part;
}

void CollectTerms(const BoundFilter& filter, uint32_t node, std::vector<BoundFilter>* terms) {
  if (filter.nodes[node].op != Op::kAnd) return terms->push_back(Subtree(filter, node));
  for (uint32_t child = node + 1; child < filter.nodes[node].end; child = filter.nodes[child].end) {
    CollectTerms(filter, child, terms);
  }
}

}  // namespace

std::vector<BoundFilter> TermsOf(const BoundFilter& filter) {
  std::vector<BoundFilter> terms;
  if (!filter.is_true()) CollectTerms(filter, 0, &terms);
  return terms;
}

std::vector<BoundFilter> LeavesOf(const BoundFilter& filter) {
  std::vector<BoundFilter> leaves;
  for (uint32_t node = 0; node < filter.nodes.size(); ++node) {
    const Op op = filter.nodes[node].op;
    if (op != Op::kAnd && op != Op::kOr && op != Op::kTrue && op != Op::kFalse) {
      leaves.push_back(Subtree(filter, node));
    }
  }
  return leaves;
}

}  // namespace nunatak
