#include "nunatak/read/open_decoder.h"

#include <fmt/format.h>

#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/orc_file.h"
#include "nunatak/read/decode/orc_tail.h"
#include "nunatak/read/decode/section_decoder.h"
#include "nunatak/read/fetch_ranges.h"
#include "nunatak/read/fetch_tail.h"
#include "nunatak/read/open_avro.h"
#include "nunatak/read/open_parquet.h"

namespace nunatak {

namespace {

std::unique_ptr<FileDecoder> OpenSized(FileIO& io, const Context& context, const DataFile& file,
                                       int64_t size, const DecodeOptions& options,
                                       FileTails* tails) {
  switch (file.file_format) {
    case FileFormat::kParquet: {
      OpenedParquet parquet = OpenParquet(io, context, file.file_path, size, options, tails);
      return std::make_unique<SectionDecoder>(std::move(parquet.file), std::move(parquet.tail),
                                              options);
    }
    case FileFormat::kOrc: {
      FileTail tail = FetchTail(io, context, file.file_path, size, OrcTailSize, tails);
      auto orc = WithContext(file.file_path,
                             [&] { return std::make_unique<OrcFile>(size, tail.bytes, options); });
      return std::make_unique<SectionDecoder>(std::move(orc), std::move(tail), options);
    }
    case FileFormat::kAvro:
      return OpenAvro(io, context, file.file_path, size, options);
    case FileFormat::kPuffin:
      ThrowUnsupported(fmt::format("files in {} are not supported: {}", ToString(file.file_format),
                                   file.file_path));
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<FileDecoder> OpenDecoder(FileIO& io, const Context& context, const DataFile& file,
                                         const DecodeOptions& options, FileTails* tails) {
  const int64_t recorded_size = file.file_size_in_bytes;
  int64_t size = recorded_size;
  if (recorded_size > 0) {
    try {
      return OpenSized(io, context, file, recorded_size, options, tails);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kInvalid && error.code() != ErrorCode::kIo) throw;
      size = SizeOf(io, file.file_path);
      if (size == recorded_size) throw;
    }
  } else {
    size = SizeOf(io, file.file_path);
  }
  return OpenSized(io, context, file, size, options, tails);
}

}  // namespace nunatak
