#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/cli/output.h"
#include "nunatak/open/open_table.h"

namespace nunatak::cli {

/// Which tables a verb has a meaning for: options that none of them has are not offered.
enum class Serves : uint8_t { kEveryFormat, kVersioned, kIceberg };

/// What every verb takes: which table, which snapshot of it, how to print.
struct TableOptions {
  std::string location;
  OutputFormat format = OutputFormat::kTable;
  std::optional<int64_t> snapshot_id;
  std::optional<std::string> ref;
  std::optional<std::string> as_of;
  std::optional<int64_t> version;
  std::optional<TableFormat> table_format;
  std::string partition_types;
  bool one_schema = false;
  bool moved = false;
  std::vector<std::string> relocate;
  bool ignore_case = false;

  /// Declares the options on a verb.
  void AddTo(CLI::App* verb, Serves serves = Serves::kEveryFormat);
  /// The same without --format.
  void AddTableTo(CLI::App* verb, Serves serves = Serves::kEveryFormat);
  /// Which table alone: for verbs that take their snapshots otherwise.
  void AddLocationTo(CLI::App* verb, Serves serves);

  /// For verbs that take names of columns.
  void AddIgnoreCaseTo(CLI::App* verb);

  bool chooses_snapshot() const { return snapshot_id || ref || as_of || version; }

 private:
  void AddNameTo(CLI::App* verb);
  void AddOpeningTo(CLI::App* verb, Serves serves);
};

/// Adds an option whose value is a decimal number. (CLI11's own would take "010" for 8, and the
/// greatest number for what is beyond it.)
CLI::Option* AddNumber(CLI::App* verb, const std::string& name, const std::string& description,
                       std::optional<int64_t>* value);

/// The format of a name. Throws CLI11's error, which lists `names`, for any other.
OutputFormat ParseFormat(const std::string& name,
                         std::string_view names = "table, json, ndjson, csv");

/// Declares --format.
void AddFormat(CLI::App* verb, OutputFormat* format);

/// Opens the table as the options ask for it; says on standard error when the pointer was guessed.
OpenedTable Open(const TableOptions& options, const Context& context = {});

/// The same for what only Iceberg tables have. Throws `ErrorCode::kUnsupported` for any other,
/// saying that the verb has no meaning there.
IcebergTable OpenIceberg(const TableOptions& options, std::string_view verb);
/// The same for one that is open already; valid as long as `opened`.
const IcebergTable& RequireIceberg(const OpenedTable& opened, std::string_view verb);

/// Prints one object: `text` for people, else as JSON or as one row of CSV.
void PrintObject(OutputFormat format, const nlohmann::ordered_json& object, std::string_view text);

}  // namespace nunatak::cli
