#include <arrow/api.h>
#include <arrow/json/from_string.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/table_reader.h"
#include "nunatak/read/variant/assemble_variants.h"
#include "read/scan_fixture.h"
#include "table/variant/random_variant.h"
#include "table/variant/variant_bytes.h"

namespace nunatak {
namespace {

using Texts = std::vector<std::optional<std::string>>;

std::shared_ptr<arrow::Array> Binary(const Texts& values) {
  arrow::BinaryBuilder builder;
  for (const auto& value : values) {
    EXPECT_TRUE((value ? builder.Append(*value) : builder.AppendNull()).ok());
  }
  return builder.Finish().ValueOrDie();
}

std::shared_ptr<arrow::Array> Json(const std::shared_ptr<arrow::DataType>& type,
                                   const std::string& values) {
  return arrow::json::ArrayFromJSONString(type, values).ValueOrDie();
}

/// A struct; `valid` has a 0 for each that is null.
std::shared_ptr<arrow::Array> Group(const arrow::FieldVector& fields,
                                    const arrow::ArrayVector& children,
                                    const std::vector<uint8_t>& valid = {}) {
  std::shared_ptr<arrow::Buffer> bits;
  if (!valid.empty()) {
    arrow::TypedBufferBuilder<bool> builder;
    for (const uint8_t v : valid) EXPECT_TRUE(builder.Append(v != 0).ok());
    bits = builder.Finish().ValueOrDie();
  }
  return std::make_shared<arrow::StructArray>(arrow::struct_(fields), children[0]->length(),
                                              children, bits);
}

/// A part of a shredded variant: `value` and `typed_value`.
std::shared_ptr<arrow::Array> Part(const Texts& values,
                                   const std::shared_ptr<arrow::Array>& typed) {
  return Group({arrow::field("value", arrow::binary()), arrow::field("typed_value", typed->type())},
               {Binary(values), typed});
}

std::shared_ptr<arrow::Field> Required(const std::string& name,
                                       const std::shared_ptr<arrow::Array>& array) {
  return arrow::field(name, array->type(), /*nullable=*/false);
}

/// A shredded variant. The parts are given out of order: they are found by name.
std::shared_ptr<arrow::Array> Variant(const Texts& metadata, const Texts& values,
                                      const std::shared_ptr<arrow::Array>& typed,
                                      const std::vector<uint8_t>& valid = {}) {
  return Group({arrow::field("typed_value", typed->type()), arrow::field("value", arrow::binary()),
                arrow::field("metadata", arrow::binary(), /*nullable=*/false)},
               {typed, Binary(values), Binary(metadata)}, valid);
}

const std::string kNone = kNoNames.text();

/// Variant columns of Parquet files. The tables of values are those of "Variant Shredding".
class VariantColumnTest : public ScanTest {
 protected:
  std::string WriteColumn(const std::shared_ptr<arrow::Array>& column) {
    const auto schema = arrow::schema({FileColumn(1, "v", column->type())});
    return WriteTable(*arrow::Table::Make(schema, {column}));
  }
  std::string ReadVariants(const std::shared_ptr<arrow::Array>& column) {
    return ReadColumn(RequestFor(table_), TaskFor(WriteColumn(column)));
  }
  std::string ErrorOf(const std::shared_ptr<arrow::Array>& column) {
    const Error error = ErrorFrom([&] { ReadVariants(column); });
    EXPECT_EQ(error.code(), ErrorCode::kInvalid);
    EXPECT_NE(error.message().find("parquet: column v: "), std::string::npos) << error.message();
    return error.message().substr(error.message().find("column v"));
  }

  Schema table_ = TableOf({TableColumn(1, "v", TypeId::kVariant)});
};

TEST_F(VariantColumnTest, Unshredded) {
  const auto column = Group(
      {arrow::field("metadata", arrow::binary(), false),
       arrow::field("value", arrow::binary(), false)},
      {Binary({kNone, kNone, kNone}), Binary({"\x0Dn/a", "", std::string(1, '\0')})}, {1, 0, 1});
  EXPECT_EQ(ReadVariants(column), R"("n/a" null {"$type":"NULL","$value":null})");
}

TEST_F(VariantColumnTest, WithTheLogicalTypeOfParquet) {
  const auto storage =
      Group(static_cast<const arrow::ExtensionType&>(*VariantArrowType()).storage_type()->fields(),
            {Binary({kNone, kNone}), Binary({"\x04", "\x08"})});
  const auto column = arrow::ExtensionType::WrapArray(VariantArrowType(), storage);
  EXPECT_EQ(ReadVariants(column), "true false");
}

TEST_F(VariantColumnTest, AFileWithoutTheColumnHasNulls) {
  const std::string path = Write({FileColumn(2, "other", arrow::int32())}, "[[1], [2]]");
  EXPECT_EQ(ReadColumn(RequestFor(table_), TaskFor(path)), "null null");
}

TEST_F(VariantColumnTest, ShreddedAsAPrimitive) {
  EXPECT_EQ(ReadVariants(Variant(Texts(4, kNone),
                                 {std::nullopt, std::string(1, '\0'), "\x0Dn/a", std::nullopt},
                                 Json(arrow::int64(), "[34, null, null, 100]"))),
            R"({"$type":"INT64","$value":34} {"$type":"NULL","$value":null} "n/a" )"
            R"({"$type":"INT64","$value":100})");
}

TEST_F(VariantColumnTest, EveryPrimitiveThatMayBeShredded) {
  const auto micro = arrow::TimeUnit::MICRO;
  const auto nano = arrow::TimeUnit::NANO;
  struct Case {
    std::shared_ptr<arrow::DataType> type;
    std::string value;
    std::string json;
  };
  const std::vector<Case> cases = {
      {arrow::boolean(), "false", "false"},
      {arrow::int8(), "-128", R"({"$type":"INT8","$value":-128})"},
      {arrow::int16(), "-32768", R"({"$type":"INT16","$value":-32768})"},
      {arrow::int32(), "-2147483648", R"({"$type":"INT32","$value":-2147483648})"},
      {arrow::int64(), "9223372036854775807", R"({"$type":"INT64","$value":9223372036854775807})"},
      {arrow::float32(), "0.1", R"({"$type":"FLOAT","$value":0.1})"},
      {arrow::float64(), "-0.0", R"({"$type":"DOUBLE","$value":-0.0})"},
      {arrow::date32(), "-1", R"({"$type":"DATE","$value":"1969-12-31"})"},
      {arrow::time64(micro), "1", R"({"$type":"TIME","$value":"00:00:00.000001"})"},
      {arrow::timestamp(micro), "-1",
       R"({"$type":"TIMESTAMPNTZ","$value":"1969-12-31T23:59:59.999999"})"},
      {arrow::timestamp(micro, "UTC"), "0",
       R"({"$type":"TIMESTAMPTZ","$value":"1970-01-01T00:00:00+00:00"})"},
      {arrow::timestamp(nano), "1",
       R"({"$type":"TIMESTAMPNTZ_NANOS","$value":"1970-01-01T00:00:00.000000001"})"},
      {arrow::timestamp(nano, "UTC"), "1",
       R"({"$type":"TIMESTAMPTZ_NANOS","$value":"1970-01-01T00:00:00.000000001+00:00"})"},
      {arrow::binary(), R"("~")", R"({"$type":"BINARY","$value":"7E"})"},
      {arrow::utf8(), R"("text")", R"("text")"},
      {arrow::fixed_size_binary(16), R"("0123456789abcdef")",
       R"({"$type":"UUID","$value":"30313233-3435-3637-3839-616263646566"})"},
      // The writer stores decimals as fixed bytes: decimal16, whatever the precision.
      {arrow::decimal128(9, 2), R"("-1.50")", R"({"$type":"DECIMAL16","$value":"-1.50"})"},
      {arrow::decimal128(38, 38), R"("0.00000000000000000000000000000000000001")",
       R"({"$type":"DECIMAL16","$value":"0.00000000000000000000000000000000000001"})"},
  };
  for (const Case& c : cases) {
    const auto typed = Json(c.type, "[" + c.value + ", null]");
    EXPECT_EQ(ReadVariants(Variant({kNone, kNone}, {std::nullopt, "\x05x"}, typed)),
              c.json + R"( "x")")
        << c.type->ToString();
  }
}

TEST_F(VariantColumnTest, ADecimalStoredAsAnIntegerHasThatWidth) {
  for (const auto& [precision, type] : std::vector<std::pair<int, std::string>>{
           {9, "DECIMAL4"}, {10, "DECIMAL8"}, {18, "DECIMAL8"}, {19, "DECIMAL16"}}) {
    const auto column =
        Variant({kNone}, {std::nullopt}, Json(arrow::decimal128(precision, 1), R"(["-0.5"])"));
    const auto schema = arrow::schema({FileColumn(1, "v", column->type())});
    const std::string path =
        WriteTable(*arrow::Table::Make(schema, {column}), {.decimals_as_integers = true});
    EXPECT_EQ(ReadColumn(RequestFor(table_), TaskFor(path)),
              R"({"$type":")" + type + R"(","$value":"-0.5"})");
  }
}

TEST_F(VariantColumnTest, ShreddedAsAnArray) {
  // ["comedy", "drama"], ["horror", null], ["comedy", "drama", "romance"], null
  const auto elements = Part(
      {std::nullopt, std::nullopt, std::nullopt, std::string(1, '\0'), std::nullopt, std::nullopt,
       std::nullopt},
      Json(arrow::utf8(), R"(["comedy", "drama", "horror", null, "comedy", "drama", "romance"])"));
  const auto lists =
      arrow::ListArray::FromArrays(
          arrow::list(Required("element", elements)), *Json(arrow::int32(), "[0, 2, 4, 7, 7]"),
          *elements, arrow::default_memory_pool(),
          Json(arrow::boolean(), "[true, true, true, false]")->data()->buffers[1])
          .ValueOrDie();
  EXPECT_EQ(ReadVariants(Variant(Texts(4, kNone),
                                 {std::nullopt, std::nullopt, std::nullopt, std::string(1, '\0')},
                                 lists)),
            R"(["comedy","drama"] ["horror",null] ["comedy","drama","romance"] )"
            R"({"$type":"NULL","$value":null})");
}

/// The example of the specification: `event_type` shredded as a string, `event_ts` as a timestamp.
class EventTest : public VariantColumnTest {
 protected:
  static std::string Names(const std::vector<std::string>& names) {
    std::string bytes = {1, static_cast<char>(names.size()), 0};
    std::string text;
    for (const std::string& name : names) {
      text += name;
      bytes += static_cast<char>(text.size());
    }
    return bytes + text;
  }
  /// An object of one field.
  static std::string Object(int id, const std::string& value) {
    return std::string{2, 1, static_cast<char>(id), 0, static_cast<char>(value.size())} + value;
  }
  static std::string ShortText(const std::string& text) {
    return static_cast<char>(text.size() << 2 | 1) + text;
  }
  static std::shared_ptr<arrow::Array> Event(const std::string& metadata,
                                             const std::optional<std::string>& value,
                                             const std::optional<std::string>& type_value,
                                             const std::string& type_typed,
                                             const std::optional<std::string>& ts_value,
                                             const std::string& ts_typed, bool is_object = true) {
    const auto type = Part({type_value}, Json(arrow::utf8(), "[" + type_typed + "]"));
    const auto ts = Part(
        {ts_value}, Json(arrow::timestamp(arrow::TimeUnit::MICRO, "UTC"), "[" + ts_typed + "]"));
    const auto fields = Group({Required("event_type", type), Required("event_ts", ts)}, {type, ts},
                              {static_cast<uint8_t>(is_object)});
    return Variant({metadata}, {value}, fields);
  }

  const std::string names_ = Names({"event_ts", "event_type", "email"});
  const std::string null_ = std::string(1, '\0');
};

TEST_F(EventTest, ShreddedAsAnObject) {
  const std::nullopt_t none = std::nullopt;
  const std::string ts =
      R"("event_ts":{"$type":"TIMESTAMPTZ","$value":"1970-01-01T00:00:00.000005+00:00"})";
  struct Case {
    const char* what;
    std::shared_ptr<arrow::Array> column;
    std::string json;
  };
  const std::vector<Case> cases = {
      {"fully shredded", Event(names_, none, none, R"("noop")", none, "5"),
       "{" + ts + R"(,"event_type":"noop"})"},
      {"partially shredded, fields in the order of their names",
       Event(names_, Object(2, ShortText("user@example.com")), none, R"("login")", none, "5"),
       R"({"email":"user@example.com",)" + ts + R"(,"event_type":"login"})"},
      {"all shredded fields missing",
       Event(names_, Object(2, ShortText("x")), none, "null", none, "null"), R"({"email":"x"})"},
      {"no object", Event(names_, ShortText("malformed"), none, "null", none, "null", false),
       R"("malformed")"},
      {"a field that is null", Event(names_, none, null_, "null", none, "5"),
       "{" + ts + R"(,"event_type":null})"},
      {"a field of another type",
       Event(names_, none, none, R"("noop")", ShortText("2024-10-24"), "null"),
       R"({"event_ts":"2024-10-24","event_type":"noop"})"},
      {"an empty object", Event(names_, none, none, "null", none, "null"), "{}"},
      {"null", Event(names_, null_, none, "null", none, "null", false),
       R"({"$type":"NULL","$value":null})"},
      // A variant cannot be missing where its group is there: it is null.
      {"missing", Event(names_, none, none, "null", none, "null", false),
       R"({"$type":"NULL","$value":null})"},
      // What writers must not write. The reference engine goes by the shredded columns alone.
      {"a shredded field in value too",
       Event(names_, Object(1, ShortText("old")), none, R"("new")", none, "5"),
       "{" + ts + R"(,"event_type":"new"})"},
      {"a missing shredded field in value",
       Event(names_, Object(1, ShortText("old")), none, "null", none, "5"), "{" + ts + "}"},
      {"an object that is not shredded",
       Event(names_, Object(1, null_), none, "null", none, "null", false),
       R"({"event_type":null})"},
  };
  for (const Case& c : cases) EXPECT_EQ(ReadVariants(c.column), c.json) << c.what;
}

TEST_F(EventTest, ContradictionsAreErrors) {
  const std::nullopt_t none = std::nullopt;
  EXPECT_EQ(ErrorOf(Event(names_, ShortText("a"), none, "null", none, "null")),
            "column v: row 0 of the batch: a variant has shredded fields, and a value that is no "
            "object");
  EXPECT_EQ(ErrorOf(Event(names_, none, ShortText("a"), R"("b")", none, "null")),
            "column v: row 0 of the batch: a variant has both a value and a typed_value");
  EXPECT_EQ(ErrorOf(Event(Names({"event_ts"}), none, none, R"("b")", none, "null")),
            "column v: row 0 of the batch: the variant's metadata lacks the name of its shredded "
            "field 'event_type'");
}

TEST_F(VariantColumnTest, MalformedBytesAreAnErrorThatNamesTheRow) {
  const auto broken = [&](const std::string& metadata, const std::string& value) {
    return Group({arrow::field("metadata", arrow::binary(), false),
                  arrow::field("value", arrow::binary(), false)},
                 {Binary({kNone, metadata}), Binary({"\x04", value})});
  };
  EXPECT_EQ(ErrorOf(broken("", "\x04")),
            "column v: row 1 of the batch: malformed variant: its metadata is empty");
  EXPECT_EQ(ErrorOf(broken(kNone, "\x09")),
            "column v: row 1 of the batch: malformed variant: a value takes 3 bytes, and has 1");
}

TEST_F(VariantColumnTest, GroupsThatAreNoVariant) {
  const auto metadata = Binary({kNone});
  const auto field = arrow::field("metadata", arrow::binary(), false);
  EXPECT_EQ(ErrorOf(Json(arrow::int32(), "[1]")),
            "column v: a part of a variant has the Arrow type int32, not a struct");
  EXPECT_EQ(ErrorOf(Group({field}, {metadata})),
            "column v: a part of a variant has neither value nor typed_value");
  EXPECT_EQ(ErrorOf(Group({arrow::field("value", arrow::binary())}, {metadata})),
            "column v: the variant has no metadata");
  EXPECT_EQ(ErrorOf(Group({field, arrow::field("value", arrow::int32())},
                          {metadata, Json(arrow::int32(), "[1]")})),
            "column v: the value of a variant has the Arrow type int32, not binary");
  for (const auto& type : {arrow::uint32(), arrow::time64(arrow::TimeUnit::NANO),
                           arrow::timestamp(arrow::TimeUnit::MILLI), arrow::fixed_size_binary(4)}) {
    const auto typed = arrow::MakeArrayOfNull(type, 1).ValueOrDie();
    EXPECT_EQ(ErrorOf(Variant({kNone}, {"\x04"}, typed)),
              "column v: typed_value: a variant cannot be shredded as the Arrow type " +
                  type->ToString());
  }
}

TEST_F(VariantColumnTest, InsideStructsListsAndMaps) {
  const auto variant = [&](const std::string& values) {
    const auto typed = Json(arrow::int32(), values);
    const Texts nulls(static_cast<size_t>(typed->length()), std::nullopt);
    return Variant(Texts(static_cast<size_t>(typed->length()), kNone), nulls, typed);
  };
  const auto in_struct = variant("[1, 2, 3]");
  // The variant is required: below the null struct, the file says nothing of it.
  const auto structs =
      Group({FileColumn(2, "v", in_struct->type(), false)}, {in_struct}, {1, 0, 1});
  const auto elements = variant("[4, 5, 6]");
  const auto offsets = Json(arrow::int32(), "[0, 2, 2, 3]");
  const auto lists =
      arrow::ListArray::FromArrays(arrow::list(FileColumn(4, "element", elements->type(), false)),
                                   *offsets, *elements)
          .ValueOrDie();
  const auto items = variant("[7, 8, 9]");
  const auto maps = arrow::MapArray::FromArrays(
                        std::make_shared<arrow::MapType>(FileColumn(6, "key", arrow::utf8(), false),
                                                         FileColumn(7, "value", items->type())),
                        offsets, Json(arrow::utf8(), R"(["a", "b", "c"])"), items)
                        .ValueOrDie();
  const auto schema =
      arrow::schema({FileColumn(1, "s", structs->type()), FileColumn(3, "l", lists->type()),
                     FileColumn(5, "m", maps->type())});
  const std::string path = WriteTable(*arrow::Table::Make(schema, {structs, lists, maps}));
  const Schema table =
      TableOf({TableColumn(1, "s",
                           Type::Struct({TableColumn(2, "v", TypeId::kVariant, true),
                                         TableColumn(8, "missing", TypeId::kVariant)})),
               TableColumn(3, "l", Type::List(TableColumn(4, "element", TypeId::kVariant, true))),
               TableColumn(5, "m",
                           Type::Map(TableColumn(6, "key", TypeId::kString, true),
                                     TableColumn(7, "value", TypeId::kVariant)))});
  const auto number = [](int n) {
    return R"({"$type":"INT32","$value":)" + std::to_string(n) + "}";
  };
  EXPECT_EQ(Read(RequestFor(table), TaskFor(path)),
            R"([{"s":{"v":)" + number(1) + R"(,"missing":null},"l":[)" + number(4) + "," +
                number(5) + R"(],"m":{"keys":["a","b"],"values":[)" + number(7) + "," + number(8) +
                R"(]}},{"s":null,"l":[],"m":{"keys":[],"values":[]}},{"s":{"v":)" + number(3) +
                R"(,"missing":null},"l":[)" + number(6) + R"(],"m":{"keys":["c"],"values":[)" +
                number(9) + "]}}]");
}

TEST_F(VariantColumnTest, FiltersAskWhetherItIsNull) {
  const auto column = Variant(Texts(3, kNone), {"\x04", "", std::string(1, '\0')},
                              Json(arrow::int32(), "[null, null, null]"), {1, 0, 1});
  const FileScanTask task = TaskFor(WriteColumn(column));
  const auto read = [&](const char* filter) {
    FileScanTask filtered = task;
    filtered.residual = std::make_shared<BoundFilter>(Bind(ParseFilter(filter), table_));
    return ReadColumn(RequestFor(table_), filtered);
  };
  EXPECT_EQ(read("v IS NULL"), "null");
  // A variant null is a value.
  EXPECT_EQ(read("v IS NOT NULL"), R"(true {"$type":"NULL","$value":null})");
  const Error error = ErrorFrom([&] { read("v = 1"); });
  EXPECT_EQ(error.code(), ErrorCode::kUsage);
  EXPECT_NE(error.message().find("variant"), std::string::npos) << error.message();
}

TEST_F(VariantColumnTest, RandomVariantsComeThroughFilesAndBatches) {
  constexpr uint64_t kSeed = 7;
  std::mt19937_64 random(kSeed);
  Texts metadata;
  Texts values;
  std::string expected;
  for (int i = 0; i < 500; ++i) {
    const RandomVariant variant = MakeRandomVariant(random);
    metadata.emplace_back(variant.metadata);
    values.emplace_back(variant.value);
    expected += (i > 0 ? " " : "") + variant.json.dump();
  }
  const auto column = Group({arrow::field("metadata", arrow::binary(), false),
                             arrow::field("value", arrow::binary(), false)},
                            {Binary(metadata), Binary(values)});
  ReadRequest request = RequestFor(table_);
  request.options.batch_size = 37;
  EXPECT_EQ(ReadColumn(request, TaskFor(WriteColumn(column))), expected);
}

}  // namespace
}  // namespace nunatak
