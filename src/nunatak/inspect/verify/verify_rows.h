#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nunatak/inspect/verify/verify_report.h"
#include "nunatak/read/field_path.h"
#include "nunatak/table/data_file.h"
#include "nunatak/table/partition_spec.h"
#include "nunatak/table/sort_order.h"

namespace nunatak {

/// What a transform makes of one column, row by row.
struct TransformedColumn {
  Transform transform;
  Type source;
  FieldPath path;

  /// The column of `source_ids` in batches of `schema`; nothing when it is not there, or cannot be
  /// transformed.
  static std::optional<TransformedColumn> Find(const Schema& schema, const Transform& transform,
                                               const std::vector<int32_t>& source_ids);
};

/// Checks that the rows of a file are in a sort order.
class SortChecker {
 public:
  /// `order` outlives the checker. Fields after one that cannot be looked at are not looked at.
  SortChecker(const SortOrder& order, const Schema& schema);

  void Add(std::span<const std::shared_ptr<arrow::Array>> columns, int64_t rows, int64_t first_row);
  void Report(FileReport* report) const;

 private:
  bool IsInOrder(const std::vector<Value>& before, const std::vector<Value>& after) const;

  const SortOrder& order_;
  std::vector<TransformedColumn> columns_;
  std::vector<Value> last_;
  std::optional<int64_t> first_unsorted_;
};

/// Checks that the rows of a file belong to its partition.
class PartitionChecker {
 public:
  /// Both outlive the checker.
  PartitionChecker(const PartitionSpec& spec, const DataFile& file, const Schema& schema);

  void Add(std::span<const std::shared_ptr<arrow::Array>> columns, int64_t rows, int64_t first_row);
  void Report(FileReport* report) const;

 private:
  struct FieldCheck {
    const PartitionField& field;
    TransformedColumn column;
    const Value& expected;
    Type result;
    std::optional<int64_t> row = std::nullopt;
    std::string found = "";
  };

  std::vector<FieldCheck> fields_;
};

}  // namespace nunatak
