#include "delta/checkpoint_fixture.h"

#include <arrow/array.h>
#include <arrow/io/file.h>
#include <arrow/json/from_string.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <parquet/arrow/writer.h>

#include "nunatak/read/decode/arrow_error.h"

namespace nunatak::delta {

namespace {

std::shared_ptr<arrow::DataType> StringMap() { return arrow::map(arrow::utf8(), arrow::utf8()); }

std::shared_ptr<arrow::DataType> AddType(const std::shared_ptr<arrow::DataType>& type) {
  const auto bounds = arrow::struct_({arrow::field("c", type)});
  const auto stats = arrow::struct_(
      {arrow::field("numRecords", arrow::int64()), arrow::field("tightBounds", arrow::boolean()),
       arrow::field("minValues", bounds), arrow::field("maxValues", bounds),
       arrow::field("nullCount", arrow::struct_({arrow::field("c", arrow::int64())}))});
  const auto vector = arrow::struct_(
      {arrow::field("storageType", arrow::utf8()), arrow::field("pathOrInlineDv", arrow::utf8()),
       arrow::field("offset", arrow::int32()), arrow::field("sizeInBytes", arrow::int32()),
       arrow::field("cardinality", arrow::int64())});
  return arrow::struct_(
      {arrow::field("path", arrow::utf8()), arrow::field("partitionValues", StringMap()),
       arrow::field("size", arrow::int64()), arrow::field("modificationTime", arrow::int64()),
       arrow::field("dataChange", arrow::boolean()), arrow::field("stats", arrow::utf8()),
       arrow::field("deletionVector", vector), arrow::field("baseRowId", arrow::int64()),
       arrow::field("stats_parsed", stats)});
}

}  // namespace

std::shared_ptr<arrow::Schema> CheckpointSchema(const std::shared_ptr<arrow::DataType>& type) {
  const auto strings = arrow::list(arrow::utf8());
  return arrow::schema(
      {arrow::field("protocol", arrow::struct_({arrow::field("minReaderVersion", arrow::int32()),
                                                arrow::field("minWriterVersion", arrow::int32()),
                                                arrow::field("readerFeatures", strings),
                                                arrow::field("writerFeatures", strings)})),
       arrow::field("metaData", arrow::struct_({arrow::field("id", arrow::utf8()),
                                                arrow::field("schemaString", arrow::utf8()),
                                                arrow::field("partitionColumns", strings),
                                                arrow::field("configuration", StringMap())})),
       arrow::field("txn", arrow::struct_({arrow::field("appId", arrow::utf8()),
                                           arrow::field("version", arrow::int64())})),
       arrow::field("domainMetadata", arrow::struct_({arrow::field("domain", arrow::utf8()),
                                                      arrow::field("configuration", arrow::utf8()),
                                                      arrow::field("removed", arrow::boolean())})),
       arrow::field("add", AddType(type)),
       arrow::field("remove", arrow::struct_({arrow::field("path", arrow::utf8())})),
       arrow::field("sidecar", arrow::struct_({arrow::field("path", arrow::utf8()),
                                               arrow::field("sizeInBytes", arrow::int64())}))});
}

void WriteCheckpoint(const std::filesystem::path& path,
                     const std::shared_ptr<arrow::Schema>& schema, const std::string& rows) {
  std::filesystem::create_directories(path.parent_path());
  const auto array =
      ValueOrThrow(arrow::json::ArrayFromJSONString(arrow::struct_(schema->fields()), rows));
  const auto batch = ValueOrThrow(arrow::RecordBatch::FromStructArray(array));
  const auto table = ValueOrThrow(arrow::Table::FromRecordBatches({batch}));
  const auto out = ValueOrThrow(arrow::io::FileOutputStream::Open(path.string()));
  CheckOk(parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), out));
  CheckOk(out->Close());
}

}  // namespace nunatak::delta
