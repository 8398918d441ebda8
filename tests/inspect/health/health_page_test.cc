#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "nunatak/inspect/health/chart.h"
#include "nunatak/inspect/health/health_output.h"

namespace nunatak {
namespace {

TEST(HealthVerdict, CountsFindingsBySeverity) {
  using enum HealthSeverity;
  const std::pair<std::vector<HealthSeverity>, const char*> cases[] = {
      {{}, "health 100 of 100: nothing found"},
      {{kWarning}, "health 92 of 100: 1 warning"},
      {{kSerious, kWarning, kWarning, kInfo}, "health 63 of 100: 1 serious, 2 warnings, 1 info"}};
  for (const auto& [severities, want] : cases) {
    HealthReport report;
    for (const HealthSeverity severity : severities) {
      report.findings.push_back({.severity = severity});
    }
    report.score = HealthScore(report.findings);
    EXPECT_EQ(HealthVerdict(report), want);
  }
}

TEST(EscapeHtml, NothingBecomesMarkup) {
  struct Case {
    std::string text;
    std::string want;
  };
  for (const Case& c :
       std::vector<Case>{{"plain ä", "plain ä"},
                         {"<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"},
                         {"a\"b'c&d", "a&quot;b&#39;c&amp;d"},
                         {"&lt;", "&amp;lt;"},
                         {std::string("nul\0x1b\x1b", 8), "nul x1b "},
                         {"c1\xC2\x9Bm", "c1 m"},
                         {"bad\xFFutf\xC3", "bad\xEF\xBF\xBDutf\xEF\xBF\xBD"},
                         {"", ""}}) {
    EXPECT_EQ(EscapeHtml(c.text), c.want);
  }
}

constexpr std::string_view kHostile = "</title></svg><img src=x onerror='alert(\"1\")'>";

/// Every text that comes from a table is hostile.
HealthReport Hostile() {
  HealthReport report{.location = std::string(kHostile), .snapshot_id = 7, .measured_at_ms = 0};
  TableFigures& figures = report.figures;
  figures.data.files = 1;
  figures.data.by_size[3] = 1;
  figures.data.partitions["k"] = {.name = std::string(kHostile), .files = 1};
  figures.columns = {{.name = std::string(kHostile), .with_bounds = 1, .depth = {1, 1}}};
  figures.snapshots.commits_ms = {0};
  figures.deletes.vectors = 1;
  figures.deletes.data_files_by_deletes = {0, 1, 0, 0, 0};
  report.findings = {{.check = HealthCheck::kMissingMetrics,
                      .severity = HealthSeverity::kWarning,
                      .title = std::string(kHostile),
                      .figures = {{std::string(kHostile), std::string(kHostile)}}}};
  return report;
}

size_t Count(const std::string& text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(HealthPage, TextOfTheTableIsEscapedWhereverItIsShown) {
  const std::string page = HealthPage(Hostile());
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find("onerror='"), std::string::npos);
  EXPECT_EQ(Count(page, "</title>"), 1 + Count(page, "<g><title>"));
  EXPECT_EQ(Count(page, "</svg>"), 5U);
  EXPECT_GE(Count(page, "&lt;img src=x onerror=&#39;alert(&quot;1&quot;)&#39;&gt;"), 6U);
}

TEST(HealthPage, NeedsNothingElse) {
  const std::string page = HealthPage(Hostile());
  for (const char* reference :
       {"http:", "https:", "src=\"", "href", "url(", "@import", "<script", "<link", "<iframe"}) {
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
  }
}

TEST(HealthPage, ATableWithNothingInItHasAPage) {
  const std::string page = HealthPage(HealthReport{});
  EXPECT_NE(page.find("health 100 of 100: nothing found"), std::string::npos);
  EXPECT_EQ(Count(page, "There are none."), 5U);
}

TEST(Charts, HaveABarForEachSizeBetweenTheFirstAndTheLast) {
  TableFigures figures;
  figures.data.by_size[10] = 2;
  figures.data.by_size[12] = 3;
  const Chart sizes = ChartsOf(figures)[0];
  EXPECT_EQ(sizes.name, "file-sizes");
  ASSERT_EQ(sizes.bars.size(), 3U);
  EXPECT_EQ(sizes.bars[0].label, "from 1.0 KiB");
  EXPECT_EQ(sizes.bars[0].value, 2);
  EXPECT_EQ(sizes.bars[1].value, 0);
  EXPECT_EQ(sizes.bars[2].value, 3);
}

TEST(Charts, HaveEveryCommitInOnePeriod) {
  TableFigures figures;
  figures.snapshots.commits_ms = {0, 1000, 7'200'000, 86'400'000};
  const Chart commits = ChartsOf(figures)[2];
  EXPECT_EQ(commits.name, "commits");
  EXPECT_EQ(commits.bars.front().label, "1970-01-01T00:00");
  double sum = 0;
  for (const ChartBar& bar : commits.bars) sum += bar.value;
  EXPECT_EQ(sum, 4);
  EXPECT_EQ(commits.bars.front().value, 2);
  EXPECT_LE(commits.bars.size(), 31U);
  // Times that a subtraction would overflow on.
  figures.snapshots.commits_ms = {INT64_MIN, INT64_MAX};
  EXPECT_TRUE(ChartsOf(figures)[2].bars.empty());
}

}  // namespace
}  // namespace nunatak
