#include "nunatak/inspect/verify/verify_source.h"

#include <arrow/record_batch.h>

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/inspect/source_files.h"
#include "nunatak/inspect/verify/verify_columns.h"
#include "nunatak/inspect/verify/verify_files.h"
#include "nunatak/inspect/verify/verify_report.h"
#include "nunatak/open/no_meaning.h"
#include "nunatak/open/scan_input.h"
#include "nunatak/plan/table_scan.h"
#include "nunatak/read/data_file_stream.h"
#include "nunatak/read/open_data_file.h"
#include "nunatak/read/position_delete_file.h"

namespace nunatak {

namespace {

/// Walks over the files of a source.
class SourceVerifier {
 public:
  SourceVerifier(const OpenedTable& opened, const Context& context, const VerifyOptions& options,
                 const FindingSink& sink, VerifyCounters* counters)
      : io_(*opened.io()),
        context_(context),
        options_(options),
        sink_(sink),
        counters_(counters),
        scanned_(MakeScanInput(opened).source),
        request_(MakeScanInput(opened).request),
        files_(ListedFiles(opened)),
        lookup_(io_, context) {
    request_.options.verify_crc = true;
  }

  void Run() {
    counters_->has_manifests = false;
    ForEachPart(
        files_, context_, options_.deep,
        [&](size_t part, const std::vector<DataFile>& files) { Check(files_.spec(part), files); });
    if (options_.deep) CheckDeletionVectors();
  }

 private:
  void Check(const PartitionSpec& spec, const std::vector<DataFile>& files) {
    std::vector<Finding> findings;
    std::vector<FileLookup::Outcome> outcomes(files.size(), FileLookup::Outcome::kFine);
    if (options_.look_for_files) {
      std::vector<RecordedFile> recorded;
      for (const DataFile& file : files) {
        recorded.push_back({file.file_path, file.file_size_in_bytes});
      }
      outcomes = lookup_.Check(recorded, "size", files_.source().snapshot_id(), &findings);
      counters_->files = lookup_.looked_at();
    }
    if (options_.deep) {
      const auto shared_spec = std::make_shared<const PartitionSpec>(spec);
      for (size_t i = 0; i < files.size(); ++i) {
        // An empty file has no rows to be read, and one that is missing was reported.
        if (outcomes[i] == FileLookup::Outcome::kMissing || files[i].record_count == 0) continue;
        CheckRows(shared_spec, files[i], &findings);
      }
    }
    Report(findings);
  }

  void Report(const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) {
      ++(finding.severity() == Severity::kError ? counters_->errors : counters_->warnings);
      sink_(finding);
    }
  }

  /// Those that the entries of files record themselves.
  void CheckDeletionVectors() {
    TableScan(scanned_, BoundFilter()).Plan(context_, [&](const FileScanTask& task) {
      for (const auto& deletes : task.deletes) {
        std::vector<Finding> findings;
        try {
          ReadDeletionVector(io_, context_, deletes->file);
        } catch (const Error& error) {
          if (error.code() != ErrorCode::kInvalid) throw;
          FileReport(task.data_file->file_path, files_.source().snapshot_id(), &findings)
              .Add(Check::kDeletionVectorBlob, "deletionVector", {}, error.message());
        }
        Report(findings);
      }
    });
  }

  void CheckRows(const std::shared_ptr<const PartitionSpec>& spec, const DataFile& file,
                 std::vector<Finding>* findings) {
    FileReport report(file.file_path, files_.source().snapshot_id(), findings);
    ++counters_->opened;
    try {
      ReadRows(spec, file, &report);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kUnsupported) {
        report.Add(Check::kNotChecked, "", {}, error.message());
      } else if (error.code() == ErrorCode::kInvalid) {
        report.Add(Check::kUnreadable, "", {}, error.message());
      } else {
        throw;
      }
    }
  }

  /// `facts` keeps what the tallies refer to.
  std::vector<ColumnTally> TalliesOf(const DataFile& file, std::deque<FieldFacts>* facts) const {
    const Schema& schema = request_.projection;
    std::vector<ColumnTally> tallies;
    for (const ColumnMetrics& metrics : file.metrics) {
      const Field* field = schema.FindField(metrics.field_id);
      FieldPath path;
      if (field == nullptr || field->type.is_nested() || schema.IsRepeated(field->id)) continue;
      if (!FindPath(schema, field->id, schema.fields(), &path)) continue;
      const bool nested = schema.PathTo(field->id).size() > 1;
      facts->push_back({.type = field->type, .name = schema.NameOf(field->id), .nested = nested});
      tallies.emplace_back(metrics, facts->back(), std::move(path));
    }
    return tallies;
  }

  void ReadRows(const std::shared_ptr<const PartitionSpec>& spec, const DataFile& file,
                FileReport* report) {
    FileScanTask task;
    task.data_file = std::make_shared<const DataFile>(file);
    task.spec = spec;
    std::deque<FieldFacts> facts;
    std::vector<ColumnTally> tallies = TalliesOf(file, &facts);
    DataFileStream stream(io_, context_, file.file_path,
                          OpenTask(io_, context_, request_, task, {}));
    int64_t rows = 0;
    while (const std::shared_ptr<arrow::RecordBatch> batch = stream.Next()) {
      for (ColumnTally& tally : tallies) tally.Add(batch->columns(), batch->num_rows(), rows);
      rows += batch->num_rows();
    }
    counters_->rows += rows;
    if (file.record_count >= 0 && rows != file.record_count) {
      report->Add(
          Check::kRecordCount, "record_count", Compared(file.record_count, rows),
          fmt::format("the table records {} rows, the file has {}", file.record_count, rows));
    }
    for (const ColumnTally& tally : tallies) tally.Report(report);
  }

  FileIO& io_;
  const Context& context_;
  const VerifyOptions& options_;
  const FindingSink& sink_;
  VerifyCounters* counters_;
  std::shared_ptr<const SnapshotSource> scanned_;
  ReadRequest request_;
  SourceFiles files_;
  FileLookup lookup_;
};

}  // namespace

void Verify(const OpenedTable& opened, const Context& context, const VerifyOptions& options,
            const FindingSink& sink, VerifyCounters* counters) {
  if (const auto* iceberg = std::get_if<IcebergTable>(&opened.table)) {
    return Verify(iceberg->table, context, iceberg->snapshot.snapshot, options, sink, counters);
  }
  if (options.all_snapshots) ThrowNoMeaning(opened.format(), "verify --all");
  SourceVerifier(opened, context, options, sink, counters).Run();
}

}  // namespace nunatak
