#include "nunatak/cli/output.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/text_escape.h"

namespace nunatak::cli {

using nlohmann::ordered_json;

namespace {

constexpr size_t kFlushBytes = 64 * 1024;

void AppendCsvCell(const ordered_json& value, TextBuffer* out) {
  if (value.is_null()) return;
  AppendCsvField(value.is_string() ? value.get_ref<const std::string&>() : ToText(value), out);
}

void AppendTableCell(const ordered_json& value, TextBuffer* out) {
  if (value.is_null()) return;
  if (value.is_string()) return out->Append(value.get_ref<const std::string&>());
  out->Append(ToText(value));
}

}  // namespace

void WriteAll(std::FILE* stream, std::string_view text) {
  // An empty text may lie nowhere.
  if (text.empty()) text = "";
  if (std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0) {
    return;
  }
  ThrowWriteError();
}

void ThrowWriteError() {
  if (errno == EPIPE) throw BrokenPipe();
  throw Error(ErrorCode::kIo, std::string("cannot write the output: ") + std::strerror(errno));
}

std::string ToText(const ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

RowPrinter::RowPrinter(OutputFormat format, std::vector<std::string> columns, Terminal terminal,
                       std::vector<std::string> sizes)
    : format_(format),
      columns_(std::move(columns)),
      sizes_(std::move(sizes)),
      stream_(terminal.stream) {
  if (format_ == OutputFormat::kTable) {
    table_.emplace(columns_, terminal, [this](std::string_view text) { WriteAll(stream_, text); });
  }
  if (format_ != OutputFormat::kCsv) return;
  TextBuffer header;
  for (const std::string& column : columns_) {
    if (!header.empty()) header.Append(',');
    AppendCsvField(column, &header);
  }
  header.Append('\n');
  pending_ = header.view();
}

void RowPrinter::Put(std::string_view text) {
  pending_ += text;
  if (pending_.size() < kFlushBytes) return;
  WriteAll(stream_, pending_);
  pending_.clear();
}

void RowPrinter::Add(const ordered_json& row) {
  switch (format_) {
    case OutputFormat::kTable:
      AddTableRow(row);
      break;
    case OutputFormat::kJson:
      Put((rows_ == 0 ? "[\n" : ",\n") + ToText(row));
      break;
    case OutputFormat::kNdjson:
      Put(ToText(row) + "\n");
      break;
    case OutputFormat::kCsv: {
      TextBuffer line;
      for (size_t i = 0; i < columns_.size(); ++i) {
        if (i > 0) line.Append(',');
        AppendCsvCell(row.at(columns_[i]), &line);
      }
      line.Append('\n');
      Put(line.view());
      break;
    }
  }
  ++rows_;
}

void RowPrinter::AddTableRow(const ordered_json& row) {
  table_->Add([&](size_t column, TextBuffer* text) {
    const ordered_json& value = row.at(columns_[column]);
    AppendTableCell(value, text);
    return value.is_null() || value.is_number() ||
           std::find(sizes_.begin(), sizes_.end(), columns_[column]) != sizes_.end();
  });
}

void RowPrinter::Finish() {
  if (table_) table_->Finish();
  if (format_ == OutputFormat::kJson) pending_ += rows_ == 0 ? "[]\n" : "\n]\n";
  WriteAll(stream_, pending_);
  pending_.clear();
}

}  // namespace nunatak::cli
