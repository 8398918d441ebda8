#pragma once

#include <optional>
#include <vector>

#include "nunatak/read/changed_rows.h"
#include "nunatak/read/row_key.h"

namespace nunatak {

/// What changes cancel each other out.
struct CarryOverRules {
  /// All columns of the table: rows that are equal in them are the same row.
  RowKey content;
  /// Where `_row_id` lies in the batches, if it was read: of several rows of one content, a
  /// deleted one and an inserted one of the same id are matched first.
  std::optional<int> row_id_column = std::nullopt;
  /// Whether rows of different ids are different rows, whatever their content.
  bool by_row_id = false;
  /// Whether changes of different snapshots cancel out as well: what a later one undoes.
  bool net = false;
};

/// The rows that did change: without those that one snapshot both deleted and inserted, as it does
/// with all that it carries over from a file into a new one. `rows` come in the order of their
/// snapshots, and so do those that are left. In the net, of several insertions of a row the latest
/// are undone first.
std::vector<RowRef> RemoveCarryOver(const std::vector<ChangedRows>& rows,
                                    const CarryOverRules& rules);

}  // namespace nunatak
