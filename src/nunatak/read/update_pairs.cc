#include "nunatak/read/update_pairs.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "nunatak/base/error.h"
#include "nunatak/read/cell.h"
#include "nunatak/read/row_groups.h"

namespace nunatak {

namespace {

class Pairing {
 public:
  Pairing(std::vector<ChangedRows>* rows, const UpdateRules& rules) : rows_(*rows), rules_(rules) {}

  /// Pairs the rows of one key.
  void Add(std::span<const RowRef> group) {
    if (group.size() == 1 || !HasKey(group[0])) return;
    for (size_t begin = 0; begin < group.size();) {
      size_t end = begin + 1;
      while (end < group.size() && MayPair(group[begin], group[end])) ++end;
      Pair(group.subspan(begin, end - begin));
      begin = end;
    }
  }

  std::vector<RowRef> Ordered() const {
    std::vector<RowRef> ordered;
    for (uint32_t b = 0; b < rows_.size(); ++b) {
      for (uint32_t row = 0; row < rows_[b].marks.size(); ++row) {
        const RowMark& mark = rows_[b].marks[row];
        if (mark.type == ChangeType::kUpdateAfter) continue;
        ordered.push_back({b, row});
        if (mark.type == ChangeType::kUpdateBefore) ordered.push_back(after_.at({b, row}));
      }
    }
    return ordered;
  }

 private:
  RowMark& MarkOf(const RowRef& ref) { return rows_[ref.batch].marks[ref.row]; }

  bool MayPair(const RowRef& a, const RowRef& b) {
    return rules_.net || MarkOf(a).snapshot == MarkOf(b).snapshot;
  }

  bool HasKey(const RowRef& ref) const {
    return rules_.key_may_be_null || rules_.key.ColumnsOf(rows_[ref.batch])[0]->IsValid(ref.row);
  }

  void Pair(std::span<const RowRef> rows) {
    std::vector<RowRef> deleted, inserted;
    for (const RowRef& ref : rows) (MarkOf(ref).deletes() ? deleted : inserted).push_back(ref);
    if (deleted.empty() || inserted.empty()) return;
    if (deleted.size() > 1 || inserted.size() > 1) ThrowAmbiguous(deleted, inserted);
    MarkOf(deleted[0]).type = ChangeType::kUpdateBefore;
    MarkOf(inserted[0]).type = ChangeType::kUpdateAfter;
    after_[deleted[0]] = inserted[0];
  }

  [[noreturn]] void ThrowAmbiguous(const std::vector<RowRef>& deleted,
                                   const std::vector<RowRef>& inserted) const {
    std::string key;
    const RowRef& ref = deleted[0];
    const arrow::ArrayVector columns = rules_.key.ColumnsOf(rows_[ref.batch]);
    for (size_t i = 0; i < rules_.key.fields.size(); ++i) {
      const Field& field = rules_.key.fields[i];
      const auto cell = CellToJson(field.type, *columns[i], ref.row);
      key += fmt::format("{}{} = {}", i == 0 ? "" : ", ", field.name,
                         cell.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    }
    ThrowInvalid(fmt::format("updates cannot be told: of the rows with {}, {} were deleted and {} "
                             "inserted together",
                             key, deleted.size(), inserted.size()),
                 "identify rows by columns whose values are unique, or leave updates unpaired");
  }

  std::vector<ChangedRows>& rows_;
  const UpdateRules& rules_;
  /// What each deleted row of an update became.
  std::map<RowRef, RowRef> after_;
};

}  // namespace

std::vector<RowRef> PairUpdates(std::vector<ChangedRows>* rows, const UpdateRules& rules) {
  Pairing pairing(rows, rules);
  ForEachGroup(*rows, rules.key, [&](std::span<const RowRef> group) { pairing.Add(group); });
  return pairing.Ordered();
}

}  // namespace nunatak
