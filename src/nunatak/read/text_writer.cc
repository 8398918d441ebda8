#include "nunatak/read/text_writer.h"

#include <arrow/record_batch.h>
#include <arrow/table.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "nunatak/read/cell_text.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/text_escape.h"

namespace nunatak {

namespace {

constexpr size_t kFlushBytes = size_t{64} << 10;

/// A batch as text: what comes before each cell, the cell, what ends the row.
class RowsText {
 public:
  RowsText(const Schema& projection, const arrow::RecordBatch& batch, TextForm form, MapForm maps)
      : is_csv_(form == TextForm::kCsv) {
    for (size_t i = 0; i < projection.fields().size(); ++i) {
      const Field& field = projection.fields()[i];
      columns_.emplace_back(field.type, batch.column(static_cast<int>(i)), maps);
      TextBuffer& before = before_.emplace_back();
      before.Append(i > 0 ? "," : is_csv_ ? "" : "{");
      if (is_csv_) continue;
      AppendJsonString(field.name, &before);
      before.Append(':');
    }
  }

  void Append(int64_t row, TextBuffer* out) const {
    for (size_t i = 0; i < columns_.size(); ++i) {
      out->Append(before_[i].view());
      is_csv_ ? columns_[i].AppendCsv(row, out) : columns_[i].AppendJson(row, out);
    }
    if (!is_csv_) out->Append(columns_.empty() ? "{}" : "}");
  }

 private:
  bool is_csv_;
  std::vector<CellText> columns_;
  std::vector<TextBuffer> before_;
};

std::string ToText(const Schema& projection, const arrow::Table& rows, const TextOptions& options) {
  std::string text;
  TextWriter writer(projection, options, [&text](std::string_view piece) { text += piece; });
  arrow::TableBatchReader batches(rows);
  while (const auto batch = ValueOrThrow(batches.Next())) writer.Write(*batch);
  writer.Finish();
  return text;
}

}  // namespace

TextWriter::TextWriter(Schema projection, const TextOptions& options, TextSink sink)
    : projection_(std::move(projection)),
      form_(options.form),
      maps_(options.maps),
      sink_(std::move(sink)) {
  if (form_ != TextForm::kCsv || !options.header) return;
  for (const Field& field : projection_.fields()) {
    if (!pending_.empty()) pending_.Append(',');
    AppendCsvField(field.name, &pending_);
  }
  pending_.Append('\n');
}

void TextWriter::Write(const arrow::RecordBatch& batch) {
  const RowsText rows(projection_, batch, form_, maps_);
  for (int64_t row = 0; row < batch.num_rows(); ++row) {
    BeginRow();
    rows.Append(row, &pending_);
    if (form_ != TextForm::kJson) pending_.Append('\n');
    if (pending_.size() >= kFlushBytes) Flush();
  }
}

void TextWriter::BeginRow() {
  if (form_ == TextForm::kJson) pending_.Append(has_rows_ ? ",\n" : "[\n");
  has_rows_ = true;
}

void TextWriter::Finish() {
  if (form_ == TextForm::kJson) pending_.Append(has_rows_ ? "\n]\n" : "[]\n");
  Flush();
}

void TextWriter::Flush() {
  sink_(pending_.view());
  pending_.Clear();
}

std::string ToCsv(const Schema& projection, const arrow::Table& rows, bool header) {
  return ToText(projection, rows, {.form = TextForm::kCsv, .header = header});
}

std::string ToJson(const Schema& projection, const arrow::Table& rows) {
  return ToText(projection, rows, {.form = TextForm::kJson});
}

}  // namespace nunatak
