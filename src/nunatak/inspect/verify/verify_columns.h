#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nunatak/inspect/table_facts.h"
#include "nunatak/inspect/verify/verify_report.h"
#include "nunatak/read/field_path.h"
#include "nunatak/table/data_file.h"

namespace nunatak {

/// Holds the values of one column of a file against its metrics: counts, and bounds.
class ColumnTally {
 public:
  /// All outlive the tally; `path` is where the column lies in the batches.
  ColumnTally(const ColumnMetrics& metrics, const FieldFacts& field, FieldPath path);

  /// The rows of a batch, which begin at row `first_row` of the file.
  void Add(std::span<const std::shared_ptr<arrow::Array>> columns, int64_t rows, int64_t first_row);
  /// Reports what does not fit, once every row was added.
  void Report(FileReport* report) const;

 private:
  /// The first value outside of a bound.
  struct Violation {
    int64_t row = 0;
    std::string value;
    Check check = Check::kColumnBounds;
  };

  void CheckBound(bool is_lower, const ValueView& value, int64_t row);
  void CountNullParents(std::span<const std::shared_ptr<arrow::Array>> columns, int64_t rows);
  void ReportCount(std::string_view name, const std::optional<int64_t>& recorded, int64_t found,
                   int64_t uncounted, FileReport* report) const;
  void ReportBound(std::string_view name, const ValueView& bound,
                   const std::optional<Violation>& violation, FileReport* report) const;

  const ColumnMetrics& metrics_;
  const FieldFacts& field_;
  FieldPath path_;
  ValueView lower_;
  ValueView upper_;
  std::optional<Violation> below_;
  std::optional<Violation> above_;
  int64_t values_ = 0;
  int64_t nulls_ = 0;
  int64_t nans_ = 0;
  /// Rows whose struct is null. The column has no value there: writers count a null, or nothing.
  int64_t null_parents_ = 0;
};

}  // namespace nunatak
