#pragma once

#include <arrow/type_fwd.h>

#include <memory>
#include <vector>

#include "nunatak/read/decode/file_field.h"

namespace nunatak {

/// The fields of an ORC file from Arrow's view of its schema, with the ids and the logical types
/// that Iceberg's attributes give (specification, Appendix A, "ORC").
std::vector<FileField> OrcFieldsOf(const arrow::FieldVector& fields);

/// Throws `ErrorCode::kUnsupported`, by name, for a field whose decoding takes more than Arrow's
/// reader does in safety: one that has CHAR or union values at any depth.
void RefuseUnsafe(const FileField& field);

/// Makes of what Arrow decodes for a whole top-level field what was selected of it, in the types of
/// the fields.
std::shared_ptr<arrow::ArrayData> SelectedOf(const FileField& field,
                                             const std::shared_ptr<arrow::ArrayData>& data);

}  // namespace nunatak
