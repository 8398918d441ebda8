#include "nunatak/read/position_delete_file.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/deletion_vector.h"
#include "nunatak/read/fetch_ranges.h"
#include "nunatak/read/open_data_file.h"
#include "nunatak/table/delete_columns.h"

namespace nunatak {

namespace {

Field MakeField(int32_t id, std::string name, bool required, Type type) {
  return {.id = id, .name = std::move(name), .required = required, .type = std::move(type)};
}

}  // namespace

ReadRequest PositionDeleteRequest(const ScanOptions& options, const std::optional<Type>& row) {
  std::vector<Field> fields = {MakeField(kDeletePathColumnId, "file_path", true, TypeId::kString),
                               MakeField(kDeletePositionColumnId, "pos", true, TypeId::kLong)};
  if (row) fields.push_back(MakeField(kDeletedRowColumnId, "row", false, *row));
  NameMapping mapping;
  for (const Field& field : fields) {
    mapping.fields.push_back({.field_id = field.id, .names = {field.name}, .fields = {}});
  }
  const Schema schema(0, std::move(fields));
  return ReadRequest{
      .schema = schema, .projection = schema, .name_mapping = mapping, .options = options};
}

DataFileStream OpenPositionDeletes(FileIO& io, const Context& context, const ReadRequest& request,
                                   const DataFile& file) {
  FileScanTask task;
  task.data_file = std::make_shared<DataFile>(file);
  return {io, context, file.file_path, OpenTask(io, context, request, task, {})};
}

iceberg::PositionSet ReadDeletionVector(FileIO& io, const Context& context, const DataFile& file) {
  const FetchRequest request = iceberg::DeletionVectorRequest(file);
  const Buffer blob = FetchRange(io, context, request.location, request.range);
  const std::string where =
      fmt::format("{}, deletion vector at byte offset {}", file.file_path, request.range.offset);
  return WithContext(where, [&] {
    iceberg::PositionSet positions = iceberg::ParseDeletionVector(blob.bytes);
    if (positions.cardinality() != file.record_count) {
      ThrowInvalid(fmt::format("{} positions, where the manifest says {}", positions.cardinality(),
                               file.record_count));
    }
    return positions;
  });
}

}  // namespace nunatak
