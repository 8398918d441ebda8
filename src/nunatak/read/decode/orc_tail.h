#pragma once

#include <cstdint>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/read/decode/orc_codec.h"

namespace nunatak {

/// How many bytes at the end of an ORC file make up its footer and postscript (ORC specification,
/// "File Tail"); `tail` holds at least its last 256 bytes (or all, of a shorter file). Throws
/// `ErrorCode::kInvalid` when the file is not ORC; callers add the file's name.
NUNATAK_EXPORT int64_t OrcTailSize(int64_t file_size, ByteSpan tail);

/// Where the parts of a stripe lie: indexes, data, footer.
struct OrcStripe {
  uint64_t offset = 0;
  uint64_t index_length = 0;
  uint64_t data_length = 0;
  uint64_t footer_length = 0;
  uint64_t rows = 0;
};

/// What an ORC file's tail says, as far as Arrow's reader has to be kept from believing it.
class NUNATAK_EXPORT OrcTail {
 public:
  /// `tail` ends the file. Throws `ErrorCode::kInvalid` for a malformed footer, and `kUnsupported`
  /// for a footer that is compressed in a way that is not known here.
  explicit OrcTail(ByteSpan tail);

  const OrcCodec& codec() const { return codec_; }
  /// By column id, the numbers of the kinds of types.
  const std::vector<uint64_t>& type_kinds() const { return type_kinds_; }
  /// The column ids of the top-level fields.
  const std::vector<uint64_t>& field_columns() const { return field_columns_; }
  const std::vector<OrcStripe>& stripes() const { return stripes_; }

  /// A footer and postscript that say the same of the file's stripes and types, and nothing of
  /// indexes and statistics: Arrow's reader trusts indexes, which need not be true.
  std::vector<uint8_t> WithoutIndexes() const;

 private:
  OrcTail(ByteSpan postscript, ByteSpan before);

  OrcCodec codec_;
  ByteSpan postscript_;
  std::vector<uint8_t> footer_;
  std::vector<uint64_t> type_kinds_;
  std::vector<uint64_t> field_columns_;
  std::vector<OrcStripe> stripes_;
};

}  // namespace nunatak
