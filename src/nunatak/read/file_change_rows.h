#pragma once

#include <memory>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/iceberg/change_plan.h"
#include "nunatak/io/file_io.h"
#include "nunatak/read/changed_rows.h"
#include "nunatak/read/read_request.h"

namespace nunatak {

/// The rows that are live on one side of some file changes of a snapshot and not on the other, file
/// by file: the deleted ones or the inserted ones. A row that was carried over from a removed file
/// into an added one is among both.
struct SideRequest {
  std::shared_ptr<FileIO> io;
  Context context;
  /// `projection` is what the batches hold.
  ReadRequest read;
  /// The number of the snapshot.
  int32_t snapshot = 0;
};

/// File changes by what they may do to rows; some do both.
struct ChangedFiles {
  std::vector<iceberg::FileChange> deleting;
  std::vector<iceberg::FileChange> inserting;
};

/// Parts changes; of files that have other deletes than before, reads position deletes and deletion
/// vectors to see whether rows came back, which they hardly ever do.
ChangedFiles PartChanges(const SideRequest& request, std::vector<iceberg::FileChange> changes);

std::unique_ptr<ChangedRowsStream> ReadDeletedRows(const SideRequest& request,
                                                   const ChangedFiles& files);
std::unique_ptr<ChangedRowsStream> ReadInsertedRows(const SideRequest& request,
                                                    const ChangedFiles& files);

}  // namespace nunatak
