#include "nunatak/read/open_parquet.h"

#include "nunatak/base/error.h"
#include "nunatak/read/fetch_tail.h"

namespace nunatak {

OpenedParquet OpenParquet(FileIO& io, const Context& context, const std::string& location,
                          int64_t size, const DecodeOptions& options, FileTails* tails) {
  const FileTail tail = FetchTail(io, context, location, size, ParquetFooterSize, tails);
  return WithContext(location, [&] {
    return OpenedParquet{std::make_unique<ParquetFile>(size, tail.bytes, options), tail};
  });
}

}  // namespace nunatak
