#pragma once

#include <cstdint>

namespace nunatak {

/// How to read, as opposed to what.
struct ScanOptions {
  /// Rows of a batch, at most; batches never span two row groups.
  int64_t batch_size = 16384;
  /// Bytes of a batch, approximately: rows of wide tables come in smaller batches.
  int64_t batch_bytes = int64_t{16} << 20;
  /// Stored bytes that one open file holds at a time, approximately; at least one row group.
  int64_t window_bytes = int64_t{64} << 20;
  /// Stop after this many rows, counted after deletes and the filter; −1 for all.
  int64_t limit = -1;
  /// Files that are open at once; 0 for one more than the context has workers, and twice as many
  /// when fetching overlaps decoding.
  int files_at_once = 0;
  /// Whether threads of their own wait for the next files while others decode, where requests wait
  /// for a network.
  bool overlap_io = true;
  /// Whether row groups that cannot hold a row of the filter, by their statistics, are passed over.
  bool prune = true;
  /// Verify the checksums of Parquet pages that have one.
  bool verify_crc = false;
  /// Whether Parquet columns are left to Arrow's reader, where nunatak decodes most by itself: the
  /// rows are the same, and come slower.
  bool only_arrow = false;
};

}  // namespace nunatak
