#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nunatak/avro/container_reader.h"
#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"
#include "nunatak/read/decode/file_decoder.h"

namespace nunatak {

/// The blocks of a part of an Avro file, window by window; does no I/O. A block belongs to the
/// range that holds the first byte of the sync marker before it, as in the reference
/// implementation: the header's marker is that of the first block.
///
/// A part that does not start with the file is found by looking for a sync marker; where positions
/// are needed, the blocks before it are walked over instead, which takes reading them. A block that
/// the end of a window cuts is fetched again with the next.
class NUNATAK_EXPORT AvroBlocks {
 public:
  /// `head` are the first bytes of the file, the whole header at least.
  AvroBlocks(const avro::ContainerHeader& header, int64_t file_size, Buffer head,
             int64_t window_bytes);

  /// Begins the first window.
  void Start(const FilePart& part);
  bool done() const { return !in_window_; }
  const std::vector<ByteRange>& needed() const { return needed_; }
  void Fill(std::vector<Buffer> buffers);

  struct PositionedBlock {
    avro::CompressedBlock block;
    /// The position in the file of its first record.
    int64_t first_row = 0;
  };
  /// The next block of the window, which it views; nullopt at its end, when the next window begins.
  std::optional<PositionedBlock> Next();

 private:
  void StartWindow();
  bool FindSync();
  bool AtEnd() const;
  int64_t window_end() const { return window_offset_ + static_cast<int64_t>(window_.size()); }

  avro::ContainerHeader header_;
  int64_t file_size_;
  Buffer head_;
  int64_t window_bytes_;
  /// The part: where the sync markers of its blocks begin.
  int64_t begin_ = 0;
  int64_t end_ = 0;
  /// Where the next block starts or, while `searching_`, from where on there may be a sync marker.
  int64_t next_ = 0;
  bool searching_ = false;
  /// What the next block takes, as far as that is known.
  int64_t wanted_ = 0;
  /// Records in the blocks so far.
  int64_t rows_ = 0;

  bool in_window_ = false;
  Buffer window_;
  int64_t window_offset_ = 0;
  std::vector<ByteRange> needed_;
};

}  // namespace nunatak
