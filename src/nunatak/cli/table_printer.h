#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/cli/terminal.h"
#include "nunatak/read/text_buffer.h"

namespace nunatak::cli {

/// Lays rows out in aligned columns, for people; to fit a terminal, texts are shortened, and
/// columns that do not fit even so are counted instead. The widths come from the first rows, which
/// are held back until then; so are some 64 KiB.
class TablePrinter {
 public:
  /// Appends the text of a row's cell to what is there; true for a number or null. A column of
  /// nothing else is aligned to the right, and never shortened.
  using AppendText = std::function<bool(size_t column, TextBuffer* text)>;
  using Sink = std::function<void(std::string_view text)>;

  TablePrinter(std::vector<std::string> columns, Terminal terminal, Sink sink);

  /// How many of the first cells of a row are looked at: all, until it is known how many fit.
  size_t cells_wanted() const { return widths_.empty() ? columns_.size() : widths_.size(); }
  /// Adds a row, each of whose cells is asked for once.
  void Add(const AppendText& append);
  /// Writes what is still held back: call once, after the last row.
  void Finish();

 private:
  void Hold(const AppendText& append);
  void ChooseWidths();
  void PutRow(const AppendText& append);
  /// What comes after `begin` becomes a cell: shortened, aligned.
  void EndCell(size_t column, size_t begin);
  /// Ends the line that began at `begin`, without the blanks at its end.
  void EndLine(size_t begin);
  void PutHeader();
  void FlushHeldRows();

  std::vector<std::string> columns_;
  Terminal terminal_;
  Sink sink_;
  std::vector<std::vector<std::string>> held_;
  /// Of the columns that are shown: all, or as many of the first as fit.
  std::vector<int> widths_;
  std::vector<bool> right_aligned_;
  /// What was not written yet.
  TextBuffer pending_;
};

}  // namespace nunatak::cli
