#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nunatak/base/bytes.h"
#include "nunatak/io/file_io.h"
#include "nunatak/read/decode/file_field.h"
#include "nunatak/read/decode/row_selection.h"
#include "nunatak/read/decode/section_stats.h"

namespace nunatak {

/// A part of a file that is decoded by itself: a row group of Parquet, a stripe of ORC.
struct FileSection {
  int64_t rows = 0;
  /// The position in the file of the section's first row.
  int64_t first_row = 0;
  /// The offset of the section's first byte.
  int64_t start = 0;
};

/// A columnar file whose footer is parsed: what is in it, which bytes decoding needs, and, once
/// those were filled in, its columns as Arrow arrays. Knows nothing of tables.
class SectionedFile {
 public:
  virtual ~SectionedFile() = default;

  /// The file's columns. Callers assign ids and mark what they want before `FinishSelection`.
  virtual std::vector<FileField>& fields() = 0;
  virtual std::span<const FileSection> sections() const = 0;

  /// What the file records of a leaf in a section; nothing, where its format is not asked for it.
  virtual LeafStats StatsOf(size_t /*section*/, int /*leaf*/) const { return {}; }

  /// Where the file records something of the pages of a section: of those of the filter's leaves,
  /// and where pages of decoded leaves are. After `FinishSelection`.
  virtual std::vector<ByteRange> PageIndexRanges(size_t /*section*/,
                                                 const std::vector<int>& /*filter_leaves*/) const {
    return {};
  }
  /// The rows of a section that may match by that, and what it says of the pages. `index` are the
  /// bytes of `PageIndexRanges` for the filter's leaves, of which there are some.
  struct MatchingRows {
    std::vector<RowRange> rows;
    PageCounts pages;
  };
  virtual MatchingRows FindMatchingRows(size_t /*section*/, const SectionFilter& /*filter*/,
                                        const std::vector<Buffer>& /*index*/) {
    return {};
  }

  /// Ends the choice of leaves (`FileField::selected`): those alone are decoded.
  virtual void FinishSelection() = 0;
  /// The byte ranges that decoding rows of a section needs: all of them, or those that
  /// `FindMatchingRows` said. Neighbours are one range.
  virtual std::vector<ByteRange> RangesOf(size_t section, std::span<const RowRange> rows) const = 0;
  /// Hands over fetched bytes; a range of `RangesOf` must lie in one of them.
  virtual void Fill(int64_t offset, Buffer bytes) = 0;
  /// Forgets what was filled in.
  virtual void Release() = 0;

  /// Makes `NextRows` give rows of a section: those of the ranges, which are ascending; all of
  /// them, unless `FindMatchingRows` said which.
  virtual void StartSection(size_t section, std::vector<RowRange> rows) = 0;
  /// Goes to the next rows, which are counted from the section's first; none at its end.
  virtual RowRange NextRows() = 0;
  /// Those of the rows that are selected, of one of the decoded fields, by its place among these;
  /// pruned to the selected leaves. A field is read once at most over the same rows.
  virtual std::shared_ptr<arrow::Array> Read(int field, const RowSelection& rows) = 0;
  /// Whether several threads may read different fields at once.
  virtual bool reads_fields_at_once() const { return false; }
};

}  // namespace nunatak
