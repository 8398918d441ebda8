#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "nunatak/plan/file_scan_task.h"
#include "nunatak/read/decode/file_field.h"
#include "nunatak/read/project/column_plan.h"
#include "nunatak/read/read_request.h"

namespace nunatak {

/// The values that a file's partition tuple gives to the source columns of its identity fields, by
/// field id; null is a value too.
std::map<int32_t, Value> IdentityConstants(const FileScanTask& task);

/// Resolves the fields of a projection against the columns of one file, in the specification's
/// order
/// ("Column Projection"): the file's column of that id; else the identity partition value; else the
/// column that has the id by name mapping or position; else the initial default; else null. Nested
/// fields likewise, inside what the file has. Metadata columns come from the task, those of row
/// lineage from the file where it has them. Marks the leaves that are to be decoded; after all
/// projections of the file, `FinishPlans` must follow.
class ColumnResolver {
 public:
  /// Assigns ids to the columns of a file without any. The referenced objects must outlive this.
  ColumnResolver(const ReadRequest& request, const FileScanTask& task,
                 std::vector<FileField>& file_fields);

  /// Throws `ErrorCode::kInvalid` for a required field that has no value, and for a column that
  /// cannot be read as the field's type; the message names the field, and callers add the file.
  std::vector<ColumnPlan> Resolve(std::span<const Field> fields);

 private:
  ColumnPlan ResolveField(const Field& field, std::vector<FileField>& siblings, int depth);
  ColumnPlan ResolveMetadata(const Field& field);
  ColumnPlan FromFile(const Field& field, FileField& file_field, int depth);
  ColumnPlan MissingField(const Field& field, int depth) const;
  std::vector<ColumnPlan> ResolveStruct(const Field& field, FileField& file_field, int depth);
  std::vector<ColumnPlan> ResolveParts(const Field& field, FileField& file_field, int depth);

  const FileScanTask& task_;
  std::vector<FileField>& file_fields_;
  std::map<int32_t, Value> constants_;
  bool by_position_ = false;
};

/// Fills in where the decoded columns are, once the file's selection is finished.
void FinishPlans(const std::vector<FileField>& file_fields, std::span<ColumnPlan> plans);

}  // namespace nunatak
