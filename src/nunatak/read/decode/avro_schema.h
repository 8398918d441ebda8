#pragma once

#include <vector>

#include "nunatak/avro/schema.h"
#include "nunatak/base/export.h"
#include "nunatak/read/decode/file_field.h"

namespace nunatak {

/// The fields of an Avro file; `root` is its schema. An optional value is a field of the other
/// branch's type. A union of several types other than null is a leaf of an Arrow union type, which
/// nothing can be read as. Throws `ErrorCode::kInvalid` when `root` is not a record, and
/// `kUnsupported` for a recursive type and for a schema that grows beyond all bounds when its named
/// types are written out.
NUNATAK_EXPORT std::vector<FileField> FileFieldsOf(const avro::Node& root);

/// The type of the values of `node`: itself, or a union's branch other than null; the null type
/// when there is no other; null for a union of several.
const avro::Node* ValueTypeOf(const avro::Node& node);

/// Whether an array stands for a map (specification, Appendix A): its items are pairs of key and
/// value.
bool IsMap(const avro::Node& array);

}  // namespace nunatak
