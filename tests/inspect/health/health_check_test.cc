#include "nunatak/inspect/health/health_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <string>
#include <vector>

#include "test_data.h"

namespace nunatak {
namespace {

TEST(HealthChecks, HaveNamesInKebabCaseAndAreFoundByThem) {
  for (const HealthCheckInfo& info : AllHealthChecks()) {
    EXPECT_TRUE(std::all_of(info.name.begin(), info.name.end(), [](char c) {
      return std::islower(c) != 0 || c == '-';
    })) << info.name;
    EXPECT_EQ(&InfoOf(info.check), &info);
  }
}

TEST(HealthChecks, SayWhyAndWhatToRun) {
  for (const HealthCheckInfo& info : AllHealthChecks()) {
    EXPECT_FALSE(info.why.empty()) << info.name;
    EXPECT_FALSE(info.why.ends_with('.')) << info.name;
    EXPECT_NE(info.remedy.find(": "), std::string_view::npos) << info.name;
  }
}

TEST(HealthChecks, AreThoseOfThePage) {
  std::ifstream page(TestData() / "../../docs/health.md");
  std::vector<std::string> described;
  bool in_table = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| check |")) in_table = true;
    if (line.empty()) in_table = false;
    if (in_table && line.starts_with("| `"))
      described.push_back(line.substr(3, line.find('`', 3) - 3));
  }
  std::vector<std::string> checks;
  for (const HealthCheckInfo& info : AllHealthChecks()) checks.emplace_back(info.name);
  EXPECT_EQ(described, checks);
}

}  // namespace
}  // namespace nunatak
