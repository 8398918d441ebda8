#pragma once

#include <memory>

#include "nunatak/base/bytes.h"
#include "nunatak/iceberg/manifest.h"
#include "nunatak/plan/file_batch.h"

namespace nunatak::iceberg {

/// Decodes the live entries of a manifest into columns. An entry that survives is decoded again, in
/// full, by `FileBatch::File`.
std::shared_ptr<const FileBatch> ReadManifestBatch(Buffer bytes, const ManifestFile& file,
                                                   const PartitionSpec& spec,
                                                   const Type& partition_type,
                                                   const FileRequest& request);

}  // namespace nunatak::iceberg
