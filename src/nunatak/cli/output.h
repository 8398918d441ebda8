#pragma once

#include <cstddef>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/cli/table_printer.h"
#include "nunatak/cli/terminal.h"

namespace nunatak::cli {

enum class OutputFormat { kTable, kJson, kNdjson, kCsv };

/// Writes `text` whole. Throws `BrokenPipe` when the reader has gone, and an I/O error otherwise.
void WriteAll(std::FILE* stream, std::string_view text);

/// Throws what `WriteAll` throws, from `errno`.
[[noreturn]] void ThrowWriteError();

/// The reader of standard output has gone (`| head`): end quietly.
struct BrokenPipe {};

/// Prints rows, each a JSON object with the same keys, as they come.
///
///   table   aligned columns for people (table_printer.h)
///   json    one array of objects
///   ndjson  one object a line
///   csv     RFC 4180 with a header; null is empty, an empty text is "", nested values are JSON
///
/// Memory is bounded. Stays where it is made.
class RowPrinter {
 public:
  /// In tables, the columns `sizes` are aligned as numbers are.
  RowPrinter(OutputFormat format, std::vector<std::string> columns, Terminal terminal,
             std::vector<std::string> sizes = {});
  RowPrinter(const RowPrinter&) = delete;
  RowPrinter& operator=(const RowPrinter&) = delete;

  void Add(const nlohmann::ordered_json& row);
  /// Writes what is still held back: call once, after the last row.
  void Finish();

 private:
  void AddTableRow(const nlohmann::ordered_json& row);
  void Put(std::string_view text);

  OutputFormat format_;
  std::vector<std::string> columns_;
  std::vector<std::string> sizes_;
  std::FILE* stream_;
  std::string pending_;
  size_t rows_ = 0;
  std::optional<TablePrinter> table_;
};

/// Compact JSON text; bytes that are not UTF-8 become the replacement character.
std::string ToText(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace nunatak::cli
