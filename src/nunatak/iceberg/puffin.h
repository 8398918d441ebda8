#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/iceberg/table_metadata.h"
#include "nunatak/io/file_io.h"

namespace nunatak::iceberg {

/// What a Puffin file's footer says of one of its blobs (Puffin specification, "BlobMetadata").
struct PuffinBlob {
  std::string type;
  std::vector<int32_t> fields;
  /// −1 for deletion vectors, as is `sequence_number`.
  int64_t snapshot_id = 0;
  int64_t sequence_number = 0;
  /// From the start of the file, and of the bytes as stored.
  int64_t offset = 0;
  int64_t length = 0;
  /// Absent: not compressed.
  std::optional<std::string> compression_codec;
  StringMap properties;
  friend bool operator==(const PuffinBlob&, const PuffinBlob&) = default;
};

struct PuffinFooter {
  std::vector<PuffinBlob> blobs;
  StringMap properties;
  /// Bytes of the whole footer, from its leading magic to the end of the file.
  int64_t footer_size = 0;
};

/// Reads the footer of a Puffin file. Throws `ErrorCode::kInvalid` for a file that breaks the
/// format and `kUnsupported` for a compressed footer (LZ4) or unknown flags; the message names the
/// file.
NUNATAK_EXPORT PuffinFooter ReadPuffinFooter(FileIO& io, const std::string& location);

/// Parses a footer from the whole bytes of a Puffin file.
NUNATAK_EXPORT PuffinFooter ParsePuffinFooter(ByteSpan file);

/// The content of a blob, inflated when it is compressed with zstd, to at most 1024 times its
/// stored size. Throws `ErrorCode::kUnsupported` for other codecs, by name.
NUNATAK_EXPORT Buffer ReadBlob(FileIO& io, const std::string& location, const PuffinBlob& blob);

}  // namespace nunatak::iceberg
