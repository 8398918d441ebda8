#include "nunatak/cli/table_printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "nunatak/base/display_width.h"
#include "nunatak/base/plain_ascii.h"

namespace nunatak::cli {

namespace {

constexpr size_t kHeldRows = 1000;
/// What headers and texts may be shortened to. Numbers are never shortened.
constexpr int kMinHeaderWidth = 10;
constexpr int kMinTextWidth = 12;
constexpr std::string_view kGap = "  ";

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

TablePrinter::TablePrinter(std::vector<std::string> columns, Terminal terminal, Sink sink)
    : columns_(std::move(columns)),
      terminal_(terminal),
      sink_(std::move(sink)),
      right_aligned_(columns_.size(), true) {}

void TablePrinter::Add(std::span<const Cell> row) {
  if (!widths_.empty()) {
    line_.clear();
    for (size_t i = 0; i < widths_.size(); ++i) AppendCell(i, row[i].text, &line_);
    return PutLine();
  }
  std::vector<std::string>& cells = held_.emplace_back();
  for (size_t i = 0; i < columns_.size(); ++i) {
    cells.push_back(PrintableLine(row[i].text));
    if (!row[i].number_or_null) right_aligned_[i] = false;
  }
  if (held_.size() == kHeldRows) FlushHeldRows();
}

void TablePrinter::ChooseWidths() {
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

void TablePrinter::AppendCell(size_t column, std::string_view text, std::string* line) const {
  const auto width = static_cast<size_t>(widths_[column]);
  std::string shown;
  size_t taken = text.size();
  const bool cut = terminal_.width > 0 && !right_aligned_[column];
  if (!IsPlainAscii(text) || (cut && taken > width)) {
    shown = PrintableLine(text);
    if (cut) shown = ShortenCell(shown, widths_[column]);
    text = shown;
    taken = static_cast<size_t>(DisplayWidth(text));
  }
  const size_t padding = width - std::min(width, taken);
  if (column > 0) *line += kGap;
  if (right_aligned_[column]) line->append(padding, ' ');
  *line += text;
  if (!right_aligned_[column]) line->append(padding, ' ');
}

void TablePrinter::PutLine() {
  line_.erase(line_.find_last_not_of(' ') + 1);
  line_ += '\n';
  sink_(line_);
}

void TablePrinter::FlushHeldRows() {
  ChooseWidths();
  PutHeader();
  for (const auto& cells : std::exchange(held_, {})) {
    line_.clear();
    for (size_t i = 0; i < widths_.size(); ++i) AppendCell(i, cells[i], &line_);
    PutLine();
  }
}

void TablePrinter::PutHeader() {
  line_.clear();
  for (size_t i = 0; i < widths_.size(); ++i) {
    AppendCell(i, Shorten(PrintableLine(columns_[i]), widths_[i]), &line_);
  }
  line_.erase(line_.find_last_not_of(' ') + 1);
  sink_(terminal_.Styled(Style::kHeader, line_) + "\n");
  line_.clear();
  for (size_t i = 0; i < widths_.size(); ++i) {
    AppendCell(i, std::string(static_cast<size_t>(widths_[i]), '-'), &line_);
  }
  PutLine();
}

void TablePrinter::Finish() {
  if (widths_.empty()) {
    if (held_.empty()) right_aligned_.assign(columns_.size(), false);
    FlushHeldRows();
  }
  if (widths_.size() == columns_.size()) return;
  const size_t hidden = columns_.size() - widths_.size();
  sink_(fmt::format("… and {} more column{}: --format ndjson shows all\n", hidden,
                    hidden == 1 ? "" : "s"));
}

}  // namespace nunatak::cli
