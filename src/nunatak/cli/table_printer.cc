#include "nunatak/cli/table_printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "nunatak/base/display_width.h"
#include "nunatak/base/plain_ascii.h"

namespace nunatak::cli {

namespace {

constexpr size_t kHeldRows = 1000;
constexpr size_t kFlushBytes = size_t{64} << 10;
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

void TablePrinter::Add(const AppendText& append) {
  widths_.empty() ? Hold(append) : PutRow(append);
}

void TablePrinter::Hold(const AppendText& append) {
  std::vector<std::string>& cells = held_.emplace_back();
  TextBuffer text;
  for (size_t i = 0; i < columns_.size(); ++i) {
    text.Clear();
    if (!append(i, &text)) right_aligned_[i] = false;
    cells.push_back(PrintableLine(text.view()));
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

void TablePrinter::PutRow(const AppendText& append) {
  const size_t begin = pending_.size();
  for (size_t i = 0; i < widths_.size(); ++i) {
    if (i > 0) pending_.Append(kGap);
    const size_t cell = pending_.size();
    append(i, &pending_);
    EndCell(i, cell);
  }
  EndLine(begin);
}

void TablePrinter::EndCell(size_t column, size_t begin) {
  const auto width = static_cast<size_t>(widths_[column]);
  const std::string_view text = pending_.view().substr(begin);
  size_t size = text.size();
  size_t taken = size;
  const bool cut = terminal_.width > 0 && !right_aligned_[column];
  if (!IsPlainAscii(text) || (cut && taken > width)) {
    std::string shown = PrintableLine(text);
    if (cut) shown = ShortenCell(shown, widths_[column]);
    pending_.Truncate(begin);
    pending_.Append(shown);
    size = shown.size();
    taken = static_cast<size_t>(DisplayWidth(shown));
  }
  if (taken >= width) return;
  const size_t padding = width - taken;
  char* blanks = pending_.Extend(padding);
  if (right_aligned_[column]) {
    blanks -= size;
    std::memmove(blanks + padding, blanks, size);
  }
  std::fill_n(blanks, padding, ' ');
}

void TablePrinter::EndLine(size_t begin) {
  const size_t last = pending_.view().substr(begin).find_last_not_of(' ');
  pending_.Truncate(last == std::string_view::npos ? begin : begin + last + 1);
  pending_.Append('\n');
  if (pending_.size() < kFlushBytes) return;
  sink_(pending_.view());
  pending_.Clear();
}

void TablePrinter::FlushHeldRows() {
  ChooseWidths();
  PutHeader();
  for (const auto& cells : std::exchange(held_, {})) {
    PutRow([&cells](size_t column, TextBuffer* text) {
      text->Append(cells[column]);
      return false;
    });
  }
}

void TablePrinter::PutHeader() {
  const auto put = [this](const std::function<std::string(size_t)>& text_of) {
    PutRow([&](size_t column, TextBuffer* text) {
      text->Append(text_of(column));
      return false;
    });
  };
  put([this](size_t column) { return Shorten(PrintableLine(columns_[column]), widths_[column]); });
  std::string header(pending_.view());
  pending_.Clear();
  header.pop_back();
  pending_.Append(terminal_.Styled(Style::kHeader, header));
  pending_.Append('\n');
  put([this](size_t column) { return std::string(static_cast<size_t>(widths_[column]), '-'); });
}

void TablePrinter::Finish() {
  if (widths_.empty()) {
    if (held_.empty()) right_aligned_.assign(columns_.size(), false);
    FlushHeldRows();
  }
  if (const size_t hidden = columns_.size() - widths_.size(); hidden > 0) {
    pending_.Append(fmt::format("… and {} more column{}: --format ndjson shows all\n", hidden,
                                hidden == 1 ? "" : "s"));
  }
  sink_(pending_.view());
  pending_.Clear();
}

}  // namespace nunatak::cli
