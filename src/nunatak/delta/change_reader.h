#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/delta/snapshot.h"
#include "nunatak/delta/table.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/read/scan_options.h"
#include "nunatak/table/schema.h"

namespace nunatak::delta {

/// The columns of changes beside the table's own: `_change_type` (insert, delete, update_preimage,
/// update_postimage), `_commit_version`, `_commit_timestamp` (specification, "Reader Requirements
/// for AddCDCFile").
NUNATAK_EXPORT Schema WithVersionColumns(const Schema& schema);

struct ChangeRequest {
  /// Changes after this version; from the first one when absent.
  std::optional<int64_t> from_exclusive;
  /// `WithVersionColumns(last.schema())`, or a selection of it.
  Schema projection;
  /// Bound to that schema.
  BoundFilter filter;
  /// `limit` counts rows of changes.
  ScanOptions options = {};
};

/// The rows that the versions of a range inserted, deleted and updated, the oldest version first:
/// as its writer wrote them, or where it did not, the rows of the files that it added and removed.
/// Compaction and what else moves rows alone make no changes. For one thread at a time.
class NUNATAK_EXPORT ChangeReader {
 public:
  /// Changes up to `last`, with whose schema all rows are read. Throws `ErrorCode::kNotFound` when
  /// the commit of a version was cleaned up.
  ChangeReader(const Table& table, Context context, std::shared_ptr<const Snapshot> last,
               ChangeRequest request);
  ~ChangeReader();
  ChangeReader(ChangeReader&&) noexcept;
  ChangeReader& operator=(ChangeReader&&) noexcept;

  const std::shared_ptr<arrow::Schema>& schema() const;
  /// The next batch, of at least one row; null after the last.
  std::shared_ptr<arrow::RecordBatch> Next();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nunatak::delta
