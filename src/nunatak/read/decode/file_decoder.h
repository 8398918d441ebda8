#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/io/file_io.h"
#include "nunatak/read/decode/file_field.h"
#include "nunatak/read/decode/row_selection.h"
#include "nunatak/read/decode/section_stats.h"

namespace nunatak {

/// How the rows of a file come out.
struct DecodeOptions {
  /// Rows of a batch, at most.
  int64_t batch_size = 16384;
  /// Bytes of a batch, approximately.
  int64_t batch_bytes = int64_t{16} << 20;
  /// Stored bytes that are held at a time, approximately.
  int64_t window_bytes = int64_t{64} << 20;
  /// Verify checksums that are not always verified.
  bool verify_crc = false;
  /// Leave all columns of a Parquet file to Arrow's reader.
  bool only_arrow = false;
  /// Decode the parts of a Parquet file's structs apart: each selected one that is no struct itself
  /// counts as a field of its own when fields are read, and is null where a struct around it is.
  bool split_structs = false;
};

/// The part of a file that is read. Formats are read in pieces (row groups, stripes, blocks), each
/// of which belongs to exactly one of any ranges that together make up the file.
struct FilePart {
  /// Absent for the whole file; an empty range for nothing of it.
  std::optional<ByteRange> range;
  /// Whether `RowSpan::first_row` matters: where it takes work to know, it is not done for
  /// nothing.
  bool needs_positions = false;
  /// What may be passed over, where the format records statistics of its sections.
  SectionFilter filter = {};
  /// Fetches ranges of the file: for what it records of the pages of the filter's leaves. Used by
  /// `Start` alone. Null when pages are not asked about.
  std::function<std::vector<Buffer>(std::span<const ByteRange>)> fetch = nullptr;
  /// Told of each section in the range, and whether its own statistics let it match.
  std::function<void(const SectionStats&, bool kept)> on_section = nullptr;
  /// Told what came of its pages, of each section that was kept.
  std::function<void(const PageCounts&)> on_pages = nullptr;
};

/// Rows that follow each other in a file.
struct RowSpan {
  /// The position in the file of the first of them.
  int64_t first_row = 0;
  int64_t count = 0;
};

/// A data file of any format between opening and decoding. It knows nothing of tables, and does no
/// I/O: reading goes window by window, whose byte ranges it names.
///
///     choose leaves in fields(); Start(part);
///     while (!done()) {
///       Fill(<the bytes of needed()>);
///       while (Next().count > 0) Read(…) of each field, or of some
///     }
///
/// Whatever is wrong with the file is an `Error`, to which callers add the file's name.
class FileDecoder {
 public:
  virtual ~FileDecoder() = default;

  /// The file's own schema. Callers assign ids and select leaves before `Start`.
  virtual std::vector<FileField>& fields() = 0;
  /// Where the row groups or stripes of the file begin; empty for formats that have none.
  virtual std::vector<int64_t> section_starts() const { return {}; }
  /// Ends the choice of leaves, and begins the first window.
  virtual void Start(const FilePart& part) = 0;
  /// Whether every window was decoded.
  virtual bool done() const = 0;
  /// The byte ranges of the window that are not here yet; may be empty.
  virtual const std::vector<ByteRange>& needed() const = 0;
  /// Hands over the bytes of each range of `needed()`, in that order.
  virtual void Fill(std::vector<Buffer> buffers) = 0;
  /// Goes to the next rows of the filled window; none at its end, when the next window begins.
  virtual RowSpan Next() = 0;
  /// Those of the rows that are selected, of one of the decoded fields, by its place among these
  /// (`DecodedIndex`); pruned to the selected leaves. A field is read once at most over the same
  /// rows, and what nobody reads need not be decoded.
  virtual std::shared_ptr<arrow::Array> Read(int field, const RowSelection& rows) = 0;
  /// Whether several threads may read different fields at once.
  virtual bool reads_fields_at_once() const { return false; }
};

}  // namespace nunatak
