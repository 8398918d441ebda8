#include "nunatak/read/text_writer.h"

#include <arrow/json/from_string.h>

#include <random>

#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/cell.h"
#include "nunatak/read/cell_text.h"
#include "nunatak/read/text_escape.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

std::shared_ptr<arrow::Table> Rows(const Schema& schema, const std::string& json) {
  const auto arrow_schema = ArrowSchemaOf(schema);
  const auto rows =
      arrow::json::ArrayFromJSONString(arrow::struct_(arrow_schema->fields()), json).ValueOrDie();
  return arrow::Table::FromRecordBatches(arrow_schema, {arrow::RecordBatch::FromStructArray(rows)
                                                            .ValueOrDie()
                                                            ->ReplaceSchema(arrow_schema)
                                                            .ValueOrDie()})
      .ValueOrDie();
}

const Schema kTable =
    TableOf({TableColumn(1, "id", TypeId::kLong), TableColumn(2, "name", TypeId::kString),
             TableColumn(3, "l", Type::List(TableColumn(4, "element", TypeId::kDouble)))});

TEST(ToCsv, OneLinePerRowUnderTheNamesOfTheColumns) {
  const auto rows = Rows(kTable, R"([[1, "a", [1.5, null]], [null, null, null], [-3, "", []]])");
  EXPECT_EQ(ToCsv(kTable, *rows), "id,name,l\n1,a,\"[1.5,null]\"\n,,\n-3,\"\",[]\n");
  EXPECT_EQ(ToCsv(kTable, *rows->Slice(2), /*header=*/false), "-3,\"\",[]\n");
  EXPECT_EQ(ToCsv(kTable, *rows->Slice(3)), "id,name,l\n");
}

TEST(ToCsv, QuotesWhatReadersWouldTakeForSomethingElse) {
  const Schema table = TableOf({TableColumn(1, "a,b", TypeId::kString)});
  const auto rows =
      Rows(table, R"([["x,y"], ["say \"hi\""], ["two\nlines"], [" edge "], ["in side"],
                                    ["cr\r"]])");
  EXPECT_EQ(
      ToCsv(table, *rows),
      "\"a,b\"\n\"x,y\"\n\"say \"\"hi\"\"\"\n\"two\nlines\"\n\" edge \"\nin side\n\"cr\r\"\n");
}

TEST(ToCsv, EmptyBytesAreNotNull) {
  const Schema table = TableOf({TableColumn(1, "b", TypeId::kBinary)});
  EXPECT_EQ(ToCsv(table, *Rows(table, R"([[""], [null], ["z"]])"), false), "\"\"\n\n7A\n");
}

TEST(ToJson, OneArrayOfObjects) {
  const auto rows = Rows(kTable, R"([[1, "a", [1.5, null]], [null, null, null]])");
  EXPECT_EQ(ToJson(kTable, *rows),
            "[\n{\"id\":1,\"name\":\"a\",\"l\":[1.5,null]},\n"
            "{\"id\":null,\"name\":null,\"l\":null}\n]\n");
  EXPECT_EQ(ToJson(kTable, *rows->Slice(2)), "[]\n");
}

TEST(ToJson, RowsWithoutColumnsAreRows) {
  const auto batch =
      arrow::RecordBatch::Make(arrow::schema(arrow::FieldVector{}), 2, arrow::ArrayVector{});
  std::string text;
  TextWriter writer(TableOf({}), {.form = TextForm::kNdjson},
                    [&](std::string_view piece) { text += piece; });
  writer.Write(*batch);
  writer.Finish();
  EXPECT_EQ(text, "{}\n{}\n");
}

TEST(TextWriter, PassesTextOnInPieces) {
  const Schema table = TableOf({TableColumn(1, "s", TypeId::kString)});
  const std::string value(1000, 'x');
  const auto batch = Rows(table, "[[\"" + value + "\"]]")->CombineChunksToBatch().ValueOrDie();
  std::vector<size_t> pieces;
  TextWriter writer(table, {.form = TextForm::kCsv},
                    [&](std::string_view piece) { pieces.push_back(piece.size()); });
  for (int i = 0; i < 200; ++i) writer.Write(*batch);
  writer.Finish();
  EXPECT_EQ(pieces, (std::vector<size_t>{66068, 66066, 66066, 2002}));
}

TEST(AppendJsonString, EscapesWhatJsonDemands) {
  std::string all;
  for (int c = 1; c < 128; ++c) all += static_cast<char>(c);
  all += "é€😀";
  std::string text;
  AppendJsonString(all, &text);
  EXPECT_EQ(text, nlohmann::json(all).dump());
  text.clear();
  AppendJsonString(std::string_view("\0", 1), &text);
  EXPECT_EQ(text, "\"\\u0000\"");
}

TEST(CellText, TextThatIsNotUtf8) {
  arrow::StringBuilder builder;
  ASSERT_TRUE(builder.AppendValues({"a\xFFz", "\xC3(", "ok"}).ok());
  const auto column = builder.Finish().ValueOrDie();
  for (int64_t row = 0; row < 3; ++row) {
    std::string text;
    CellText(TypeId::kString, column).AppendJson(row, &text);
    EXPECT_EQ(text, CellToJson(TypeId::kString, *column, row).dump());
  }
}

/// Random columns of every type.
class RandomColumns {
 public:
  explicit RandomColumns(uint32_t seed) : random_(seed) {}

  Type RandomType(int depth) {
    const Type kPrimitives[] = {
        TypeId::kBoolean,       TypeId::kInt,         TypeId::kLong,        TypeId::kFloat,
        TypeId::kDouble,        Type::Decimal(38, 7), Type::Decimal(9, 0),  TypeId::kDate,
        TypeId::kTime,          TypeId::kTimestamp,   TypeId::kTimestampTz, TypeId::kTimestampNs,
        TypeId::kTimestampTzNs, TypeId::kString,      TypeId::kUuid,        Type::Fixed(3),
        TypeId::kBinary,        Type::Geometry("x"),  TypeId::kUnknown};
    constexpr size_t kCount = std::size(kPrimitives);
    const size_t choice = Below(depth > 0 ? kCount + 3 : kCount);
    if (choice < kCount) return kPrimitives[choice];
    if (choice == kCount) return Type::List(Part("element", depth - 1));
    if (choice == kCount + 1) return Type::Map(Part("key", 0), Part("value", depth - 1));
    return Type::Struct({Part("a\"b", depth - 1), Part("é", depth - 1)});
  }

  /// One cell, in the form that Arrow's builders take.
  void Append(const Type& type, arrow::ArrayBuilder& builder, bool may_be_null = true) {
    if (type.id() == TypeId::kUnknown || (may_be_null && Below(5) == 0)) {
      return Check(builder.AppendNull());
    }
    switch (type.id()) {
      case TypeId::kStruct: {
        auto& structs = static_cast<arrow::StructBuilder&>(builder);
        Check(structs.Append());
        for (int i = 0; i < 2; ++i) {
          Append(type.fields()[static_cast<size_t>(i)].type, *structs.field_builder(i));
        }
        return;
      }
      case TypeId::kList: {
        auto& lists = static_cast<arrow::ListBuilder&>(builder);
        Check(lists.Append());
        for (size_t n = Below(4); n > 0; --n) Append(type.element().type, *lists.value_builder());
        return;
      }
      case TypeId::kMap: {
        auto& maps = static_cast<arrow::MapBuilder&>(builder);
        Check(maps.Append());
        for (size_t n = Below(4); n > 0; --n) {
          Append(type.key().type, *maps.key_builder(), /*may_be_null=*/false);
          Append(type.value().type, *maps.item_builder());
        }
        return;
      }
      default:
        return AppendPrimitive(type, builder);
    }
  }

  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }

 private:
  Field Part(std::string name, int depth) {
    // The key of a map cannot be unknown.
    Type type = RandomType(depth);
    if (name == "key" && type.id() == TypeId::kUnknown) type = TypeId::kInt;
    const bool required = name == "key";
    return TableColumn(++fields_, std::move(name), std::move(type), required);
  }

  static void Check(const arrow::Status& status) { ASSERT_TRUE(status.ok()) << status.ToString(); }

  /// Any bits, or few.
  uint64_t Bits() { return random_() >> Below(64); }
  int64_t Integer() { return static_cast<int64_t>(Below(2) == 0 ? Bits() : uint64_t{0} - Bits()); }

  double Real() {
    const double kSpecial[] = {0.0,
                               -0.0,
                               1e16,
                               1e-5,
                               std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity(),
                               -1.5e300};
    const size_t choice = Below(14);
    if (choice < std::size(kSpecial)) return kSpecial[choice];
    return std::bit_cast<double>(random_());
  }

  std::string Text(bool any_bytes, size_t size) {
    const std::string_view kPieces[] = {"a", "\"", "\\", "\n", ",", " ", "é", "€", "😀", "\x01"};
    std::string text;
    while (text.size() < size) {
      text += any_bytes ? std::string(1, static_cast<char>(random_()))
                        : std::string(kPieces[Below(std::size(kPieces))]);
    }
    return text;
  }

  void AppendPrimitive(const Type& type, arrow::ArrayBuilder& builder) {
    switch (type.id()) {
      case TypeId::kBoolean:
        return Check(static_cast<arrow::BooleanBuilder&>(builder).Append(Below(2) == 0));
      case TypeId::kInt:
        return Check(
            static_cast<arrow::Int32Builder&>(builder).Append(static_cast<int32_t>(Integer())));
      case TypeId::kDate:
        return Check(
            static_cast<arrow::Date32Builder&>(builder).Append(static_cast<int32_t>(Integer())));
      case TypeId::kLong:
        return Check(static_cast<arrow::Int64Builder&>(builder).Append(Integer()));
      case TypeId::kTime:
        return Check(static_cast<arrow::Time64Builder&>(builder).Append(Integer()));
      case TypeId::kTimestamp:
      case TypeId::kTimestampTz:
      case TypeId::kTimestampNs:
      case TypeId::kTimestampTzNs:
        return Check(static_cast<arrow::TimestampBuilder&>(builder).Append(Integer()));
      case TypeId::kFloat:
        return Check(static_cast<arrow::FloatBuilder&>(builder).Append(static_cast<float>(Real())));
      case TypeId::kDouble:
        return Check(static_cast<arrow::DoubleBuilder&>(builder).Append(Real()));
      case TypeId::kDecimal:
        return Check(static_cast<arrow::Decimal128Builder&>(builder).Append(
            arrow::Decimal128(Integer() % 1'000'000'000)));
      case TypeId::kUuid:
        return Check(static_cast<arrow::FixedSizeBinaryBuilder&>(builder).Append(Text(true, 16)));
      case TypeId::kFixed:
        return Check(static_cast<arrow::FixedSizeBinaryBuilder&>(builder).Append(Text(true, 3)));
      case TypeId::kString:
        return Check(
            static_cast<arrow::StringBuilder&>(builder).Append(Text(Below(8) == 0, Below(9))));
      default:
        return Check(static_cast<arrow::BinaryBuilder&>(builder).Append(Text(true, Below(5))));
    }
  }

  std::mt19937_64 random_;
  int32_t fields_ = 100;
};

/// A CSV cell as a column of JSON cells has it.
std::string CsvOf(const nlohmann::ordered_json& cell) {
  std::string text;
  if (!cell.is_null()) {
    AppendCsvField(cell.is_string() ? cell.get<std::string>() : cell.dump(), &text);
  }
  return text;
}

TEST(CellText, IsWhatTheJsonOfACellSays) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    RandomColumns random(seed);
    const Type type = random.RandomType(3);
    const std::unique_ptr<arrow::ArrayBuilder> builder =
        arrow::MakeBuilder(ArrowTypeOf(type)).ValueOrDie();
    for (int i = 0; i < 50; ++i) random.Append(type, *builder);
    const auto column =
        builder->Finish().ValueOrDie()->Slice(static_cast<int64_t>(random.Below(9)));
    const CellText cells(type, column);
    for (int64_t row = 0; row < column->length(); ++row) {
      const nlohmann::ordered_json expected = CellToJson(type, *column, row);
      std::string json;
      cells.AppendJson(row, &json);
      ASSERT_EQ(nlohmann::ordered_json::parse(json), expected) << json;
      std::string csv;
      cells.AppendCsv(row, &csv);
      // Numbers are those of the JSON, if not their digits.
      if (expected.is_number_float()) {
        ASSERT_EQ(csv, json);
      } else if (!type.is_nested()) {
        ASSERT_EQ(csv, CsvOf(expected));
      } else {
        std::string quoted;
        if (!expected.is_null()) AppendCsvField(json, &quoted);
        ASSERT_EQ(csv, quoted);
      }
    }
  }
}

TEST(CellText, Variants) {
  const auto storage = arrow::struct_({arrow::field("metadata", arrow::binary(), false),
                                       arrow::field("value", arrow::binary(), false)});
  const auto array =
      arrow::json::ArrayFromJSONString(storage, R"([["\u0001\u0000\u0000", "\u0005a"], null])")
          .ValueOrDie();
  const auto column = arrow::ExtensionType::WrapArray(ArrowTypeOf(TypeId::kVariant), array);
  const CellText cells(TypeId::kVariant, column);
  std::string text;
  cells.AppendJson(0, &text);
  cells.AppendJson(1, &text);
  EXPECT_EQ(text, "\"a\"null");
  text.clear();
  cells.AppendCsv(0, &text);
  text += '|';
  cells.AppendCsv(1, &text);
  EXPECT_EQ(text, "\"\"\"a\"\"\"|");
}

}  // namespace
}  // namespace nunatak
