#pragma once

#include <arrow/type_fwd.h>

#include <memory>
#include <string>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"
#include "nunatak/read/open_data_file.h"

namespace nunatak {

/// The rest of an open data file, fetched window by window and decoded. What is passed by reference
/// must outlive the stream.
class NUNATAK_EXPORT DataFileStream {
 public:
  DataFileStream(FileIO& io, const Context& context, std::string location, OpenDataFile file)
      : io_(io), context_(context), location_(std::move(location)), file_(std::move(file)) {}

  /// Fetches what the next call of `Next` decodes, so that another thread may wait for it.
  void Fetch();
  /// The next surviving rows, at least one; null at the end.
  std::shared_ptr<arrow::RecordBatch> Next();

 private:
  FileIO& io_;
  const Context& context_;
  std::string location_;
  OpenDataFile file_;
  bool filled_ = false;
};

}  // namespace nunatak
