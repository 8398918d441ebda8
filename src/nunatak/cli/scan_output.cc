#include "nunatak/cli/scan_output.h"

#include <arrow/record_batch.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/cli/table_options.h"
#include "nunatak/cli/table_printer.h"
#include "nunatak/read/cell_text.h"
#include "nunatak/read/text_buffer.h"
#include "nunatak/read/text_writer.h"

namespace nunatak::cli {

namespace {

constexpr int64_t kRowGroupBytes = int64_t{128} << 20;
/// Of the memory budget, what a row group that is being written may take.
constexpr int64_t kRowGroupShare = 8;
constexpr std::string_view kArrowStreamSuffix = ".arrows";

bool IsBinary(std::string_view format) { return format == "arrow" || format == "parquet"; }

/// The format that a file name ends in; of devices, and of standard output, the one for people.
/// Throws `ErrorCode::kUsage` for an ending that says nothing.
std::string FormatOfName(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kSuffixes = {{
      {".parquet", "parquet"},
      {".arrow", "arrow"},
      {".feather", "arrow"},
      {kArrowStreamSuffix, "arrow"},
      {".csv", "csv"},
      {".ndjson", "ndjson"},
      {".jsonl", "ndjson"},
      {".json", "json"},
      {".txt", "table"},
  }};
  for (const auto& [suffix, format] : kSuffixes) {
    if (name.ends_with(suffix)) return std::string(format);
  }
  if (name == "-" || name.starts_with("/dev/")) return "table";
  ThrowUsage(
      fmt::format("--output {}: no format is known by the end of that name", name),
      "--format says which; else .parquet, .arrow, .feather, .arrows, .csv, .ndjson, .jsonl, "
      ".json and .txt do");
}

std::vector<std::string> TopLevelNames(const Schema& schema) {
  std::vector<std::string> names;
  for (const Field& field : schema.fields()) names.push_back(field.name);
  return names;
}

/// Rows for people.
class TableWriter final : public BatchWriter {
 public:
  TableWriter(const Schema& projection, MapForm maps, Terminal terminal)
      : projection_(projection),
        maps_(maps),
        printer_(TopLevelNames(projection), terminal,
                 [stream = terminal.stream](std::string_view text) { WriteAll(stream, text); }) {}

  void Write(const arrow::RecordBatch& batch) override;
  void Finish() override { printer_.Finish(); }

 private:
  Schema projection_;
  MapForm maps_;
  TablePrinter printer_;
};

bool IsNumber(const Type& type, std::string_view text) {
  if (type.id() == TypeId::kInt || type.id() == TypeId::kLong) return true;
  const bool real = type.id() == TypeId::kFloat || type.id() == TypeId::kDouble;
  return real && text != "NaN" && !text.ends_with("Infinity");
}

void TableWriter::Write(const arrow::RecordBatch& batch) {
  std::vector<CellText> columns;
  for (size_t i = 0; i < printer_.cells_wanted(); ++i) {
    columns.emplace_back(projection_.fields()[i].type, batch.column(static_cast<int>(i)), maps_);
  }
  for (int64_t row = 0; row < batch.num_rows(); ++row) {
    printer_.Add([&](size_t column, TextBuffer* text) {
      const CellText& cells = columns[column];
      const size_t begin = text->size();
      cells.AppendText(row, text);
      return cells.IsNull(row) ||
             IsNumber(projection_.fields()[column].type, text->view().substr(begin));
    });
  }
}

class RowWriter final : public BatchWriter {
 public:
  RowWriter(const Schema& projection, const TextOptions& options, std::FILE* stream)
      : writer_(projection, options, [stream](std::string_view text) { WriteAll(stream, text); }) {}

  void Write(const arrow::RecordBatch& batch) override { writer_.Write(batch); }
  void Finish() override { writer_.Finish(); }

 private:
  TextWriter writer_;
};

TextForm TextFormOf(OutputFormat format) {
  if (format == OutputFormat::kCsv) return TextForm::kCsv;
  return format == OutputFormat::kJson ? TextForm::kJson : TextForm::kNdjson;
}

std::unique_ptr<BatchWriter> MakeTextWriter(OutputFormat format, const Schema& projection,
                                            MapForm maps, Terminal terminal) {
  if (format == OutputFormat::kTable) {
    return std::make_unique<TableWriter>(projection, maps, terminal);
  }
  const TextOptions options{.form = TextFormOf(format), .maps = maps};
  return std::make_unique<RowWriter>(projection, options, terminal.stream);
}

}  // namespace

void ScanOutputOptions::AddTo(CLI::App* verb) {
  verb->add_option_function<std::string>(
          "--format",
          [this](const std::string& name) {
            if (!IsBinary(name)) ParseFormat(name, "table, json, ndjson, csv, arrow, parquet");
            format = name;
          },
          "table, json, ndjson, csv, arrow or parquet (default: what FILE ends in; table on "
          "standard "
          "output)")
      ->type_name("FORMAT");
  verb->add_option("--output", file,
                   "Write to this file (-: standard output), which appears when it is whole; arrow "
                   "is an IPC file, or an "
                   "IPC stream on standard output and in .arrows")
      ->type_name("FILE");
}

ScanOutput::ScanOutput(const ScanOutputOptions& options) {
  const std::string file = options.file.value_or("-");
  format_ = options.format ? *options.format : FormatOfName(file);
  streaming_ = file == "-" || file.ends_with(kArrowStreamSuffix);
  if (file != "-") {
    file_ = std::make_unique<OutputFile>(file);
  } else if (IsBinary(format_) && ::isatty(STDOUT_FILENO) != 0) {
    ThrowUsage(fmt::format("{} is not for a terminal", format_),
               "--output FILE writes it to a file");
  }
}

void ScanOutput::Begin(const Schema& projection, const std::shared_ptr<arrow::Schema>& schema,
                       int64_t memory_budget, MapForm maps) {
  if (format_ == "arrow") {
    writer_ = MakeArrowWriter(stream(), schema, streaming_ ? ArrowForm::kStream : ArrowForm::kFile);
  } else if (format_ == "parquet") {
    writer_ = MakeParquetWriter(stream(), schema,
                                std::min(kRowGroupBytes, memory_budget / kRowGroupShare));
  } else {
    const Terminal terminal = file_ ? Terminal{.stream = stream()} : Terminal::Of(stdout);
    writer_ = MakeTextWriter(ParseFormat(format_), projection, maps, terminal);
  }
}

void ScanOutput::Finish() {
  writer_->Finish();
  if (file_) file_->Commit();
}

}  // namespace nunatak::cli
