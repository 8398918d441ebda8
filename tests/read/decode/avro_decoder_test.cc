#include "nunatak/read/decode/avro_decoder.h"

#include <arrow/api.h>
#include <fmt/format.h>

#include <limits>

#include "read/decode/avro_fixture.h"
#include "test_data.h"

namespace nunatak {
namespace {

using nunatak::testing::AvroBytes;
using nunatak::testing::AvroFile;

using AvroDecoderTest = AvroTest;

std::string RecordOf(const std::string& type, const std::string& attributes = R"("field-id": 1)") {
  return fmt::format(R"({{"type": "record", "name": "r", "fields": [
      {{"name": "c", "type": {}, {}}}]}})",
                     type, attributes);
}

TEST_F(AvroDecoderTest, VariantsAreRecordsOfTheirTwoParts) {
  const std::string type = R"(["null", {"type": "record", "name": "v", "logicalType": "variant",
      "fields": [{"name": "metadata", "type": "bytes"}, {"name": "value", "type": "bytes"}]}])";
  const std::string metadata("\x01\x01\x00\x01k", 5);
  const std::string object("\x02\x01\x00\x00\x02\x0c\x07", 7);
  EXPECT_EQ(
      ReadRecords(
          RequestFor(TableOf({TableColumn(1, "c", TypeId::kVariant)})), RecordOf(type),
          {AvroBytes().NotNull().Text(metadata).Text(object).bytes(), AvroBytes().Null().bytes()}),
      R"([{"c":{"k":{"$type":"INT8","$value":7}}},{"c":null}])");
}

struct ValueCase {
  std::string avro_type;
  std::string encoded;
  Type type;
  std::string json;
};

TEST_F(AvroDecoderTest, EveryTypeOfTheSpecification) {
  const std::string uuid("\x01\x23\x45\x67\x89\xab\xcd\xef\x01\x23\x45\x67\x89\xab\xcd\xef", 16);
  const auto logical = [](const std::string& type, const std::string& name,
                          const std::string& more = "") {
    return fmt::format(R"({{"type": "{}", "logicalType": "{}"{}}})", type, name, more);
  };
  const auto fixed = [](int size, const std::string& more) {
    return fmt::format(R"({{"type": "fixed", "name": "f", "size": {}{}}})", size, more);
  };
  const std::string utc = R"(, "adjust-to-utc": true)";
  const std::string local = R"(, "adjust-to-utc": false)";
  const std::string decimal = R"(, "logicalType": "decimal", "precision": 9, "scale": 2)";
  const ValueCase cases[] = {
      {R"("boolean")", AvroBytes().Boolean(true).bytes(), TypeId::kBoolean, "true"},
      {R"("int")", AvroBytes().Int(INT32_MIN).bytes(), TypeId::kInt, "-2147483648"},
      {R"("int")", AvroBytes().Int(7).bytes(), TypeId::kLong, "7"},
      {R"("long")", AvroBytes().Long(INT64_MIN).bytes(), TypeId::kLong, "-9223372036854775808"},
      {R"("float")", AvroBytes().Float(-1.5F).bytes(), TypeId::kFloat, "-1.5"},
      {R"("float")", AvroBytes().Float(-1.5F).bytes(), TypeId::kDouble, "-1.5"},
      {R"("double")", AvroBytes().Double(0.1).bytes(), TypeId::kDouble, "0.1"},
      {R"("string")", AvroBytes().Text("é").bytes(), TypeId::kString, R"("é")"},
      {R"("bytes")", AvroBytes().Text("\x01\xff").bytes(), TypeId::kBinary, R"("01FF")"},
      {fixed(3, ""), "abc", Type::Fixed(3), R"("616263")"},
      {fixed(16, R"(, "logicalType": "uuid")"), uuid, TypeId::kUuid,
       R"("01234567-89ab-cdef-0123-456789abcdef")"},
      {R"({"type": "enum", "name": "e", "symbols": ["A", "B"]})", AvroBytes().Int(1).bytes(),
       TypeId::kString, R"("B")"},
      {R"({"type": "bytes")" + decimal + "}", AvroBytes().Text("\xff\x85").bytes(),
       Type::Decimal(9, 2), R"("-1.23")"},
      {fixed(5, decimal), std::string("\x00\x00\x00\x30\x39", 5), Type::Decimal(12, 2),
       R"("123.45")"},
      {logical("int", "date"), AvroBytes().Int(-1).bytes(), TypeId::kDate, R"("1969-12-31")"},
      {logical("int", "time-millis"), AvroBytes().Int(1500).bytes(), TypeId::kTime,
       R"("00:00:01.500")"},
      {logical("long", "time-micros"), AvroBytes().Long(1000001).bytes(), TypeId::kTime,
       R"("00:00:01.000001")"},
      {logical("long", "timestamp-millis", utc), AvroBytes().Long(-1).bytes(), TypeId::kTimestampTz,
       R"("1969-12-31T23:59:59.999+00:00")"},
      {logical("long", "timestamp-micros", local), AvroBytes().Long(-1).bytes(), TypeId::kTimestamp,
       R"("1969-12-31T23:59:59.999999")"},
      {logical("long", "timestamp-micros", utc), AvroBytes().Long(0).bytes(), TypeId::kTimestampTz,
       R"("1970-01-01T00:00:00+00:00")"},
      {logical("long", "local-timestamp-micros"), AvroBytes().Long(1).bytes(), TypeId::kTimestamp,
       R"("1970-01-01T00:00:00.000001")"},
      {logical("long", "timestamp-nanos", utc), AvroBytes().Long(1).bytes(), TypeId::kTimestampTzNs,
       R"("1970-01-01T00:00:00.000000001+00:00")"},
      {logical("long", "local-timestamp-nanos"), AvroBytes().Long(-1).bytes(), TypeId::kTimestampNs,
       R"("1969-12-31T23:59:59.999999999")"},
      {R"("null")", "", TypeId::kString, "null"},
      {R"(["null", "int"])", AvroBytes().Null().bytes(), TypeId::kInt, "null"},
      {R"(["null", "int"])", AvroBytes().NotNull().Int(5).bytes(), TypeId::kInt, "5"},
      {R"(["int", "null"])", AvroBytes().Branch(0).Int(5).bytes(), TypeId::kInt, "5"},
      {R"(["int", "null"])", AvroBytes().Branch(1).bytes(), TypeId::kInt, "null"},
      {R"(["int"])", AvroBytes().Branch(0).Int(5).bytes(), TypeId::kInt, "5"},
  };
  for (const ValueCase& one : cases) {
    SCOPED_TRACE(one.avro_type + " as " + one.type.ToString());
    EXPECT_EQ(ReadRecords(RequestFor(TableOf({TableColumn(1, "c", one.type)})),
                          RecordOf(one.avro_type), {one.encoded}),
              R"([{"c":)" + one.json + "}]");
  }
}

TEST_F(AvroDecoderTest, NestedValuesByTheirIds) {
  const std::string schema = R"({"type": "record", "name": "r", "fields": [
      {"name": "l", "field-id": 1, "type": ["null", {"type": "array", "element-id": 2, "items":
          {"type": "record", "name": "e", "fields": [
              {"name": "x", "type": "int", "field-id": 3},
              {"name": "dropped", "type": "string", "field-id": 4},
              {"name": "y", "type": ["null", "string"], "field-id": 5}]}}]},
      {"name": "m", "field-id": 6, "type": {"type": "map", "key-id": 7, "value-id": 8,
          "values": ["null", "long"]}},
      {"name": "n", "field-id": 9, "type": {"type": "array", "logicalType": "map", "items":
          {"type": "record", "name": "k10_v11", "fields": [
              {"name": "key", "type": "int", "field-id": 10},
              {"name": "value", "type": ["null", "string"], "field-id": 11}]}}}]})";
  const Schema table = TableOf(
      {TableColumn(9, "by_number",
                   Type::Map(TableColumn(10, "key", TypeId::kLong, true),
                             TableColumn(11, "value", TypeId::kString))),
       TableColumn(1, "renamed",
                   Type::List(TableColumn(2, "element",
                                          Type::Struct({TableColumn(5, "why", TypeId::kString),
                                                        TableColumn(3, "x", TypeId::kLong)})))),
       TableColumn(6, "m",
                   Type::Map(TableColumn(7, "key", TypeId::kString, true),
                             TableColumn(8, "value", TypeId::kLong)))});
  const std::string first = AvroBytes()
                                .NotNull()
                                .Items({AvroBytes().Int(1).Text("no").NotNull().Text("a").bytes(),
                                        AvroBytes().Int(2).Text("no").Null().bytes()})
                                .Items({AvroBytes().Text("k").NotNull().Long(5).bytes(),
                                        AvroBytes().Text("").Null().bytes()})
                                .SizedBlock({AvroBytes().Int(1).NotNull().Text("v").bytes()})
                                .SizedBlock({AvroBytes().Int(2).Null().bytes()})
                                .Long(0)
                                .bytes();
  const std::string second = AvroBytes().Null().Items({}).Items({}).bytes();
  EXPECT_EQ(ReadRecords(RequestFor(table), schema, {first, second}),
            R"([{"by_number":{"keys":[1,2],"values":["v",null]},)"
            R"("renamed":[{"why":"a","x":1},{"why":null,"x":2}],)"
            R"("m":{"keys":["k",""],"values":[5,null]}},)"
            R"({"by_number":{"keys":[],"values":[]},"renamed":null,"m":{"keys":[],"values":[]}}])");
}

TEST_F(AvroDecoderTest, AFileOfAnotherImplementation) {
  const Type structs =
      Type::Struct({TableColumn(13, "e", TypeId::kString), TableColumn(14, "fx", Type::Fixed(2))});
  const ReadRequest request = RequestFor(
      TableOf({TableColumn(1, "id", TypeId::kLong), TableColumn(2, "d", Type::Decimal(20, 3)),
               TableColumn(3, "day", TypeId::kDate), TableColumn(4, "ts", TypeId::kTimestampTz),
               TableColumn(5, "local", TypeId::kTimestamp), TableColumn(6, "time", TypeId::kTime),
               TableColumn(7, "l", Type::List(TableColumn(8, "element", TypeId::kString))),
               TableColumn(9, "m",
                           Type::Map(TableColumn(10, "key", TypeId::kString, true),
                                     TableColumn(11, "value", TypeId::kDouble))),
               TableColumn(12, "s", structs)}));
  const Buffer bytes = io_->ReadAll((TestData() / "avro/types.avro").string());
  const auto rows =
      nlohmann::ordered_json::parse(Read(request, AvroTask(std::string(AsText(bytes.bytes)))));
  ASSERT_EQ(rows.size(), 300u);
  // By the formulas of the script that wrote it.
  EXPECT_EQ(rows[0].dump(),
            R"({"id":-100,"d":null,"day":"1969-12-01","ts":"1969-12-31T23:59:59.999999+00:00",)"
            R"("local":"1970-01-01T00:00:00","time":null,"l":[],"m":{"keys":[],"values":[]},)"
            R"("s":null})");
  EXPECT_EQ(rows[1].dump(),
            R"({"id":-99,"d":"1.001","day":"1969-12-02","ts":"1970-01-01T00:59:59.999999+00:00",)"
            R"("local":"1970-01-01T00:00:00.001","time":"01:02:03.000001","l":[null],)"
            R"("m":{"keys":["k"],"values":[0.5]},"s":{"e":"RIGHT","fx":"0101"}})");
  EXPECT_EQ(rows[299].dump(),
            R"({"id":199,"d":"299.299","day":"1970-09-26","ts":"1970-01-13T10:59:59.999999+00:00",)"
            R"("local":"1970-01-01T00:00:00.299","time":"01:02:03.000299","l":[null,"299"],)"
            R"("m":{"keys":["k"],"values":[149.5]},"s":{"e":"RIGHT","fx":"012B"}})");
}

TEST_F(AvroDecoderTest, NullStructsAreNotStructsOfNulls) {
  const std::string schema = RecordOf(R"(["null", {"type": "record", "name": "s", "fields": [
      {"name": "a", "type": ["null", "int"], "field-id": 2},
      {"name": "b", "type": "int", "field-id": 3}]}])");
  const std::vector<std::string> records = {AvroBytes().Null().bytes(),
                                            AvroBytes().NotNull().Null().Int(1).bytes()};
  const auto read = [&](std::vector<Field> fields) {
    return ReadRecords(RequestFor(TableOf({TableColumn(1, "s", Type::Struct(std::move(fields)))})),
                       schema, records);
  };
  EXPECT_EQ(read({TableColumn(2, "a", TypeId::kInt)}), R"([{"s":null},{"s":{"a":null}}])");
  EXPECT_EQ(read({TableColumn(4, "new", TypeId::kInt)}), R"([{"s":null},{"s":{"new":null}}])");
}

TEST_F(AvroDecoderTest, AFileWithoutIdsIsReadByTheNamesOfTheSchema) {
  const std::string schema = R"({"type": "record", "name": "r", "fields": [
      {"name": "b", "type": "int"},
      {"name": "s", "type": {"type": "record", "name": "s", "fields": [
          {"name": "y", "type": "int"}, {"name": "x", "type": "int"}]}},
      {"name": "a", "type": "int"}]})";
  const Schema table =
      TableOf({TableColumn(1, "a", TypeId::kInt), TableColumn(2, "gone", TypeId::kInt),
               TableColumn(3, "s", Type::Struct({TableColumn(4, "x", TypeId::kInt)}))});
  const std::vector<std::string> records = {AvroBytes().Int(1).Int(2).Int(3).Int(4).bytes()};
  EXPECT_EQ(ReadRecords(RequestFor(table), schema, records),
            R"([{"a":4,"gone":null,"s":{"x":3}}])");
  ReadRequest request = RequestFor(table);
  request.name_mapping = NameMapping::Parse(
      R"([{"field-id": 2, "names": ["b"]}, {"field-id": 3, "names": ["s"], "fields": [
          {"field-id": 4, "names": ["y"]}]}])");
  EXPECT_EQ(ReadRecords(request, schema, records), R"([{"a":null,"gone":1,"s":{"x":2}}])");
}

TEST_F(AvroDecoderTest, NamesThatAvroDoesNotAllowComeFromTheAttribute) {
  const std::string schema =
      RecordOf(R"("int")", R"("field-id": 1, "iceberg-field-name": "a-b c")");
  const std::string file =
      AvroFile{.schema = schema, .blocks = {{AvroBytes().Int(1).bytes()}}}.Write();
  EXPECT_EQ(Decode(file).batches.at(0)->schema()->field(0)->name(), "a-b c");
}

TEST_F(AvroDecoderTest, AUnionOfSeveralTypesIsPassedOverOrRefused) {
  const std::string schema = R"({"type": "record", "name": "r", "fields": [
      {"name": "u", "type": ["null", "int", "string"], "field-id": 1},
      {"name": "s", "field-id": 3, "type": ["null", {"type": "record", "name": "s", "fields": [
          {"name": "v", "type": ["int", "string"], "field-id": 4}]}]},
      {"name": "c", "type": "int", "field-id": 2}]})";
  const std::vector<std::string> records = {
      AvroBytes().Branch(2).Text("x").NotNull().Branch(1).Text("y").Int(1).bytes(),
      AvroBytes().Branch(1).Int(7).Null().Int(2).bytes()};
  EXPECT_EQ(ReadRecords(RequestFor(TableOf({TableColumn(2, "c", TypeId::kInt)})), schema, records),
            R"([{"c":1},{"c":2}])");
  // Only whether the struct is there is asked of the union.
  const Type empty = Type::Struct({TableColumn(5, "new", TypeId::kInt)});
  EXPECT_EQ(ReadRecords(RequestFor(TableOf({TableColumn(3, "s", empty)})), schema, records),
            R"([{"s":{"new":null}},{"s":null}])");
  const Error error = ErrorFrom([&] {
    ReadRecords(RequestFor(TableOf({TableColumn(1, "u", TypeId::kString)})), schema, records);
  });
  EXPECT_EQ(error.code(), ErrorCode::kInvalid);
  EXPECT_NE(error.message().find("column u"), std::string::npos) << error.message();
}

TEST_F(AvroDecoderTest, EveryCodec) {
  for (const std::string codec : {"null", "deflate", "snappy", "zstandard"}) {
    const std::string bytes =
        AvroFile{.schema = RecordOf(R"("string")"),
                 .codec = codec,
                 .blocks = {{AvroBytes().Text("a").bytes()},
                            {},
                            {AvroBytes().Text("b").bytes(), AvroBytes().Text("c").bytes()}}}
            .Write();
    EXPECT_EQ(Read(RequestFor(TableOf({TableColumn(1, "c", TypeId::kString)})), AvroTask(bytes)),
              R"([{"c":"a"},{"c":"b"},{"c":"c"}])")
        << codec;
  }
}

TEST_F(AvroDecoderTest, BatchesKeepToRowsAndBytes) {
  std::vector<std::vector<std::string>> blocks(10);
  for (auto& block : blocks) {
    for (int i = 0; i < 50; ++i) block.push_back(AvroBytes().Text(std::string(9, 'x')).bytes());
  }
  const std::string file = AvroFile{.schema = RecordOf(R"("string")"), .blocks = blocks}.Write();
  const auto rows = [&](const DecodeOptions& options) {
    const Decoded decoded = Decode(file, {}, options);
    EXPECT_EQ(decoded.rows, 500);
    return decoded.batches.at(0)->num_rows();
  };
  // Batches span blocks.
  EXPECT_EQ(rows({}), 500);
  EXPECT_EQ(rows({.batch_size = 64}), 64);
  EXPECT_EQ(rows({.batch_bytes = 200}), 20);
  EXPECT_EQ(rows({.batch_bytes = 1}), 1);
}

TEST_F(AvroDecoderTest, ErrorsNameTheFileTheBlockTheRecordAndTheField) {
  const ReadRequest request = RequestFor(TableOf({TableColumn(1, "c", TypeId::kInt)}));
  const std::vector<std::string> records = {AvroBytes().Int(1).bytes(),
                                            AvroBytes().Long(int64_t{1} << 40).bytes()};
  const FileScanTask task =
      AvroTask(AvroFile{.schema = RecordOf(R"("int")"), .blocks = {records}}.Write());
  const Error error = ErrorFrom([&] { Read(request, task); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalid);
  for (const std::string& part : {task.data_file->file_path, std::string("block at byte "),
                                  std::string("record 1"), std::string("c: byte 7")}) {
    EXPECT_NE(error.message().find(part), std::string::npos) << part << ": " << error.message();
  }
}

TEST_F(AvroDecoderTest, AnUnknownCodecIsRefusedByName) {
  std::string bytes = AvroFile{.schema = RecordOf(R"("int")"), .codec = "null"}.Write();
  bytes.replace(bytes.find("null"), 4, "lzma");
  const Error error = ErrorFrom([&] { Decode(bytes); });
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_NE(error.message().find("lzma"), std::string::npos);
}

}  // namespace
}  // namespace nunatak
