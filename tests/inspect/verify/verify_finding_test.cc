#include "nunatak/inspect/verify/verify_finding.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "test_data.h"

namespace nunatak {
namespace {

TEST(Checks, HaveNamesOfTheirOwnInKebabCase) {
  std::set<std::string_view> names;
  for (const CheckInfo& info : AllChecks()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_TRUE(std::all_of(info.name.begin(), info.name.end(), [](char c) {
      return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
    })) << info.name;
    EXPECT_EQ(&InfoOf(info.check), &info);
  }
}

TEST(Checks, AreThoseOfThePage) {
  std::ifstream page(TestData() / "../../docs/verify.md");
  std::stringstream text;
  text << page.rdbuf();
  std::string table;
  for (const CheckInfo& info : AllChecks()) {
    table += fmt::format("| `{}` | {} | {} | {} |\n", info.name, ToString(info.severity),
                         info.meaning, info.section);
  }
  EXPECT_NE(text.str().find("|---|---|---|---|\n" + table + "\n"), std::string::npos) << table;
}

}  // namespace
}  // namespace nunatak
