#include "nunatak/iceberg/manifest.h"

#include <gtest/gtest.h>

#include <numeric>

#include "iceberg/errors.h"
#include "iceberg/manifest_builder.h"
#include "iceberg/memory_image.h"
#include "nunatak/iceberg/manifest_cache.h"
#include "nunatak/iceberg/manifest_columns.h"
#include "nunatak/iceberg/manifest_image_writer.h"

namespace nunatak::iceberg {
namespace {

const HeaderEntries kVersion2 = {{"format-version", "2"}, {"content", "data"}};

/// What a manifest list of a v2 table says of the manifest.
ManifestFile ListEntry() {
  ManifestFile file;
  file.manifest_path = "m.avro";
  file.sequence_number = 7;
  file.added_snapshot_id = 900;
  return file;
}

PartitionSpec SpecOf(std::vector<std::pair<std::string, Transform>> fields) {
  PartitionSpec spec;
  int32_t id = 1000;
  for (auto& [name, transform] : fields) {
    spec.fields.push_back(
        {.source_ids = {1}, .field_id = id++, .name = name, .transform = transform});
  }
  return spec;
}

Type PartitionTypeOf(const PartitionSpec& spec, const Type& source) {
  return spec.PartitionType(
      Schema(0, {Field{.id = 1, .name = "c", .required = false, .type = source}}));
}

/// Whatever a manifest holds, its image on disk holds too, unless its files cannot even be made.
void ExpectSameImage(const std::shared_ptr<const ManifestColumns>& manifest,
                     const FileRequest& request, ManifestContent content,
                     const Type& partition_type) {
  std::string image;
  try {
    image = WriteManifestImage("", *manifest);
  } catch (const Error&) {
    return;
  }
  const ExpectedManifest expected{.key = "",
                                  .content = content,
                                  .spec_id = manifest->spec().spec_id,
                                  .partition_type = partition_type};
  const auto read =
      std::make_shared<const DiskManifest>(MemoryImage::Opener(image), expected, request);
  ExpectSameBatch(*read->Batch(read, request), *manifest->Batch(manifest, request));
}

std::shared_ptr<const FileBatch> ReadBatch(const std::string& bytes,
                                           const FileRequest& request = {},
                                           const ManifestFile& file = ListEntry(),
                                           const PartitionSpec& spec = {},
                                           const Type& partition_type = Type::Struct({})) {
  ManifestCache cache;
  const auto manifest = ReadManifestColumns(Context(), Buffer{AsBytes(bytes), nullptr}, file, spec,
                                            partition_type, "", cache);
  ExpectSameImage(manifest, request, file.content, partition_type);
  return manifest->Batch(manifest, request);
}

/// Reads the one entry of a manifest, both ways, which must agree.
ManifestEntry ReadOne(const std::string& bytes, const PartitionSpec& spec = {},
                      const Type& partition_type = Type::Struct({}),
                      const ManifestFile& file = ListEntry()) {
  const Manifest manifest = ReadManifest(AsBytes(bytes), file, spec, partition_type);
  EXPECT_EQ(manifest.entries.size(), 1u);
  if (manifest.entries.at(0).is_live()) {
    const auto batch = ReadBatch(bytes, {}, file, spec, partition_type);
    EXPECT_EQ(batch->size(), 1u);
    std::vector<DataFile> files;
    batch->AppendFiles(std::vector<uint32_t>{0}, /*column_metrics=*/true, &files);
    EXPECT_EQ(files.at(0), manifest.entries[0].data_file);
    EXPECT_EQ(batch->file_paths[0], manifest.entries[0].data_file.file_path);
    EXPECT_EQ(batch->data_sequence_numbers[0], manifest.entries[0].sequence_number);
    EXPECT_EQ(batch->FileSequenceNumber(0), manifest.entries[0].file_sequence_number);
    EXPECT_EQ(batch->SnapshotId(0), manifest.entries[0].snapshot_id);
  }
  return manifest.entries.at(0);
}

TEST(Manifest, ReadsEveryFieldOfADataFile) {
  AvroFields file = {
      Int("content", 134, 0),
      Text("file_path", 100, "s3://b/x%2Fy z.parquet"),
      Text("file_format", 101, "parquet"),
      Record("partition", 102, {}),
      Long("record_count", 103, 10),
      Long("file_size_in_bytes", 104, 1000),
      Map("column_sizes", 108, 117, 118, "long", AvroBytes().LongMap({{1, 11}, {2, 22}}).bytes()),
      Map("value_counts", 109, 119, 120, "long", AvroBytes().LongMap({{1, 10}}).bytes()),
      Map("null_value_counts", 110, 121, 122, "long", AvroBytes().LongMap({{1, 0}}).bytes()),
      Map("nan_value_counts", 137, 138, 139, "long", AvroBytes().LongMap({{3, 4}}).bytes()),
      Map("lower_bounds", 125, 126, 127, "bytes", AvroBytes().TextMap({{2, ""}}).bytes()),
      Map("upper_bounds", 128, 129, 130, "bytes", AvroBytes().TextMap({{2, "b"}}).bytes()),
      {"split_offsets", 132, R"({"type":"array","items":"long","element-id":133})",
       AvroBytes().Items({AvroBytes().Long(4).bytes(), AvroBytes().Long(500).bytes()}).bytes()},
      {"sort_order_id", 140, R"(["null","int"])", AvroBytes().NotNull().Int(3).bytes()},
      {"first_row_id", 142, R"(["null","long"])", AvroBytes().NotNull().Long(77).bytes()},
      {"unheard_of", 9999, R"({"type":"array","items":"string"})",
       AvroBytes().Items({AvroBytes().Text("skipped").bytes()}).bytes()},
  };
  ManifestFile list_entry = ListEntry();
  list_entry.first_row_id = 5;
  const ManifestEntry entry =
      ReadOne(ManifestBytes(EntryFieldsOf(file), kVersion2), {}, Type::Struct({}), list_entry);
  EXPECT_EQ(entry.status, EntryStatus::kAdded);
  EXPECT_EQ(entry.snapshot_id, 900);
  EXPECT_EQ(entry.sequence_number, 7);
  EXPECT_EQ(entry.file_sequence_number, 7);
  const DataFile& data = entry.data_file;
  EXPECT_EQ(data.file_path, "s3://b/x%2Fy z.parquet");
  EXPECT_EQ(data.file_format, FileFormat::kParquet);
  EXPECT_EQ(data.record_count, 10);
  EXPECT_EQ(data.file_size_in_bytes, 1000);
  EXPECT_EQ(data.split_offsets, (std::vector<int64_t>{4, 500}));
  EXPECT_EQ(data.sort_order_id, 3);
  EXPECT_EQ(data.first_row_id, 77);
  ASSERT_EQ(data.metrics.size(), 3u);
  EXPECT_EQ(data.FindMetrics(1)->column_size, 11);
  EXPECT_EQ(data.FindMetrics(1)->value_count, 10);
  EXPECT_EQ(data.FindMetrics(1)->null_value_count, 0);
  EXPECT_EQ(data.FindMetrics(1)->lower_bound, std::nullopt);
  EXPECT_EQ(data.FindMetrics(2)->lower_bound, "");  // zero bytes are a bound (case 56)
  EXPECT_EQ(data.FindMetrics(2)->upper_bound, "b");
  EXPECT_EQ(data.FindMetrics(2)->value_count, std::nullopt);
  EXPECT_EQ(data.FindMetrics(3)->nan_value_count, 4);
  EXPECT_EQ(data.metric_maps, 0b111111);
}

TEST(Manifest, SchemaWithoutFieldIdsIsResolvedByName) {
  AvroFields file = DataFileFields({Int("p", 1000, 4)});
  file.push_back(
      Map("value_counts", 109, 119, 120, "long", AvroBytes().LongMap({{1, 10}}).bytes()));
  const PartitionSpec spec = SpecOf({{"p", TransformId::kIdentity}});
  const ManifestEntry entry = ReadOne(ManifestBytes(EntryFieldsOf(file), kVersion2, false), spec,
                                      PartitionTypeOf(spec, TypeId::kInt));
  EXPECT_EQ(entry.data_file.file_path, "data/a.parquet");
  EXPECT_EQ(entry.data_file.partition.at(0), Value::Integer(4));
  EXPECT_EQ(entry.data_file.FindMetrics(1)->value_count, 10);
}

TEST(Manifest, EntryOfTwoFieldsInheritsTheRest) {
  const AvroFields entry = {Int("status", 0, 1), Record("data_file", 2, DataFileFields())};
  const ManifestEntry read = ReadOne(ManifestBytes(entry, kVersion2));
  EXPECT_EQ(read.sequence_number, 7);
  EXPECT_EQ(read.file_sequence_number, 7);
  EXPECT_EQ(read.snapshot_id, 900);
}

TEST(Manifest, VersionIsTheManifestsOwnNotTheTables) {
  const AvroFields v1 = {Int("status", 0, 1), Long("snapshot_id", 1, 5),
                         Record("data_file", 2, DataFileFields())};
  EXPECT_EQ(ReadOne(ManifestBytes(v1, {{"format-version", "1"}})).sequence_number, 0);
  EXPECT_EQ(ReadOne(ManifestBytes(v1, {})).sequence_number, 0);  // absent: version 1
  EXPECT_EQ(ReadOne(ManifestBytes(v1, {{"format-version", "?"}})).sequence_number, 0);
  EXPECT_EQ(ReadOne(ManifestBytes(EntryFieldsOf(DataFileFields()), {})).sequence_number, 7);
  EXPECT_EQ(ReadOne(ManifestBytes(v1, {{"format-version", "1"}})).snapshot_id, 5);
}

TEST(Manifest, FutureVersionIsRefusedByName) {
  const std::string bytes =
      ManifestBytes(EntryFieldsOf(DataFileFields()), {{"format-version", "4"}});
  EXPECT_NE(ErrorOf(ErrorCode::kUnsupported, [&] { ReadOne(bytes); }).find("version 4"),
            std::string::npos);
}

struct PartitionCase {
  const char* what;
  Transform transform;
  Type source;
  std::string avro_type;
  std::string value;
  Value want;
};

TEST(Manifest, PartitionValuesAreDecodedByTheWritersSchema) {
  const std::string uuid = "0123456789abcdef";
  const PartitionCase cases[] = {
      {"day as int", TransformId::kDay, TypeId::kTimestampTz, R"("int")",
       AvroBytes().Int(-7).bytes(), Value::Integer(-7)},
      {"day as date", TransformId::kDay, TypeId::kTimestampTz,
       R"({"type":"int","logicalType":"date"})", AvroBytes().Int(-7).bytes(), Value::Integer(-7)},
      {"wrapped primitive", TransformId::kIdentity, TypeId::kInt, R"({"type":{"type":"int"}})",
       AvroBytes().Int(5).bytes(), Value::Integer(5)},
      {"unknown logical type", TransformId::kIdentity, TypeId::kInt,
       R"({"type":"int","logicalType":"foo"})", AvroBytes().Int(5).bytes(), Value::Integer(5)},
      {"decimal as fixed", TransformId::kIdentity, Type::Decimal(9, 2),
       R"({"type":"fixed","name":"f","size":4,"logicalType":"decimal","precision":9,"scale":2})",
       AvroBytes().Raw(std::string("\xff\xff\xff\x7f", 4)).bytes(), Value::Decimal(-129)},
      {"decimal as bytes", TransformId::kIdentity, Type::Decimal(9, 2),
       R"({"type":"bytes","logicalType":"decimal","precision":9,"scale":2})",
       AvroBytes().Text("\xff\x7f").bytes(), Value::Decimal(-129)},
      {"uuid as fixed", TransformId::kIdentity, TypeId::kUuid,
       R"({"type":"fixed","name":"f","size":16,"logicalType":"uuid"})", uuid, Value::Bytes(uuid)},
      {"uuid as bytes", TransformId::kIdentity, TypeId::kUuid, R"("bytes")",
       AvroBytes().Text(uuid).bytes(), Value::Bytes(uuid)},
      {"promoted int to long", TransformId::kIdentity, TypeId::kLong, R"("int")",
       AvroBytes().Int(5).bytes(), Value::Integer(5)},
      {"promoted date to timestamp", TransformId::kIdentity, TypeId::kTimestamp,
       R"({"type":"int","logicalType":"date"})", AvroBytes().Int(2).bytes(),
       Value::Integer(172'800'000'000)},
      {"promoted float to double", TransformId::kIdentity, TypeId::kDouble, R"("float")",
       AvroBytes().Float(1.5F).bytes(), Value::Real(1.5)},
      {"null", TransformId::kIdentity, TypeId::kString, R"(["null","string"])",
       AvroBytes().Null().bytes(), Value::Null()},
      {"null last in the union", TransformId::kIdentity, TypeId::kString, R"(["string","null"])",
       AvroBytes().Branch(0).Text("a/b").bytes(), Value::Bytes("a/b")},
      {"unknown transform", Transform::Parse("zorder"), TypeId::kInt, R"("string")",
       AvroBytes().Text("z").bytes(), Value::Bytes("z")},
  };
  for (const PartitionCase& c : cases) {
    const PartitionSpec spec = SpecOf({{"p", c.transform}});
    const AvroFields file = DataFileFields({{"p", 1000, c.avro_type, c.value}});
    const ManifestEntry entry = ReadOne(ManifestBytes(EntryFieldsOf(file), kVersion2), spec,
                                        PartitionTypeOf(spec, c.source));
    EXPECT_EQ(entry.data_file.partition.at(0), c.want) << c.what;
  }
}

TEST(Manifest, PartitionFieldsAreJoinedById) {
  // Names that Avro does not allow, another order than the spec's, and a field too many.
  const PartitionSpec spec =
      SpecOf({{"a key", TransformId::kIdentity}, {"9c", TransformId::kIdentity}});
  const AvroFields tuple = {
      {"_9c", 1001, R"("int")", AvroBytes().Int(9).bytes(), R"("iceberg-field-name":"9c")"},
      {"extra", 1002, R"("string")", AvroBytes().Text("x").bytes()},
      {"a_x20key", 1000, R"("int")", AvroBytes().Int(1).bytes()},
  };
  for (const bool with_ids : {true, false}) {
    const ManifestEntry entry =
        ReadOne(ManifestBytes(EntryFieldsOf(DataFileFields(tuple)), kVersion2, with_ids), spec,
                PartitionTypeOf(spec, TypeId::kInt));
    EXPECT_EQ(entry.data_file.partition,
              (std::vector<Value>{Value::Integer(1), Value::Integer(9)}));
  }
}

TEST(Manifest, TupleWithoutAFieldOfTheSpecIsAnError) {
  const PartitionSpec spec = SpecOf({{"p", TransformId::kIdentity}, {"q", TransformId::kIdentity}});
  const std::string bytes =
      ManifestBytes(EntryFieldsOf(DataFileFields({Int("p", 1000, 4)})), kVersion2);
  const std::string message = ErrorOf(
      ErrorCode::kInvalid, [&] { ReadOne(bytes, spec, PartitionTypeOf(spec, TypeId::kInt)); });
  EXPECT_NE(message.find("partition field 1001 'q'"), std::string::npos) << message;
}

TEST(Manifest, VoidFieldsMayBeMissing) {
  const PartitionSpec spec = SpecOf({{"p", TransformId::kIdentity}, {"q", TransformId::kVoid}});
  const ManifestEntry entry =
      ReadOne(ManifestBytes(EntryFieldsOf(DataFileFields({Int("p", 1000, 4)})), kVersion2), spec,
              PartitionTypeOf(spec, TypeId::kInt));
  EXPECT_EQ(entry.data_file.partition, (std::vector<Value>{Value::Integer(4), Value::Null()}));
}

TEST(Manifest, PartitionValueOfAnotherKindIsAnError) {
  const PartitionSpec spec = SpecOf({{"p", TransformId::kIdentity}});
  const std::string bytes =
      ManifestBytes(EntryFieldsOf(DataFileFields({Text("p", 1000, "x")})), kVersion2);
  ErrorOf(ErrorCode::kInvalid, [&] { ReadOne(bytes, spec, PartitionTypeOf(spec, TypeId::kInt)); });
}

TEST(Manifest, MissingMetricsAreUnknownAndNegativeOnesToo) {
  const ManifestEntry bare = ReadOne(ManifestBytes(EntryFieldsOf(DataFileFields()), kVersion2));
  EXPECT_TRUE(bare.data_file.metrics.empty());
  EXPECT_EQ(bare.data_file.metric_maps, 0);

  AvroFields file = DataFileFields();
  file.push_back(Map("null_value_counts", 110, 121, 122, "long",
                     AvroBytes().LongMap({{1, -1}, {2, 3}}).bytes()));
  const ManifestEntry entry = ReadOne(ManifestBytes(EntryFieldsOf(file), kVersion2));
  EXPECT_EQ(entry.data_file.FindMetrics(1), nullptr);
  EXPECT_EQ(entry.data_file.FindMetrics(2)->null_value_count, 3);
}

TEST(Manifest, MetricMapsInAnyOrderOfTheirKeys) {
  AvroFields file = DataFileFields();
  file.push_back(Map("value_counts", 109, 119, 120, "long",
                     AvroBytes().LongMap({{9, 90}, {4, 40}, {6, 60}, {4, 41}}).bytes()));
  const ManifestEntry entry = ReadOne(ManifestBytes(EntryFieldsOf(file), kVersion2));
  ASSERT_EQ(entry.data_file.metrics.size(), 3u);
  EXPECT_EQ(entry.data_file.metrics[0].field_id, 4);
  EXPECT_EQ(entry.data_file.metrics[0].value_count, 41);
  EXPECT_EQ(entry.data_file.metrics[1].field_id, 6);
  EXPECT_EQ(entry.data_file.metrics[2].value_count, 90);
}

TEST(Manifest, NullSequenceNumberOfAnExistingEntryIsAnError) {
  AvroFields entry = EntryFieldsOf(DataFileFields());
  entry[0] = Int("status", 0, 0);
  const std::string bytes = ManifestBytes(entry, kVersion2);
  const std::string message = ErrorOf(ErrorCode::kInvalid, [&] { ReadOne(bytes); });
  EXPECT_NE(message.find("sequence_number is null in an entry of status EXISTING"),
            std::string::npos)
      << message;
  ErrorOf(ErrorCode::kInvalid, [&] { ReadBatch(bytes); });
}

TEST(Manifest, ScanNeverLooksAtDeletedEntries) {
  AvroFields entry = EntryFieldsOf(DataFileFields());
  entry[0] = Int("status", 0, 2);  // and null sequence numbers: an error for ReadManifest
  const std::string bytes = ManifestBytes(entry, kVersion2);
  ErrorOf(ErrorCode::kInvalid, [&] { ReadOne(bytes); });
  EXPECT_EQ(ReadBatch(bytes)->size(), 0u);
}

TEST(Manifest, RequiredFieldsAndRangesAreChecked) {
  const std::pair<const char*, AvroField> cases[] = {
      {"'record_count'", NullLong("record_count", 103)},
      {"'record_count'", Long("record_count", 103, -1)},
      {"'file_size_in_bytes'", Long("file_size_in_bytes", 104, -4)},
      {"'file_path'", {"file_path", 100, R"(["null","string"])", AvroBytes().Null().bytes()}},
  };
  for (const auto& [want, replaced] : cases) {
    AvroFields file = DataFileFields();
    for (AvroField& field : file) {
      if (field.id == replaced.id) field = replaced;
    }
    const std::string bytes = ManifestBytes(EntryFieldsOf(file), kVersion2);
    const std::string message = ErrorOf(ErrorCode::kInvalid, [&] { ReadOne(bytes); });
    EXPECT_NE(message.find(want), std::string::npos) << message;
    EXPECT_NE(message.find("entry 0"), std::string::npos) << message;
  }
}

TEST(Manifest, DeleteFileInADataManifestIsAnError) {
  AvroFields file = DataFileFields();
  file.push_back(Int("content", 134, 2));
  const std::string bytes = ManifestBytes(EntryFieldsOf(file), kVersion2);
  ErrorOf(ErrorCode::kInvalid, [&] { ReadOne(bytes); });
  ManifestFile deletes = ListEntry();
  deletes.content = ManifestContent::kDeletes;
  EXPECT_TRUE(ReadOne(bytes, {}, Type::Struct({}), deletes).data_file.is_equality_delete());
}

TEST(Manifest, EncryptedManifestIsRefusedByName) {
  ManifestFile file = ListEntry();
  file.key_metadata = "key";
  const std::string bytes = ManifestBytes(EntryFieldsOf(DataFileFields()), kVersion2);
  EXPECT_NE(ErrorOf(ErrorCode::kUnsupported, [&] { ReadOne(bytes, {}, Type::Struct({}), file); })
                .find("encrypted"),
            std::string::npos);
}

TEST(Manifest, HeaderGivesSchemaAndSpec) {
  const std::string bytes = ManifestBytes(
      EntryFieldsOf(DataFileFields({Int("p", 1000, 4)})),
      {{"schema", R"({"type":"struct","schema-id":3,"fields":[
          {"id":1,"name":"c","required":true,"type":"int"}]})"},
       {"partition-spec", R"([{"name":"p","transform":"identity","source-id":1,"field-id":1000}])"},
       {"partition-spec-id", "6"},
       {"format-version", "2"},
       {"content", "data"}});
  const Manifest manifest = ReadManifest(AsBytes(bytes), ListEntry());
  EXPECT_EQ(manifest.schema.schema_id(), 3);
  EXPECT_EQ(manifest.partition_spec_id, 6);
  EXPECT_EQ(manifest.format_version, 2);
  EXPECT_EQ(manifest.live_entries().size(), 1u);
  EXPECT_EQ(manifest.entries[0].data_file.partition.at(0), Value::Integer(4));
}

TEST(Manifest, OddHeaderDoesNotFailAScan) {
  const std::string bytes =
      ManifestBytes(EntryFieldsOf(DataFileFields()), {{"schema", R"({"type":"record"})"},
                                                      {"partition-spec", "nonsense"},
                                                      {"format-version", "2"}});
  EXPECT_EQ(ReadOne(bytes).data_file.record_count, 10);
  ErrorOf(ErrorCode::kInvalid, [&] { ReadManifest(AsBytes(bytes), ListEntry()); });
}

TEST(Manifest, BatchHoldsTheMetricsThatWereAskedFor) {
  AvroFields file = DataFileFields();
  file.push_back(
      Map("value_counts", 109, 119, 120, "long", AvroBytes().LongMap({{1, 10}, {2, 20}}).bytes()));
  file.push_back(
      Map("nan_value_counts", 137, 138, 139, "long", AvroBytes().LongMap({{2, -5}}).bytes()));
  file.push_back(Map("lower_bounds", 125, 126, 127, "bytes",
                     AvroBytes().TextMap({{1, "a"}, {2, ""}}).bytes()));
  const std::string bytes = ManifestBytes(EntryFieldsOf(file), kVersion2);
  const auto batch = ReadBatch(bytes, {.metric_ids = {2, 5}});
  ASSERT_EQ(batch->metrics.size(), 2u);
  EXPECT_EQ(batch->metrics[0]->value_counts, std::vector<int64_t>{20});
  EXPECT_EQ(batch->metrics[0]->nan_value_counts, std::vector<int64_t>{-1});
  EXPECT_NE(batch->metrics[0]->lower_bounds[0].data(), nullptr);
  EXPECT_EQ(batch->metrics[0]->lower_bounds[0].size(), 0u);
  EXPECT_EQ(batch->metrics[0]->upper_bounds[0].data(), nullptr);
  EXPECT_EQ(batch->metrics[1]->value_counts, std::vector<int64_t>{-1});
  EXPECT_EQ(batch->metrics[1]->lower_bounds[0].data(), nullptr);
}

TEST(Manifest, OfAKeyThatAMapHasTwiceTheLastCountsForEveryReader) {
  AvroFields file = DataFileFields();
  file.push_back(Map("value_counts", 109, 119, 120, "long",
                     AvroBytes().LongMap({{1, 10}, {2, 5}, {1, 20}, {2, -1}}).bytes()));
  file.push_back(Map("lower_bounds", 125, 126, 127, "bytes",
                     AvroBytes().TextMap({{2, "a"}, {1, "b"}, {2, "c"}}).bytes()));
  const std::string bytes = ManifestBytes(EntryFieldsOf(file), kVersion2);
  const ManifestEntry entry = ReadOne(bytes);  // which compares the ways of reading
  const auto batch = ReadBatch(bytes, {.metric_ids = {1, 2}});
  for (int32_t id : {1, 2}) {
    const ColumnMetrics* metrics = entry.data_file.FindMetrics(id);
    ASSERT_NE(metrics, nullptr);
    const MetricColumn& column = *batch->metrics[static_cast<size_t>(id - 1)];
    EXPECT_EQ(column.value_counts[0], *metrics->value_count);
    EXPECT_EQ(AsText(column.lower_bounds[0]), *metrics->lower_bound);
    EXPECT_EQ(column.value_counts[0], id == 1 ? 20 : 5);
    EXPECT_EQ(AsText(column.lower_bounds[0]), id == 1 ? "b" : "c");
  }
}

TEST(Manifest, BlocksOfALargeManifestDecodeInParallelAndCountRowsInOrder) {
  testing::AvroFile avro{.metadata = {{"format-version", "3"}}};
  const std::string padding(2000, 'x');
  for (int block = 0; block < 60; ++block) {
    std::vector<std::string>& records = avro.blocks.emplace_back();
    for (int i = 0; i < 12; ++i) {
      AvroFields file = DataFileFields();
      file[0] = Text("file_path", 100, std::to_string(block * 12 + i) + padding);
      file[3] = Long("record_count", 103, block + 1);
      AvroFields entry = EntryFieldsOf(file);
      entry[0] = Int("status", 0, i == 5 ? 2 : 1);
      avro.schema = RecordSchema("manifest_entry", entry);
      records.push_back(RecordValue(entry));
    }
  }
  const std::string bytes = avro.Write();
  ASSERT_GT(bytes.size(), size_t{1} << 20);
  ManifestFile file = ListEntry();
  file.first_row_id = 1000;
  const auto read = [&](const Context& context) {
    ManifestCache cache;
    const auto manifest = ReadManifestColumns(context, Buffer{AsBytes(bytes), nullptr}, file, {},
                                              Type::Struct({}), "", cache);
    const auto batch = manifest->Batch(manifest, {});
    std::vector<uint32_t> all(batch->size());
    std::iota(all.begin(), all.end(), 0);
    std::vector<DataFile> files;
    batch->AppendFiles(all, /*column_metrics=*/true, &files);
    return files;
  };
  const std::vector<DataFile> files = read({});
  EXPECT_EQ(read({.executor = MakeThreadPool(3)}), files);
  ASSERT_EQ(files.size(), 60u * 11);
  int64_t row_id = 1000;
  for (const DataFile& one : files) {
    EXPECT_EQ(one.first_row_id, row_id);
    row_id += one.record_count;
  }
}

}  // namespace
}  // namespace nunatak::iceberg
