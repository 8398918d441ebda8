#include "nunatak/read/change_filter.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "nunatak/base/ascii_case.h"
#include "nunatak/table/change_columns.h"

namespace nunatak {

namespace {

class FilterParts {
 public:
  FilterParts(const FilterText& text, const Schema& schema,
              const std::function<bool(int32_t)>& may_go_before)
      : text_(text), schema_(schema), may_go_before_(may_go_before) {}

  void Add(Expr term) {
    if (term.op == Op::kAnd) {
      for (Expr& child : term.children) Add(std::move(child));
      return;
    }
    (MayGoBefore(term) ? before : after).push_back(std::move(term));
  }

  void LowerChangeTypes(Expr* term) const {
    for (Expr& child : term->children) LowerChangeTypes(&child);
    const Field* field = FieldOf(*term);
    if (field == nullptr || field->id != kChangeTypeColumnId) return;
    for (Literal& literal : term->literals) literal.text = ToLowerAscii(literal.text);
  }

  std::vector<Expr> before, after;

 private:
  /// Null for what is no leaf; binding has found all names.
  const Field* FieldOf(const Expr& term) const {
    if (term.column_id) return schema_.FindField(*term.column_id);
    return term.column.empty() ? nullptr : schema_.FindField(term.column, text_.case_sensitive);
  }

  bool MayGoBefore(const Expr& term) const {
    const Field* field = FieldOf(term);
    if (field != nullptr && !may_go_before_(schema_.PathTo(field->id).front())) return false;
    return std::all_of(term.children.begin(), term.children.end(),
                       [&](const Expr& child) { return MayGoBefore(child); });
  }

  const FilterText& text_;
  const Schema& schema_;
  const std::function<bool(int32_t)>& may_go_before_;
};

Expr AllOf(std::vector<Expr> terms) {
  if (terms.empty()) return Expr{};
  if (terms.size() == 1) return std::move(terms[0]);
  return Expr{.op = Op::kAnd, .children = std::move(terms)};
}

}  // namespace

ChangeFilter PartFilter(Expr filter, const FilterText& text, const Schema& read_schema,
                        const std::function<bool(int32_t)>& may_go_before) {
  const Schema schema = WithChangeColumns(read_schema);
  Bind(filter, schema, text.case_sensitive, text.text);
  FilterParts parts(text, schema, may_go_before);
  parts.LowerChangeTypes(&filter);
  parts.Add(std::move(filter));
  return {
      .before = Bind(AllOf(std::move(parts.before)), read_schema, text.case_sensitive, text.text),
      .after = Bind(AllOf(std::move(parts.after)), schema, text.case_sensitive, text.text)};
}

}  // namespace nunatak
