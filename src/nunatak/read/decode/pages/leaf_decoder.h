#pragma once

#include <arrow/type_fwd.h>
#include <arrow/util/type_fwd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/read/decode/pages/page_inflater.h"
#include "nunatak/read/decode/pages/page_values.h"
#include "nunatak/read/decode/pages/rle_decoder.h"
#include "nunatak/read/decode/pages/value_output.h"
#include "nunatak/read/decode/parquet_pages.h"
#include "nunatak/read/decode/row_selection.h"

namespace nunatak {

/// A column chunk whose page headers were read.
struct PageChunk {
  std::vector<ParquetPage> pages;
  /// Those of each page, with its header; none of a page that nobody wants, of which it is known
  /// only how many values it has.
  std::vector<Buffer> bytes;
  arrow::Compression::type codec = arrow::Compression::UNCOMPRESSED;
};

/// How a leaf's values are stored, and what they become.
struct LeafLayout {
  PlainLayout plain;
  /// The definition level of a value; 0 where none can be null.
  int max_definition = 0;
};

/// Decodes a leaf without repetition levels, page by page: a page of which no row is wanted is not
/// inflated. Used by one thread at a time.
class NUNATAK_EXPORT LeafDecoder {
 public:
  LeafDecoder(LeafLayout layout, std::unique_ptr<ValueOutput> output, PageChunk chunk,
              bool verify_crc);

  /// The next `rows.total()` rows, of which those come out that are selected.
  std::shared_ptr<arrow::ArrayData> Read(const RowSelection& rows);
  void Skip(int64_t rows) { row_ += rows; }

  /// The definition levels of the rows that were read last; none where all have values.
  std::span<const uint8_t> levels() const { return levels_; }

 private:
  void ReadRows(int64_t count);
  /// Goes to the page that holds `row_`, and there to that row.
  void Locate();
  void OpenPage();
  void OpenDictionary();
  void SkipInPage(int64_t rows);
  void ReadInPage(int64_t rows);
  int64_t ReadLevels(std::span<uint8_t> levels);
  const ParquetPage& page() const { return chunk_.pages[page_]; }

  LeafLayout layout_;
  std::unique_ptr<ValueOutput> output_;
  PageChunk chunk_;
  PageInflater inflater_;
  /// The dictionary page that was passed, and whether it was inflated.
  std::optional<size_t> dictionary_page_;
  bool has_dictionary_ = false;

  /// The next row that is asked for.
  int64_t row_ = 0;
  /// The current page, its first row, and where reading it has come to; absent until it is opened.
  size_t page_ = 0;
  int64_t page_first_row_ = 0;
  std::optional<int64_t> page_row_;
  RleDecoder page_levels_;
  std::unique_ptr<PageValues> page_values_;

  std::vector<uint8_t> levels_;
  int64_t rows_read_ = 0;
  int64_t null_count_ = 0;
};

}  // namespace nunatak
