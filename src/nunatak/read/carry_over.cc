#include "nunatak/read/carry_over.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <utility>

#include "nunatak/read/row_groups.h"

namespace nunatak {

namespace {

/// Rows of one content, of which the last are matched first.
using Rows = std::vector<RowRef>;

/// Takes pairs of a deletion and an insertion that cancel each other out from two lists of rows of
/// one content.
class Matcher {
 public:
  Matcher(const std::vector<ChangedRows>& rows, const CarryOverRules& rules)
      : rows_(rows), rules_(rules) {}

  void Match(Rows* a, Rows* b) const {
    if (a->empty() || b->empty()) return;
    if (rules_.row_id_column) MatchIds(a, b);
    if (!rules_.by_row_id) return MatchAny(a, b);
    // Rows of before the table kept ids have none: they may be any row of their content.
    MatchWithout(a, b);
    MatchWithout(b, a);
  }

 private:
  std::optional<int64_t> IdOf(const RowRef& ref) const {
    const auto& ids = static_cast<const arrow::Int64Array&>(
        *rows_[ref.batch].batch->column(*rules_.row_id_column));
    if (ids.IsNull(ref.row)) return std::nullopt;
    return ids.Value(ref.row);
  }

  void MatchIds(Rows* a, Rows* b) const {
    std::map<int64_t, std::vector<size_t>> places;
    for (size_t i = 0; i < a->size(); ++i) {
      if (const auto id = IdOf((*a)[i])) places[*id].push_back(i);
    }
    std::vector<bool> matched(a->size());
    Rows left;
    for (auto row = b->rbegin(); row != b->rend(); ++row) {
      const auto id = IdOf(*row);
      const auto at = id ? places.find(*id) : places.end();
      if (at == places.end() || at->second.empty()) {
        left.push_back(*row);
        continue;
      }
      matched[at->second.back()] = true;
      at->second.pop_back();
    }
    b->assign(left.rbegin(), left.rend());
    size_t kept = 0;
    for (size_t i = 0; i < a->size(); ++i) {
      if (!matched[i]) (*a)[kept++] = (*a)[i];
    }
    a->resize(kept);
  }

  static void MatchAny(Rows* a, Rows* b) {
    const size_t pairs = std::min(a->size(), b->size());
    a->resize(a->size() - pairs);
    b->resize(b->size() - pairs);
  }

  /// Matches rows of `a` that have no id with any of `b`.
  void MatchWithout(Rows* a, Rows* b) const {
    size_t pairs = b->size();
    const auto matched = std::remove_if(a->rbegin(), a->rend(), [&](const RowRef& ref) {
      if (pairs == 0 || IdOf(ref)) return false;
      --pairs;
      return true;
    });
    a->erase(a->begin(), matched.base());
    b->resize(pairs);
  }

  const std::vector<ChangedRows>& rows_;
  const CarryOverRules& rules_;
};

/// The rows of one content, snapshot by snapshot.
class Group {
 public:
  Group(const std::vector<ChangedRows>& rows, const CarryOverRules& rules)
      : rows_(rows), rules_(rules), matcher_(rows, rules) {}

  void AppendLeft(std::span<const RowRef> group, Rows* left) {
    Rows deleted, inserted;  // Of the snapshots before, in the net.
    for (size_t begin = 0; begin < group.size();) {
      size_t end = begin;
      Rows deletes, inserts;
      for (; end < group.size() && SnapshotOf(group[end]) == SnapshotOf(group[begin]); ++end) {
        (MarkOf(group[end]).deletes() ? deletes : inserts).push_back(group[end]);
      }
      begin = end;
      matcher_.Match(&deletes, &inserts);
      if (rules_.net) {
        matcher_.Match(&inserted, &deletes);
        matcher_.Match(&deleted, &inserts);
      }
      deleted.insert(deleted.end(), deletes.begin(), deletes.end());
      inserted.insert(inserted.end(), inserts.begin(), inserts.end());
    }
    left->insert(left->end(), deleted.begin(), deleted.end());
    left->insert(left->end(), inserted.begin(), inserted.end());
  }

 private:
  const RowMark& MarkOf(const RowRef& ref) const { return rows_[ref.batch].marks[ref.row]; }
  int32_t SnapshotOf(const RowRef& ref) const { return MarkOf(ref).snapshot; }

  const std::vector<ChangedRows>& rows_;
  const CarryOverRules& rules_;
  Matcher matcher_;
};

}  // namespace

std::vector<RowRef> RemoveCarryOver(const std::vector<ChangedRows>& rows,
                                    const CarryOverRules& rules) {
  Rows left;
  Group group(rows, rules);
  ForEachGroup(rows, rules.content, [&](std::span<const RowRef> refs) {
    refs.size() == 1 ? left.push_back(refs[0]) : group.AppendLeft(refs, &left);
  });
  std::sort(left.begin(), left.end());
  return left;
}

}  // namespace nunatak
