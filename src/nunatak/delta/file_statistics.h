#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/export.h"
#include "nunatak/delta/table_schema.h"
#include "nunatak/plan/file_batch.h"
#include "nunatak/table/type.h"

namespace nunatak::delta {

/// A column whose statistics are wanted.
struct StatisticsColumn {
  int32_t field_id = 0;
  Type type;
  /// Physical names from the top-level column down.
  std::vector<std::string> path;
};

/// The columns of the fields that have statistics: leaves that lie in no list or map. Others are
/// left out.
std::vector<StatisticsColumn> StatisticsColumnsOf(const TableSchema& table,
                                                  std::span<const int32_t> field_ids);
/// The ids of all fields that may have statistics, ascending.
std::vector<int32_t> FieldsWithStatistics(const TableSchema& table);

/// The statistics of files, one file after another, as the planner takes them (specification,
/// "Per-file Statistics"). What bounds mean is settled here:
///  - timestamps were cut to milliseconds, and strings may have been cut to a prefix, so that upper
///    bounds are raised by what may have been cut off;
///  - NaN is above all numbers, as the reference engine has it: where it is the maximum, nothing is
///    known of the other values, and where a number is, there is none;
///  - where bounds are not tight, a null count says something only if it is 0 or of all rows.
class NUNATAK_EXPORT FileStatistics {
 public:
  explicit FileStatistics(std::vector<StatisticsColumn> columns);

  const std::vector<StatisticsColumn>& columns() const { return columns_; }

  /// Makes room for so many files.
  void Reserve(size_t files);
  /// Begins the next file, of which nothing is known. `has_deletes`: a deletion vector hides rows
  /// that the statistics may still count.
  void BeginFile(bool has_deletes);
  void SetRecordCount(int64_t count) { record_count_ = count; }
  void SetTightBounds(bool tight) { tight_ = tight_ && tight; }
  void SetLower(size_t column, const ValueView& value);
  void SetUpper(size_t column, const ValueView& value);
  void SetNullCount(size_t column, int64_t count) { rows_[column].null_count = count; }
  /// Forgets what the file was said to have: its statistics turned out to be damaged.
  void ForgetFile();
  void EndFile();

  /// Appends files of the same columns, which are not finished.
  void Append(FileStatistics more);
  /// Those of the files at `positions`; before `Finish`.
  FileStatistics At(std::span<const uint32_t> positions) const;
  /// Makes `metrics()` whole for the files so far.
  void Index();
  /// The same, after the last file.
  void Finish();
  size_t size() const { return record_counts_.size(); }
  /// −1: not recorded.
  const std::vector<int64_t>& record_counts() const { return record_counts_; }
  /// One per column, in their order; after `Index`.
  const std::vector<MetricColumn>& metrics() const { return metrics_; }
  /// Those of fields, after `Index`; `unknown`, which is filled then, for a field that has none.
  std::vector<const MetricColumn*> MetricsOf(std::span<const int32_t> field_ids,
                                             MetricColumn* unknown) const;
  int64_t memory_bytes() const;

 private:
  /// Of the file at hand.
  struct Row {
    std::string lower;
    std::string upper;
    bool has_lower = false;
    bool has_upper = false;
    int64_t null_count = -1;
    int64_t nan_count = -1;
  };
  /// Where a bound lies in its column's bytes.
  struct Place {
    int64_t offset = -1;
    int64_t length = 0;
  };
  struct Places {
    std::vector<Place> lower;
    std::vector<Place> upper;
  };

  int64_t KnownNullCount(const Row& row) const;

  std::vector<StatisticsColumn> columns_;
  std::vector<Row> rows_;
  int64_t record_count_ = -1;
  bool tight_ = true;
  std::vector<int64_t> record_counts_;
  std::vector<MetricColumn> metrics_;
  std::vector<Places> places_;
};

/// Reads files' statistics from JSON text, as `add` actions hold it.
class NUNATAK_EXPORT StatisticsReader {
 public:
  explicit StatisticsReader(const std::vector<StatisticsColumn>& columns);
  ~StatisticsReader();
  StatisticsReader(const StatisticsReader&) = delete;
  StatisticsReader& operator=(const StatisticsReader&) = delete;

  /// Adds what the text says of the file that `statistics` has begun. Damaged text loses what it
  /// says; the file stays. `readable`: so many bytes behind the text may be read too, which spares
  /// copying it.
  void Read(std::string_view json, FileStatistics* statistics, size_t readable = 0);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nunatak::delta
