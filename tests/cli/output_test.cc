#include "nunatak/cli/output.h"

#include <gtest/gtest.h>

#include "cli/temporary_file.h"

namespace nunatak::cli {
namespace {

using nlohmann::ordered_json;

/// What a printer writes for some rows.
std::string Printed(OutputFormat format, const std::vector<std::string>& columns,
                    const std::vector<ordered_json>& rows, int width = 0) {
  std::FILE* file = std::tmpfile();
  RowPrinter printer(format, columns, Terminal{.stream = file, .width = width});
  for (const ordered_json& row : rows) printer.Add(row);
  printer.Finish();
  return ContentOf(file);
}

const std::vector<std::string> kColumns = {"id", "name"};
const std::vector<ordered_json> kRows = {{{"id", 1}, {"name", "a"}},
                                         {{"id", 20}, {"name", nullptr}},
                                         {{"id", 300}, {"name", ordered_json::array({1, "x"})}}};

TEST(RowPrinter, Table) {
  EXPECT_EQ(Printed(OutputFormat::kTable, kColumns, kRows),
            " id  name\n"
            "---  -------\n"
            "  1  a\n"
            " 20\n"
            "300  [1,\"x\"]\n");
}

TEST(RowPrinter, Json) {
  EXPECT_EQ(Printed(OutputFormat::kJson, kColumns, kRows),
            "[\n{\"id\":1,\"name\":\"a\"},\n{\"id\":20,\"name\":null},\n"
            "{\"id\":300,\"name\":[1,\"x\"]}\n]\n");
  EXPECT_EQ(Printed(OutputFormat::kJson, kColumns, {}), "[]\n");
}

TEST(RowPrinter, Ndjson) {
  EXPECT_EQ(Printed(OutputFormat::kNdjson, kColumns, {kRows[0], kRows[1]}),
            "{\"id\":1,\"name\":\"a\"}\n{\"id\":20,\"name\":null}\n");
  EXPECT_EQ(Printed(OutputFormat::kNdjson, kColumns, {}), "");
}

TEST(RowPrinter, Csv) {
  const std::vector<ordered_json> rows = {{{"id", 1}, {"name", "a,b"}},
                                          {{"id", nullptr}, {"name", "say \"hi\"\n"}},
                                          {{"id", true}, {"name", ""}},
                                          {{"id", 1.5}, {"name", {{"k", 2}}}}};
  EXPECT_EQ(Printed(OutputFormat::kCsv, kColumns, rows),
            "id,name\n1,\"a,b\"\n,\"say \"\"hi\"\"\n\"\ntrue,\"\"\n1.5,\"{\"\"k\"\":2}\"\n");
  EXPECT_EQ(Printed(OutputFormat::kCsv, kColumns, {}), "id,name\n");
}

TEST(RowPrinter, EmptyTableHasItsHeader) {
  EXPECT_EQ(Printed(OutputFormat::kTable, kColumns, {}), "id  name\n--  ----\n");
}

TEST(RowPrinter, FitsTheTerminalByShorteningTheWidestColumn) {
  const std::vector<ordered_json> rows = {{{"id", 1}, {"name", std::string(200, 'x')}}};
  const std::string text = Printed(OutputFormat::kTable, kColumns, rows, 20);
  EXPECT_EQ(text, "id  name\n--  ----------------\n 1  " + std::string(15, 'x') + "…\n");
}

TEST(RowPrinter, CountsTheColumnsThatDoNotFit) {
  std::vector<std::string> columns;
  ordered_json row;
  for (char c : std::string("abcde")) {
    columns.emplace_back(1, c);
    row[columns.back()] = std::string(30, c);
  }
  EXPECT_EQ(Printed(OutputFormat::kTable, columns, {row}, 40),
            "a             b             c\n"
            "------------  ------------  ------------\n"
            "aaaaaaaaaaa…  bbbbbbbbbbb…  ccccccccccc…\n"
            "… and 2 more columns: --format ndjson shows all\n");
  columns.pop_back();
  const std::string text = Printed(OutputFormat::kTable, columns, {row}, 40);
  EXPECT_TRUE(text.ends_with("… and 1 more column: --format ndjson shows all\n")) << text;
}

TEST(RowPrinter, NumbersAreNeverShortened) {
  const ordered_json row = {{"id", 3884063363602983461}, {"a_long_name_of_a_count", 7}, {"c", 1}};
  EXPECT_EQ(Printed(OutputFormat::kTable, {"id", "a_long_name_of_a_count", "c"}, {row}, 34),
            "                 id  a_long_na…  c\n"
            "-------------------  ----------  -\n"
            "3884063363602983461           7  1\n");
}

TEST(RowPrinter, LocationsKeepTheirEnds) {
  const ordered_json row = {{"file", "file:///warehouse/data/00001.parquet"}, {"id", 1}};
  EXPECT_EQ(Printed(OutputFormat::kTable, {"file", "id"}, {row}, 19),
            "file             id\n"
            "---------------  --\n"
            "…/00001.parquet   1\n");
}

TEST(RowPrinter, ShowsOneColumnHoweverNarrowTheTerminal) {
  EXPECT_EQ(Printed(OutputFormat::kTable, kColumns, {{{"id", "abcdef"}, {"name", "x"}}}, 4),
            "id\n------\nabcdef\n… and 1 more column: --format ndjson shows all\n");
}

TEST(RowPrinter, OnlyTablesAreShortened) {
  const std::vector<ordered_json> rows = {{{"id", 1}, {"name", std::string(200, 'x')}}};
  for (OutputFormat format : {OutputFormat::kJson, OutputFormat::kNdjson, OutputFormat::kCsv}) {
    EXPECT_EQ(Printed(format, kColumns, rows, 20), Printed(format, kColumns, rows));
  }
}

TEST(RowPrinter, TheHeaderHasAStyleWhereStylesShow) {
  std::FILE* file = std::tmpfile();
  RowPrinter printer(OutputFormat::kTable, {"id"}, {.stream = file, .colour = true});
  printer.Add({{"id", 1}});
  printer.Finish();
  EXPECT_EQ(ContentOf(file), "\x1b[1mid\x1b[0m\n--\n 1\n");
}

TEST(RowPrinter, ControlCharactersDoNotReachTheTerminal) {
  EXPECT_EQ(Printed(OutputFormat::kTable, {"c"}, {{{"c", "a\x1b[31m\nb"}}}),
            "c\n--------\na [31m b\n");
}

TEST(RowPrinter, TextThatIsNotUtf8IsReplacedNotFatal) {
  EXPECT_EQ(Printed(OutputFormat::kNdjson, {"c"}, {{{"c", "a\xE2"}}}),
            "{\"c\":\"a\xEF\xBF\xBD\"}\n");
}

TEST(RowPrinter, KeepsItsWidthsAfterTheRowsThatItHeldBack) {
  std::vector<ordered_json> rows(1000, {{"c", "ab"}, {"n", 1}});
  rows.push_back({{"c", "longer than the rest"}, {"n", 12345}});
  EXPECT_TRUE(Printed(OutputFormat::kTable, {"c", "n"}, rows, 80).ends_with("ab  1\nl…  12345\n"));
  const std::string whole = Printed(OutputFormat::kTable, {"c", "n"}, rows);
  EXPECT_TRUE(whole.ends_with("ab  1\nlonger than the rest  12345\n")) << "a file has room";
}

}  // namespace
}  // namespace nunatak::cli
