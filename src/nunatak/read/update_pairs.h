#pragma once

#include <span>
#include <vector>

#include "nunatak/read/changed_rows.h"
#include "nunatak/read/row_key.h"

namespace nunatak {

/// How a deleted and an inserted row are known to be one row, updated.
struct UpdateRules {
  /// The identifier columns, or `_row_id`, of which rows without a value are left alone.
  RowKey key;
  bool key_may_be_null = true;
  /// Whether the two may be of different snapshots.
  bool net = false;
};

/// All rows, in their order but for what an update inserted, which follows what it deleted; sets
/// the marks of both. Throws `ErrorCode::kInvalid` when a snapshot deleted or inserted several rows
/// of one key: which of them became which is not known.
std::vector<RowRef> PairUpdates(std::vector<ChangedRows>* rows, const UpdateRules& rules);

}  // namespace nunatak
