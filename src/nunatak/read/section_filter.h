#pragma once

#include <arrow/type_fwd.h>

#include <memory>
#include <span>
#include <vector>

#include "nunatak/expr/bound_filter.h"
#include "nunatak/read/decode/file_field.h"
#include "nunatak/read/decode/section_stats.h"
#include "nunatak/read/project/column_plan.h"
#include "nunatak/read/row_filter.h"
#include "nunatak/table/type.h"

namespace nunatak {

/// Whether the statistics of a column of the file's type bound what it is once read as `type`.
bool BoundsHold(const arrow::DataType& from, const Type& type);

/// Whether a section of a file may hold a row that passes `filter`, by the one evaluator.
/// `paths[i]` is where `filter->columns[i]` lies in `plans`, which were resolved against
/// `file_fields`. What the file does not have, or has in a form that must be cast to be compared,
/// is unknown.
SectionFilter MakeSectionFilter(std::shared_ptr<const BoundFilter> filter,
                                std::span<const FieldPath> paths, std::span<const ColumnPlan> plans,
                                const std::vector<FileField>& file_fields);

}  // namespace nunatak
