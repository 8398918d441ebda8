#pragma once

#include <arrow/type_fwd.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/read/map_form.h"
#include "nunatak/read/text_buffer.h"
#include "nunatak/table/schema.h"

namespace nunatak {

enum class TextForm {
  kCsv,     ///< RFC 4180 but for line ends, which are "\n"; see `CellText::AppendCsv`.
  kJson,    ///< One array of objects keyed by column name.
  kNdjson,  ///< One object a line.
};

struct TextOptions {
  TextForm form = TextForm::kNdjson;
  /// Whether CSV begins with a line of the columns' names.
  bool header = true;
  MapForm maps = MapForm::kKeysAndValues;
};

/// Receives text, piece by piece; what it throws leaves the writer.
using TextSink = std::function<void(std::string_view text)>;

/// Writes record batches as text, whose cells have the forms of `CellToJson`: valid UTF-8 whatever
/// the files hold. It holds back some 64 KiB and a row.
class NUNATAK_EXPORT TextWriter {
 public:
  /// The batches were read with `projection`.
  TextWriter(Schema projection, const TextOptions& options, TextSink sink);

  /// Throws `ErrorCode::kInvalid` for a malformed variant.
  void Write(const arrow::RecordBatch& batch);
  /// Writes what is still held back, and the end of the array: call once.
  void Finish();

 private:
  void BeginRow();
  void Flush();

  Schema projection_;
  TextForm form_;
  MapForm maps_;
  TextSink sink_;
  TextBuffer pending_;
  bool has_rows_ = false;
};

/// A whole result as CSV, and as one JSON array.
NUNATAK_EXPORT std::string ToCsv(const Schema& projection, const arrow::Table& rows,
                                 bool header = true);
NUNATAK_EXPORT std::string ToJson(const Schema& projection, const arrow::Table& rows);

}  // namespace nunatak
