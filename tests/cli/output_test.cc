#include "nunatak/cli/output.h"

#include <gtest/gtest.h>

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
  std::rewind(file);
  std::string text(1 << 20, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
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

TEST(RowPrinter, ControlCharactersDoNotReachTheTerminal) {
  EXPECT_EQ(Printed(OutputFormat::kTable, {"c"}, {{{"c", "a\x1b[31m\nb"}}}),
            "c\n--------\na [31m b\n");
}

TEST(RowPrinter, TextThatIsNotUtf8IsReplacedNotFatal) {
  EXPECT_EQ(Printed(OutputFormat::kNdjson, {"c"}, {{{"c", "a\xE2"}}}),
            "{\"c\":\"a\xEF\xBF\xBD\"}\n");
}

TEST(RowPrinter, KeepsItsWidthsAfterTheRowsThatItHeldBack) {
  std::vector<ordered_json> rows(1000, {{"c", "ab"}});
  rows.push_back({{"c", "longer than the rest"}});
  const std::string text = Printed(OutputFormat::kTable, {"c"}, rows);
  EXPECT_TRUE(text.ends_with("ab\nl…\n")) << text.substr(text.size() - 40);
}

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(DisplayWidth("abc"), 3);
  EXPECT_EQ(DisplayWidth("größe"), 5);
  EXPECT_EQ(DisplayWidth("日本"), 4);
  EXPECT_EQ(DisplayWidth("😀"), 2);
  EXPECT_EQ(DisplayWidth("e\xCC\x81"), 1);
  EXPECT_EQ(DisplayWidth("\xE2"), 1);  // cut inside a character
}

TEST(Shorten, CutsBetweenCharacters) {
  EXPECT_EQ(Shorten("abcdef", 6), "abcdef");
  EXPECT_EQ(Shorten("abcdef", 4), "abc…");
  EXPECT_EQ(Shorten("日本語", 4), "日…");
}

}  // namespace
}  // namespace nunatak::cli
