#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/cli/terminal.h"

namespace nunatak::cli {

/// Lays rows out in aligned columns, for people; to fit a terminal, texts are shortened, and
/// columns that do not fit even so are counted instead. The widths come from the first rows, which
/// are held back until then.
class TablePrinter {
 public:
  struct Cell {
    std::string_view text;
    /// A column of nothing else is aligned to the right, and never shortened.
    bool number_or_null = false;
  };
  using Sink = std::function<void(std::string_view text)>;

  TablePrinter(std::vector<std::string> columns, Terminal terminal, Sink sink);

  /// How many of the first cells of a row are looked at: all, until it is known how many fit.
  size_t cells_wanted() const { return widths_.empty() ? columns_.size() : widths_.size(); }
  void Add(std::span<const Cell> row);
  /// Writes what is still held back: call once, after the last row.
  void Finish();

 private:
  void ChooseWidths();
  void AppendCell(size_t column, std::string_view text, std::string* line) const;
  /// Writes `line_` without the blanks at its end.
  void PutLine();
  void PutHeader();
  void FlushHeldRows();

  std::vector<std::string> columns_;
  Terminal terminal_;
  Sink sink_;
  std::vector<std::vector<std::string>> held_;
  /// Of the columns that are shown: all, or as many of the first as fit.
  std::vector<int> widths_;
  std::vector<bool> right_aligned_;
  std::string line_;
};

}  // namespace nunatak::cli
