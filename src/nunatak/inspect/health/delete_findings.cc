#include <fmt/format.h>

#include <algorithm>

#include "nunatak/inspect/counted.h"
#include "nunatak/inspect/health/findings.h"

namespace nunatak {

namespace {

/// Of deleted rows to all rows. (Iceberg's compaction rewrites a file from 0.3 on.)
constexpr SeverityLevels kDeletedRows = {.info = 0.05, .warning = 0.1, .serious = 0.3};
/// Of delete files that a data file is read with, on average.
constexpr SeverityLevels kFilesPerDataFile = {.info = 1, .warning = 5, .serious = 20};
constexpr SeverityLevels kEqualityFiles = {.info = 1, .warning = 100, .serious = 1000};
constexpr SeverityLevels kDangling = {.info = 1, .warning = 100};

double Ratio(int64_t a, int64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

void FindDebt(const TableFigures& figures, HealthFindings* findings) {
  const DeleteFigures& deletes = figures.deletes;
  const double rows = Ratio(deletes.deleted_rows, figures.data.records);
  const double files = Ratio(deletes.references, figures.data.files);
  // No severity is less than any.
  const auto severity = std::max(kDeletedRows.Of(rows), kFilesPerDataFile.Of(files));
  if (!severity) return;
  findings->push_back(
      {.check = HealthCheck::kDeleteDebt,
       .severity = *severity,
       .title =
           fmt::format("{:.1f} % of the rows are deleted by position; a data file is read with "
                       "{:.1f} delete files on average, {} at most",
                       rows * 100, files, deletes.max_per_data_file),
       .figures = {{"position_delete_files", deletes.position_files},
                   {"position_delete_rows", deletes.position_records},
                   {"deletion_vectors", deletes.vectors},
                   {"deletion_vector_rows", deletes.vector_records},
                   {"deleted_rows", deletes.deleted_rows},
                   {"data_rows", figures.data.records},
                   {"deleted_part", rows},
                   {"delete_files_per_data_file", files},
                   {"most_delete_files_of_a_data_file", deletes.max_per_data_file}}});
}

}  // namespace

void FindInDeletes(const TableFigures& figures, HealthFindings* findings) {
  const DeleteFigures& deletes = figures.deletes;
  FindDebt(figures, findings);
  if (const auto severity = kEqualityFiles.Of(static_cast<double>(deletes.equality_files))) {
    findings->push_back(
        {.check = HealthCheck::kEqualityDeletes,
         .severity = *severity,
         .title = fmt::format("{} with {}", Counted(deletes.equality_files, "equality delete file"),
                              Counted(deletes.equality_records, "deleted key")),
         .figures = {{"equality_delete_files", deletes.equality_files},
                     {"equality_delete_rows", deletes.equality_records}}});
  }
  if (const auto severity = kDangling.Of(static_cast<double>(deletes.dangling_files))) {
    findings->push_back(
        {.check = HealthCheck::kDanglingDeletes,
         .severity = *severity,
         .title = fmt::format("of {}, {} to no data file", Counted(deletes.files(), "delete file"),
                              deletes.dangling_files == 1
                                  ? "1 applies"
                                  : fmt::format("{} apply", deletes.dangling_files)),
         .figures = {{"delete_files", deletes.files()},
                     {"dangling_files", deletes.dangling_files},
                     {"dangling_rows", deletes.dangling_records}}});
  }
}

}  // namespace nunatak
