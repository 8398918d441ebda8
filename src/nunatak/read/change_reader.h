#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/expr/expr.h"
#include "nunatak/iceberg/incremental.h"
#include "nunatak/iceberg/manifest_cache.h"
#include "nunatak/iceberg/table.h"
#include "nunatak/read/read_request.h"
#include "nunatak/table/change_columns.h"

namespace nunatak {

/// How a deleted and an inserted row are known to be one row, updated.
enum class UpdatePairing : uint8_t {
  kNone,        ///< They are not: all changes are insertions and deletions.
  kIdentifier,  ///< By the values of some columns.
  kRowId,       ///< By `_row_id` (version 3).
};

/// Which changes, and as what.
struct ChangeRequest {
  iceberg::SnapshotRange range;
  /// `read.schema` is the schema that the rows of all snapshots are read with, and the metadata
  /// columns; `read.projection` what comes out: `WithChangeColumns(read.schema)` or a selection of
  /// it. Of the options, `limit` counts rows of changes.
  ReadRequest read;
  /// Over the columns of `WithChangeColumns(read.schema)`. Change types are compared in any case.
  Expr filter = {};
  /// The text of the filter, for messages.
  std::string filter_text = {};
  bool case_sensitive = true;
  /// The changes from the beginning of the range to its end, without what was undone in between.
  bool net = false;
  UpdatePairing pairing = UpdatePairing::kNone;
  /// The columns of `UpdatePairing::kIdentifier`: top-level fields of the table.
  std::vector<int32_t> identifier_ids = {};
  /// Kept manifests spare reading those again that several snapshots share. One of its own when
  /// null.
  std::shared_ptr<iceberg::ManifestCache> cache = nullptr;
};

/// The rows that the snapshots of a range inserted, deleted and updated, as a stream of Arrow
/// record batches (docs/changes.md): right where files were rewritten, and with position deletes,
/// deletion vectors and equality deletes. Rows that a snapshot carried over unchanged are no
/// changes, nor does a snapshot of operation "replace" make any. Memory is bounded by the context's
/// budget and by the files that one snapshot changed: where rows must meet and do not fit, they are
/// parted into temporary files. For one thread at a time.
class NUNATAK_EXPORT ChangeReader {
 public:
  /// Throws what `iceberg::ChangedSnapshots` throws, and `ErrorCode::kUsage` for a filter or
  /// identifier that does not fit the schema.
  ChangeReader(const iceberg::Table& table, Context context, ChangeRequest request);
  ~ChangeReader();
  ChangeReader(ChangeReader&&) noexcept;
  ChangeReader& operator=(ChangeReader&&) noexcept;

  /// The Arrow form of the projection.
  const std::shared_ptr<arrow::Schema>& schema() const;

  /// The next batch, of at least one row, by ordinal; null after the last. Within a snapshot no
  /// order is promised, but that an update's two rows are neighbours.
  std::shared_ptr<arrow::RecordBatch> Next();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nunatak
