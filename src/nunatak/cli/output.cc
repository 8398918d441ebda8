#include "nunatak/cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>

#include "nunatak/base/error.h"

namespace nunatak::cli {

using nlohmann::ordered_json;

namespace {

constexpr size_t kHeldRows = 1000;
constexpr size_t kFlushBytes = 64 * 1024;
constexpr int kMinColumnWidth = 6;
constexpr std::string_view kGap = "  ";

std::string CsvCell(const ordered_json& value) {
  if (value.is_null()) return "";
  const bool text = value.is_string();
  std::string cell = text ? value.get<std::string>() : ToText(value);
  const bool quote = cell.empty() || cell.find_first_of("\",\r\n") != std::string::npos ||
                     cell.front() == ' ' || cell.back() == ' ';
  if (!quote) return cell;
  std::string quoted = "\"";
  for (char c : cell) {
    if (c == '"') quoted.push_back('"');
    quoted.push_back(c);
  }
  return quoted + '"';
}

/// Control characters would break the table or the terminal.
std::string Printable(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return text;
}

std::string TableCell(const ordered_json& value) {
  if (value.is_null()) return "";
  return Printable(value.is_string() ? value.get<std::string>() : ToText(value));
}

}  // namespace

Terminal Terminal::StandardOutput() {
  Terminal terminal;
  if (!::isatty(STDOUT_FILENO)) return terminal;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.width = size.ws_col;
  } else if (const char* columns = std::getenv("COLUMNS")) {
    terminal.width = std::atoi(columns);
  }
  return terminal;
}

void WriteAll(std::FILE* stream, std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0) {
    return;
  }
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
    pending_ += CsvCell(column);
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
        line += CsvCell(row.at(columns_[i]));
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
  if (!widths_.empty()) return PrintTableLine(cells);
  held_.push_back(std::move(cells));
  if (held_.size() == kHeldRows) FlushHeldRows();
}

/// Gives each column what its widest cell needs; while the sum exceeds the terminal, takes from the
/// widest one.
void RowPrinter::ChooseWidths() {
  for (size_t i = 0; i < columns_.size(); ++i) {
    int width = DisplayWidth(columns_[i]);
    for (const auto& cells : held_) width = std::max(width, DisplayWidth(cells[i]));
    widths_.push_back(width);
  }
  if (terminal_.width <= 0 || widths_.empty()) return;
  const int available = terminal_.width - static_cast<int>(kGap.size() * (widths_.size() - 1));
  int sum = std::accumulate(widths_.begin(), widths_.end(), 0);
  while (sum > available) {
    const auto widest = std::max_element(widths_.begin(), widths_.end());
    if (*widest <= kMinColumnWidth) break;
    --*widest;
    --sum;
  }
}

void RowPrinter::PrintTableLine(const std::vector<std::string>& cells) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    const std::string cell = Shorten(cells[i], widths_[i]);
    const auto padding = static_cast<size_t>(std::max(widths_[i] - DisplayWidth(cell), 0));
    if (i > 0) line += kGap;
    if (right_aligned_[i]) line.append(padding, ' ');
    line += cell;
    if (!right_aligned_[i]) line.append(padding, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  Put(line + "\n");
}

void RowPrinter::FlushHeldRows() {
  ChooseWidths();
  std::vector<std::string> header;
  for (const std::string& column : columns_) header.push_back(Printable(column));
  PrintTableLine(header);
  std::vector<std::string> rules;
  for (int width : widths_) rules.emplace_back(static_cast<size_t>(width), '-');
  PrintTableLine(rules);
  for (const auto& cells : held_) PrintTableLine(cells);
  held_.clear();
}

void RowPrinter::Finish() {
  if (format_ == OutputFormat::kTable && widths_.empty()) {
    if (right_aligned_.empty()) right_aligned_.assign(columns_.size(), false);
    FlushHeldRows();
  }
  if (format_ == OutputFormat::kJson) pending_ += rows_ == 0 ? "[]\n" : "\n]\n";
  WriteAll(terminal_.stream, pending_);
  pending_.clear();
}

}  // namespace nunatak::cli
