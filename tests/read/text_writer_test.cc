#include "nunatak/read/text_writer.h"

#include <arrow/json/from_string.h>

#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/cell.h"
#include "nunatak/read/cell_text.h"
#include "nunatak/read/text_escape.h"
#include "read/random_columns.h"
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
  TextBuffer text;
  AppendJsonString(all, &text);
  EXPECT_EQ(text.view(), nlohmann::json(all).dump());
  text.Clear();
  AppendJsonString(std::string_view("\0", 1), &text);
  EXPECT_EQ(text.view(), "\"\\u0000\"");
}

TEST(CellText, TextThatIsNotUtf8) {
  arrow::StringBuilder builder;
  ASSERT_TRUE(builder.AppendValues({"a\xFFz", "\xC3(", "ok"}).ok());
  const auto column = builder.Finish().ValueOrDie();
  for (int64_t row = 0; row < 3; ++row) {
    TextBuffer text;
    CellText(TypeId::kString, column).AppendJson(row, &text);
    EXPECT_EQ(text.view(), CellToJson(TypeId::kString, *column, row).dump());
  }
}

/// A CSV cell as a column of JSON cells has it.
std::string CsvOf(const nlohmann::ordered_json& cell) {
  TextBuffer text;
  if (!cell.is_null()) {
    AppendCsvField(cell.is_string() ? cell.get<std::string>() : cell.dump(), &text);
  }
  return std::string(text.view());
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
      TextBuffer json_text;
      cells.AppendJson(row, &json_text);
      const std::string_view json = json_text.view();
      ASSERT_EQ(nlohmann::ordered_json::parse(json), expected) << json;
      TextBuffer csv_text;
      cells.AppendCsv(row, &csv_text);
      const std::string_view csv = csv_text.view();
      // Numbers are those of the JSON, if not their digits.
      if (expected.is_number_float()) {
        ASSERT_EQ(csv, json);
      } else if (!type.is_nested()) {
        ASSERT_EQ(csv, CsvOf(expected));
      } else {
        TextBuffer quoted;
        if (!expected.is_null()) AppendCsvField(json, &quoted);
        ASSERT_EQ(csv, quoted.view());
      }
    }
  }
}

TEST(CellText, WholeNumbersHaveTheirDigits) {
  arrow::Int64Builder builder;
  std::vector<std::string> expected;
  for (const int64_t number :
       {int64_t{0}, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()}) {
    ASSERT_TRUE(builder.Append(number).ok());
    expected.push_back(std::to_string(number));
  }
  for (int64_t power = 1; power <= 1'000'000'000'000'000'000 / 10; power *= 10) {
    for (const int64_t number : {power - 1, power, 1 - power, -power, power * 9 + 7}) {
      ASSERT_TRUE(builder.Append(number).ok());
      expected.push_back(std::to_string(number));
    }
  }
  const CellText cells(TypeId::kLong, builder.Finish().ValueOrDie());
  for (size_t row = 0; row < expected.size(); ++row) {
    TextBuffer text;
    cells.AppendJson(static_cast<int64_t>(row), &text);
    EXPECT_EQ(text.view(), expected[row]);
  }
}

/// The rows of a map column with int keys as JSON objects.
std::vector<std::string> Objects(const Type& value, std::string_view rows) {
  const Type type = Type::Map({.id = 2, .name = "key", .required = true, .type = TypeId::kInt},
                              {.id = 3, .name = "value", .required = false, .type = value});
  const Schema table = TableOf({TableColumn(1, "m", type)});
  const auto batch = Rows(table, std::string(rows))->CombineChunksToBatch().ValueOrDie();
  const CellText cells(type, batch->column(0), MapForm::kObject);
  std::vector<std::string> texts;
  for (int64_t row = 0; row < batch->num_rows(); ++row) {
    TextBuffer text;
    cells.AppendJson(row, &text);
    texts.emplace_back(text.view());
  }
  return texts;
}

TEST(CellText, MapsAsObjects) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(Objects(TypeId::kLong, "[[[[1, 10], [-22, -4]]], [[]], [null], [[[7, 0]]]]"),
            (Texts{R"({"1":10,"-22":-4})", "{}", "null", R"({"7":0})"}));
  EXPECT_EQ(Objects(TypeId::kLong, "[[[[1, null], [2, 3]]]]"), (Texts{R"({"1":null,"2":3})"}));
  EXPECT_EQ(Objects(TypeId::kBinary, "[[[[1, \"az\"], [2, \"\"]]]]"),
            (Texts{R"({"1":"617A","2":""})"}));
  EXPECT_EQ(Objects(TypeId::kString, "[[[[5, \"a\"]]]]"), (Texts{R"({"5":"a"})"}));
}

TEST(CellText, StructsInStructs) {
  const auto field = [](int32_t id, std::string name, Type type) {
    return Field{.id = id, .name = std::move(name), .required = false, .type = std::move(type)};
  };
  const auto pair = [&field](int32_t id) {
    return Type::Struct({field(id, "n", TypeId::kLong), field(id + 1, "t", TypeId::kString)});
  };
  const Type type = Type::Struct({field(2, "a", pair(10)), field(3, "e\"", Type::Struct({})),
                                  field(4, "b", TypeId::kLong), field(5, "c", pair(20))});
  const Schema table = TableOf({TableColumn(1, "s", type)});
  const auto batch = Rows(table, R"([
      [{"a": {"n": 1, "t": "x"}, "e\"": {}, "b": 9, "c": null}],
      [{"a": {"n": -2, "t": ""}, "e\"": {}, "b": null, "c": {"n": 7, "t": null}}],
      [null],
      [{"a": {"n": null, "t": null}, "e\"": {}, "b": 0, "c": {"n": null, "t": "y"}}]])")
                         ->CombineChunksToBatch()
                         .ValueOrDie();
  const std::vector<std::string> expected = {
      R"({"a":{"n":1,"t":"x"},"e\"":{},"b":9,"c":null})",
      R"({"a":{"n":-2,"t":""},"e\"":{},"b":null,"c":{"n":7,"t":null}})", "null",
      R"({"a":{"n":null,"t":null},"e\"":{},"b":0,"c":{"n":null,"t":"y"}})"};
  // With the first rows left out, columns begin in the middle, and some have no nulls.
  for (int64_t begin = 0; begin < batch->num_rows(); ++begin) {
    for (int64_t end = begin + 1; end <= batch->num_rows(); ++end) {
      const CellText cells(type, batch->column(0)->Slice(begin, end - begin));
      for (int64_t row = 0; row < end - begin; ++row) {
        TextBuffer text;
        cells.AppendJson(row, &text);
        EXPECT_EQ(text.view(), expected[static_cast<size_t>(begin + row)]);
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
  TextBuffer text;
  cells.AppendJson(0, &text);
  cells.AppendJson(1, &text);
  EXPECT_EQ(text.view(), "\"a\"null");
  text.Clear();
  cells.AppendCsv(0, &text);
  text.Append('|');
  cells.AppendCsv(1, &text);
  EXPECT_EQ(text.view(), "\"\"\"a\"\"\"|");
}

}  // namespace
}  // namespace nunatak
