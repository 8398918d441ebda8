#include "nunatak/inspect/tables/statistics_tables.h"

#include <utility>

#include "nunatak/inspect/tables/history_scope.h"
#include "nunatak/inspect/tables/row_values.h"

namespace nunatak {

namespace {

Type BlobType() {
  return Type::Struct(
      {RequiredField(8, "type", TypeId::kString), RequiredField(9, "snapshot_id", TypeId::kLong),
       RequiredField(10, "sequence_number", TypeId::kLong),
       RequiredField(11, "fields", Type::List(RequiredField(12, "element", TypeId::kInt))),
       RequiredField(13, "properties", StringMapType(14, 15))});
}

Value BlobValue(const iceberg::StatisticsBlob& blob) {
  Value::List fields;
  for (const int32_t id : blob.fields) fields.push_back(Value::Integer(id));
  return Value::Nested({Value::Bytes(blob.type), Value::Integer(blob.snapshot_id),
                        Value::Integer(blob.sequence_number), Value::Nested(std::move(fields)),
                        MapValue(blob.properties)});
}

}  // namespace

MetadataTable StatisticsFilesTable(const iceberg::Table& table, const MetadataScope& scope) {
  Schema schema(
      0, {RequiredField(1, "snapshot_id", TypeId::kLong),
          RequiredField(2, "statistics_path", TypeId::kString),
          RequiredField(3, "file_size_in_bytes", TypeId::kLong),
          RequiredField(4, "file_footer_size_in_bytes", TypeId::kLong),
          OptionalField(5, "key_metadata", TypeId::kString),
          RequiredField(6, "blob_metadata", Type::List(RequiredField(7, "element", BlobType())))});
  return {.schema = std::move(schema),
          .produce = [metadata = table.metadata, history = HistoryScope(*table.metadata, scope)](
                         size_t, RowBuilder& rows) {
            for (const iceberg::StatisticsFile& file : metadata->statistics) {
              if (!history.has(file.snapshot_id)) continue;
              Value::List blobs;
              for (const iceberg::StatisticsBlob& blob : file.blob_metadata) {
                blobs.push_back(BlobValue(blob));
              }
              rows.Add({Value::Integer(file.snapshot_id), Value::Bytes(file.statistics_path),
                        Value::Integer(file.file_size_in_bytes),
                        Value::Integer(file.file_footer_size_in_bytes),
                        BytesOrNull(file.key_metadata), Value::Nested(std::move(blobs))});
            }
          }};
}

MetadataTable PartitionStatisticsFilesTable(const iceberg::Table& table,
                                            const MetadataScope& scope) {
  Schema schema(0, {RequiredField(1, "snapshot_id", TypeId::kLong),
                    RequiredField(2, "statistics_path", TypeId::kString),
                    RequiredField(3, "file_size_in_bytes", TypeId::kLong)});
  return {.schema = std::move(schema),
          .produce = [metadata = table.metadata, history = HistoryScope(*table.metadata, scope)](
                         size_t, RowBuilder& rows) {
            for (const iceberg::PartitionStatisticsFile& file : metadata->partition_statistics) {
              if (!history.has(file.snapshot_id)) continue;
              rows.Add({Value::Integer(file.snapshot_id), Value::Bytes(file.statistics_path),
                        Value::Integer(file.file_size_in_bytes)});
            }
          }};
}

}  // namespace nunatak
