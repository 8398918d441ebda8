#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/inspect/metadata_table.h"
#include "nunatak/table/schema.h"

namespace nunatak {

struct MetadataReadOptions {
  /// What comes out: the table's schema or a selection of it (`SelectFields`); all when absent.
  /// What is neither selected nor filtered by is not decoded.
  std::optional<Schema> projection = std::nullopt;
  /// Bound to the table's schema.
  BoundFilter filter = {};
  /// Stops after this many rows; −1 for no limit.
  int64_t limit = -1;
};

/// The rows of a metadata table as a stream of Arrow record batches, in a fixed order. Manifests
/// are read ahead on the context's executor, within its memory budget. Used by one thread at a
/// time.
class NUNATAK_EXPORT MetadataTableReader {
 public:
  MetadataTableReader(const Context& context, MetadataTable table, MetadataReadOptions options);
  ~MetadataTableReader();
  MetadataTableReader(MetadataTableReader&&) noexcept;
  MetadataTableReader& operator=(MetadataTableReader&&) noexcept;

  /// The schema of every batch: the Arrow form of the projection.
  const std::shared_ptr<arrow::Schema>& schema() const;

  /// The next batch, of at least one row; null after the last. Throws what reading the table's
  /// files throws, and ends with that.
  std::shared_ptr<arrow::RecordBatch> Next();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The same through Arrow's own interface (record_batch_reader.h), for other libraries.
NUNATAK_EXPORT std::shared_ptr<arrow::RecordBatchReader> ToRecordBatchReader(
    MetadataTableReader reader);

}  // namespace nunatak
