#pragma once

#include <cstddef>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace nunatak::cli {

enum class OutputFormat { kTable, kJson, kNdjson, kCsv };

/// Where data goes and how wide it may be. Only `kTable` looks at the width; 0 is no limit.
struct Terminal {
  std::FILE* stream = stdout;
  int width = 0;

  /// Standard output: the terminal's width, or `COLUMNS`; no limit when it is not a terminal.
  static Terminal StandardOutput();
};

/// Writes `text` whole. Throws `BrokenPipe` when the reader has gone, and an I/O error otherwise.
void WriteAll(std::FILE* stream, std::string_view text);

/// The reader of standard output has gone (`| head`): end quietly.
struct BrokenPipe {};

/// Prints rows, each a JSON object with the same keys, as they come.
///
///   table   aligned columns for people; values are shortened to fit the width
///   json    one array of objects
///   ndjson  one object a line
///   csv     RFC 4180 with a header; null is empty, an empty text is "", nested values are JSON
///
/// Memory is bounded: `kTable` takes its column widths from the first rows.
class RowPrinter {
 public:
  RowPrinter(OutputFormat format, std::vector<std::string> columns, Terminal terminal);

  void Add(const nlohmann::ordered_json& row);
  /// Writes what is still held back: call once, after the last row.
  void Finish();

 private:
  void AddTableRow(const nlohmann::ordered_json& row);
  void ChooseWidths();
  void PrintTableLine(const std::vector<std::string>& cells);
  void FlushHeldRows();
  void Put(std::string_view text);

  OutputFormat format_;
  std::vector<std::string> columns_;
  Terminal terminal_;
  std::string pending_;
  size_t rows_ = 0;
  std::vector<std::vector<std::string>> held_;
  std::vector<int> widths_;
  std::vector<bool> right_aligned_;
};

/// Compact JSON text; bytes that are not UTF-8 become the replacement character.
std::string ToText(const nlohmann::ordered_json& json, int indent = -1);

/// Columns that a terminal needs for UTF-8 text: combining marks take none, East Asian wide
/// characters and emoji two.
int DisplayWidth(std::string_view text);

/// The text, cut to `width` columns with an ellipsis when it is wider.
std::string Shorten(std::string_view text, int width);

}  // namespace nunatak::cli
