#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "nunatak/cli/batch_writer.h"
#include "nunatak/cli/output.h"
#include "nunatak/cli/output_file.h"
#include "nunatak/read/map_form.h"
#include "nunatak/table/schema.h"

namespace nunatak::cli {

/// Where the rows of a scan go, and as what: --format and --output.
struct ScanOutputOptions {
  std::optional<std::string> format;
  std::optional<std::string> file;

  void AddTo(CLI::App* verb);
};

/// The rows of a scan, written in the format that was asked for, else the one that the name of the
/// output file ends in, else as a table.
class ScanOutput {
 public:
  /// Creates the output file. Throws `ErrorCode::kUsage` when a binary format would go to a
  /// terminal.
  explicit ScanOutput(const ScanOutputOptions& options);

  /// Begins the output: rows of `projection`, in batches of `schema`. The writer holds back no more
  /// than a part of the budget. As text, maps are written in the form `maps`.
  void Begin(const Schema& projection, const std::shared_ptr<arrow::Schema>& schema,
             int64_t memory_budget, MapForm maps = MapForm::kKeysAndValues);
  void Write(const arrow::RecordBatch& batch) { writer_->Write(batch); }
  /// Ends the output; only then does the file appear.
  void Finish();

  /// Whether rows appear where somebody watches.
  bool on_screen() const { return !file_ && Terminal::Of(stdout).interactive; }

 private:
  std::FILE* stream() const { return file_ ? file_->stream() : stdout; }

  std::string format_;
  bool streaming_ = true;
  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<BatchWriter> writer_;
};

}  // namespace nunatak::cli
