// The tables of other engines, against what those engines say of them: $NUNATAK_CORPUS, or "corpus"
// in a directory "shared" beside the checkout; skipped where there is none.
#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "delta/log_fixture.h"
#include "nunatak/delta/change_reader.h"
#include "nunatak/expr/bound_filter.h"
#include "nunatak/read/count_rows.h"
#include "nunatak/read/select_fields.h"
#include "test_data.h"

namespace nunatak::delta {
namespace {

using nlohmann::json;

std::filesystem::path Corpus() {
  const char* given = std::getenv("NUNATAK_CORPUS");
  const std::filesystem::path corpus =
      given && *given ? std::filesystem::path(given) : TestData() / "../../../shared/corpus";
  return (corpus / "delta").lexically_normal();
}

std::vector<std::string> TableNames() {
  constexpr std::string_view kEnd = ".expect.json";
  std::vector<std::string> names;
  if (!std::filesystem::is_directory(Corpus())) return names;
  for (const auto& file : std::filesystem::directory_iterator(Corpus())) {
    const std::string name = file.path().filename().string();
    if (name.ends_with(kEnd)) names.push_back(name.substr(0, name.size() - kEnd.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

json ExpectationOf(const std::string& name) {
  std::ifstream in(Corpus() / (name + ".expect.json"));
  return json::parse(in);
}

class CorpusTable {
 public:
  explicit CorpusTable(const std::string& name)
      : root_((Corpus() / name).string()), table_(OpenTable(MakeLocalFileIO(), root_)) {}

  std::vector<FileScanTask> Plan(const Snapshot& snapshot, const std::string& where) const {
    const auto source = MakeSnapshotSource(table_, snapshot);
    BoundFilter filter;
    if (where != "true") filter = BindFilter(where, source->schema());
    return TableScan(source, std::move(filter)).PlanFiles(Context()).tasks;
  }
  int64_t Count(const Snapshot& snapshot, const std::vector<FileScanTask>& tasks) const {
    return CountRows(table_.io, Context(), ReadRequestOf(snapshot, snapshot.schema()), tasks);
  }
  Snapshot Load(std::optional<int64_t> version = std::nullopt) const {
    return LoadSnapshot(table_, Context(), version);
  }
  std::set<std::string> NamesOf(const std::vector<FileScanTask>& tasks) const {
    std::set<std::string> names;
    for (const FileScanTask& task : tasks) {
      names.insert(task.data_file->file_path.substr(root_.size() + 1));
    }
    return names;
  }

 private:
  std::string root_;
  Table table_;
};

void CheckPlan(const CorpusTable& table, const Snapshot& snapshot, const json& plan) {
  if (plan.contains("error") || plan.contains("nan_or_zero_ambiguous")) return;
  const std::string where = plan["filter"];
  const std::vector<FileScanTask> tasks = table.Plan(snapshot, where);
  if (plan.contains("expected_files") && plan["expected_files"].is_array()) {
    const auto expected = plan["expected_files"].get<std::set<std::string>>();
    for (const std::string& name : table.NamesOf(tasks)) {
      EXPECT_TRUE(expected.contains(name)) << where << ": " << name << " is not needed";
    }
  }
  const char* rows = plan.contains("oracle_rows") ? "oracle_rows" : "expected_rows";
  if (!plan.contains(rows) || (plan.contains("rows_disagree") && plan["rows_disagree"])) return;
  EXPECT_EQ(table.Count(snapshot, tasks), plan[rows].get<int64_t>()) << where;
}

void CheckTable(const std::string& name, const json& expected) {
  if (expected.value("must_refuse", false)) {
    EXPECT_THROW(CorpusTable(name).Load(), Error);
    return;
  }
  const CorpusTable table(name);
  const Snapshot snapshot = table.Load();
  const std::vector<FileScanTask> tasks = table.Plan(snapshot, "true");
  EXPECT_EQ(table.NamesOf(tasks), expected.at("files_live").get<std::set<std::string>>());
  EXPECT_EQ(table.Count(snapshot, tasks), expected.at("current_rows").at("count").get<int64_t>());
  for (const json& plan : expected.value("plans", json::array())) CheckPlan(table, snapshot, plan);
  for (const json& version : expected.value("versions", json::array())) {
    if (!version.contains("row_count") || version["row_count"].is_null()) continue;
    const Snapshot earlier = table.Load(version["version"].get<int64_t>());
    EXPECT_EQ(table.Count(earlier, table.Plan(earlier, "true")), version["row_count"])
        << "version " << version["version"];
  }
}

/// One change in short: version, what happened, and the row's columns id and s.
using Change = std::tuple<int64_t, std::string, int64_t, std::string>;

std::vector<Change> ExpectedChanges(const json& rows) {
  std::vector<Change> changes;
  for (const json& row : rows) {
    changes.emplace_back(row.at("_commit_version"), row.at("_change_type"), row.at("id"),
                         row.at("s").is_null() ? "(null)" : row.at("s").get<std::string>());
  }
  std::sort(changes.begin(), changes.end());
  return changes;
}

std::vector<Change> ReadChanges(const std::string& name, const json& range) {
  const Table table = OpenTable(MakeLocalFileIO(), (Corpus() / name).string());
  std::optional<int64_t> end;
  if (!range.at("end").is_null()) end = range.at("end").get<int64_t>();
  const auto last = std::make_shared<const Snapshot>(LoadSnapshot(table, Context(), end));
  const std::vector<std::string> names = {"_commit_version", "_change_type", "id", "s"};
  ChangeReader reader(table, Context(), last,
                      {.from_exclusive = range.at("start").get<int64_t>() - 1,
                       .projection = SelectFields(WithVersionColumns(last->schema()), names),
                       .filter = {}});
  std::vector<Change> changes;
  while (const auto batch = reader.Next()) {
    const auto& versions = static_cast<const arrow::Int64Array&>(*batch->column(0));
    const auto& types = static_cast<const arrow::StringArray&>(*batch->column(1));
    const auto& ids = static_cast<const arrow::Int64Array&>(*batch->column(2));
    const auto& texts = static_cast<const arrow::StringArray&>(*batch->column(3));
    for (int64_t i = 0; i < batch->num_rows(); ++i) {
      changes.emplace_back(versions.Value(i), types.GetString(i), ids.Value(i),
                           texts.IsNull(i) ? "(null)" : texts.GetString(i));
    }
  }
  std::sort(changes.begin(), changes.end());
  return changes;
}

TEST(DeltaCorpus, Changes) {
  if (TableNames().empty()) GTEST_SKIP() << "no corpus at " << Corpus() << "; set NUNATAK_CORPUS";
  for (const std::string& name : TableNames()) {
    for (const json& range : ExpectationOf(name).value("table_changes", json::array())) {
      EXPECT_EQ(ReadChanges(name, range), ExpectedChanges(range.at("rows")))
          << name << " from version " << range.at("start");
    }
  }
}

TEST(DeltaCorpus, FilesRowsPlansAndVersions) {
  const std::vector<std::string> names = TableNames();
  if (names.empty()) GTEST_SKIP() << "no corpus at " << Corpus() << "; set NUNATAK_CORPUS";
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    try {
      CheckTable(name, ExpectationOf(name));
    } catch (const Error& error) {
      ADD_FAILURE() << error.message();
    } catch (const json::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

}  // namespace
}  // namespace nunatak::delta
