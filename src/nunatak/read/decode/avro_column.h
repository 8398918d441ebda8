#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "nunatak/avro/decode_program.h"
#include "nunatak/avro/schema.h"
#include "nunatak/avro/skip_compiler.h"
#include "nunatak/read/decode/avro_input.h"
#include "nunatak/read/decode/file_field.h"

namespace nunatak {

/// Gathers the values of one field of an Avro file as an Arrow array.
class AvroColumn {
 public:
  virtual ~AvroColumn() = default;

  /// Appends the value that is next in `in`.
  virtual void Read(AvroInput& in) = 0;
  virtual void AppendNull() = 0;
  /// The values since the last call.
  virtual std::shared_ptr<arrow::ArrayData> Finish() = 0;
};

/// What the columns of one file share.
struct AvroBuild {
  /// These skip what nobody selected.
  avro::Programs programs;
  avro::SkipCompiler compiler{programs};
  /// What the nulls of the current batch take, which need no bytes in the file. More than
  /// `kMaxNullBytes` are an error, so that batches should be ended long before.
  int64_t null_bytes = 0;

  static constexpr int64_t kMaxNullBytes = int64_t{1} << 30;
};

/// What reads `field`, whose selection is finished, from values of `node`; `build` and the schema
/// must outlive it. Of a nested field the selected children alone are built; a map of which only
/// the key or the value is selected becomes a list of structs.
std::unique_ptr<AvroColumn> MakeAvroColumn(const avro::Node& node, const FileField& field,
                                           AvroBuild& build);

/// What reads whole records; `fields` are those of `record`, of which the selected ones are the
/// children of the struct array that comes out.
std::unique_ptr<AvroColumn> MakeAvroRecord(const avro::Node& record,
                                           const std::vector<FileField>& fields, AvroBuild& build);

/// What reads leaf values of `node`, which is no union, as `type`.
std::unique_ptr<AvroColumn> MakeAvroLeaf(const avro::Node& node,
                                         const std::shared_ptr<arrow::DataType>& type,
                                         AvroBuild& build);

}  // namespace nunatak
