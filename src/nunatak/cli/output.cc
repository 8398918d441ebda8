#include "nunatak/cli/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <utility>

#include "nunatak/base/display_width.h"
#include "nunatak/base/error.h"
#include "nunatak/read/text_escape.h"

namespace nunatak::cli {

using nlohmann::ordered_json;

namespace {

constexpr size_t kHeldRows = 1000;
constexpr size_t kFlushBytes = 64 * 1024;
/// What headers and texts may be shortened to. Numbers are never shortened.
constexpr int kMinHeaderWidth = 10;
constexpr int kMinTextWidth = 12;
constexpr std::string_view kGap = "  ";

void AppendCsvCell(const ordered_json& value, std::string* out) {
  if (value.is_null()) return;
  AppendCsvField(value.is_string() ? value.get_ref<const std::string&>() : ToText(value), out);
}

std::string TableCell(const ordered_json& value) {
  if (value.is_null()) return "";
  return PrintableLine(value.is_string() ? value.get_ref<const std::string&>() : ToText(value));
}

/// Locations differ in their ends.
std::string ShortenCell(std::string_view cell, int width) {
  const bool is_location = cell.starts_with('/') || cell.find(":/") != std::string_view::npos;
  return is_location ? ShortenStart(cell, width) : Shorten(cell, width);
}

int GapsOf(size_t columns) { return static_cast<int>(kGap.size() * (columns - 1)); }

/// How many of the first columns fit next to each other when each is as narrow as may be; at least
/// one.
size_t CountFitting(const std::vector<int>& least, int terminal_width) {
  int used = 0;
  for (size_t i = 0; i < least.size(); ++i) {
    used += least[i];
    if (i > 0 && used + GapsOf(i + 1) > terminal_width) return i;
  }
  return least.size();
}

/// While the columns are wider than the terminal, takes from the widest one of those that are wider
/// than they must be.
void ShrinkToFit(int terminal_width, const std::vector<int>& least, std::vector<int>* widths) {
  for (size_t i = 0; i < widths->size(); ++i) {
    (*widths)[i] = std::max(least[i], std::min((*widths)[i], terminal_width));
  }
  const int available = terminal_width - GapsOf(widths->size());
  for (int sum = std::accumulate(widths->begin(), widths->end(), 0); sum > available; --sum) {
    int* widest = nullptr;
    for (size_t i = 0; i < widths->size(); ++i) {
      int& width = (*widths)[i];
      if (width > least[i] && (!widest || width > *widest)) widest = &width;
    }
    if (!widest) break;
    --*widest;
  }
}

}  // namespace

void WriteAll(std::FILE* stream, std::string_view text) {
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

RowPrinter::RowPrinter(OutputFormat format, std::vector<std::string> columns, Terminal terminal)
    : format_(format), columns_(std::move(columns)), terminal_(terminal) {
  if (format_ != OutputFormat::kCsv) return;
  for (const std::string& column : columns_) {
    if (!pending_.empty()) pending_ += ',';
    AppendCsvField(column, &pending_);
  }
  pending_ += '\n';
}

void RowPrinter::Put(std::string_view text) {
  pending_ += text;
  if (pending_.size() < kFlushBytes) return;
  WriteAll(terminal_.stream, pending_);
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
      std::string line;
      for (size_t i = 0; i < columns_.size(); ++i) {
        if (i > 0) line += ',';
        AppendCsvCell(row.at(columns_[i]), &line);
      }
      Put(line + "\n");
      break;
    }
  }
  ++rows_;
}

void RowPrinter::AddTableRow(const ordered_json& row) {
  if (rows_ == 0) right_aligned_.assign(columns_.size(), true);
  std::vector<std::string> cells;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const ordered_json& value = row.at(columns_[i]);
    cells.push_back(TableCell(value));
    if (widths_.empty() && !value.is_null() && !value.is_number()) right_aligned_[i] = false;
  }
  if (!widths_.empty()) return Put(TableLine(cells) + "\n");
  held_.push_back(std::move(cells));
  if (held_.size() == kHeldRows) FlushHeldRows();
}

void RowPrinter::ChooseWidths() {
  std::vector<int> least;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const int header = DisplayWidth(columns_[i]);
    int cell = 0;
    for (const auto& cells : held_) cell = std::max(cell, DisplayWidth(cells[i]));
    least.push_back(std::max(std::min(header, kMinHeaderWidth),
                             right_aligned_[i] ? cell : std::min(cell, kMinTextWidth)));
    widths_.push_back(std::max(header, cell));
  }
  if (terminal_.width <= 0 || widths_.empty()) return;
  widths_.resize(CountFitting(least, terminal_.width));
  ShrinkToFit(terminal_.width, least, &widths_);
}

std::string RowPrinter::TableLine(const std::vector<std::string>& cells) const {
  std::string line;
  for (size_t i = 0; i < widths_.size(); ++i) {
    const bool cut = terminal_.width > 0 && !right_aligned_[i];
    const std::string cell = cut ? ShortenCell(cells[i], widths_[i]) : cells[i];
    const auto padding = static_cast<size_t>(std::max(widths_[i] - DisplayWidth(cell), 0));
    if (i > 0) line += kGap;
    if (right_aligned_[i]) line.append(padding, ' ');
    line += cell;
    if (!right_aligned_[i]) line.append(padding, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

void RowPrinter::FlushHeldRows() {
  ChooseWidths();
  std::vector<std::string> header;
  for (size_t i = 0; i < widths_.size(); ++i) {
    header.push_back(Shorten(PrintableLine(columns_[i]), widths_[i]));
  }
  Put(terminal_.Styled(Style::kHeader, TableLine(header)) + "\n");
  std::vector<std::string> rules;
  for (int width : widths_) rules.emplace_back(static_cast<size_t>(width), '-');
  Put(TableLine(rules) + "\n");
  for (const auto& cells : held_) Put(TableLine(cells) + "\n");
  held_.clear();
}

void RowPrinter::Finish() {
  if (format_ == OutputFormat::kTable && widths_.empty()) {
    if (right_aligned_.empty()) right_aligned_.assign(columns_.size(), false);
    FlushHeldRows();
  }
  if (format_ == OutputFormat::kTable && widths_.size() < columns_.size()) {
    const size_t hidden = columns_.size() - widths_.size();
    pending_ += fmt::format("… and {} more column{}: --format ndjson shows all\n", hidden,
                            hidden == 1 ? "" : "s");
  }
  if (format_ == OutputFormat::kJson) pending_ += rows_ == 0 ? "[]\n" : "\n]\n";
  WriteAll(terminal_.stream, pending_);
  pending_.clear();
}

}  // namespace nunatak::cli
