#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/delta/snapshot.h"
#include "nunatak/delta/table.h"
#include "nunatak/plan/table_scan.h"

namespace nunatak::delta {

inline constexpr std::string_view kProtocol =
    R"({"protocol":{"minReaderVersion":1,"minWriterVersion":2}})";

/// A protocol that lists features for readers.
inline std::string ProtocolWith(const std::string& features) {
  return fmt::format(
      R"({{"protocol":{{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":[{}],)"
      R"("writerFeatures":[{}]}}}})",
      features, features);
}

/// Text inside a JSON string.
inline std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '"' || c == '\\') escaped.push_back('\\');
    escaped.push_back(c);
  }
  return escaped;
}

/// A field of a schema string.
inline std::string FieldJson(std::string_view name, std::string_view type,
                             std::string_view metadata = "{}") {
  return fmt::format(R"({{"name":"{}","type":{},"nullable":true,"metadata":{}}})", name, type,
                     metadata);
}

inline std::string MetadataJson(const std::vector<std::string>& fields,
                                std::string_view partition_columns = "",
                                std::string_view configuration = "") {
  const std::string schema =
      fmt::format(R"({{"type":"struct","fields":[{}]}})", fmt::join(fields, ","));
  return fmt::format(R"({{"metaData":{{"id":"m","format":{{"provider":"parquet","options":{{}}}},)"
                     R"("schemaString":"{}","partitionColumns":[{}],"configuration":{{{}}}}}}})",
                     Escaped(schema), partition_columns, configuration);
}

/// An `add` action; `more` are further fields, each with a comma before it.
inline std::string AddJson(std::string_view path, std::string_view stats = "",
                           std::string_view partition_values = "", std::string_view more = "") {
  return fmt::format(
      R"({{"add":{{"path":"{}","partitionValues":{{{}}},"size":10,"modificationTime":1,)"
      R"("dataChange":true{}{}}}}})",
      path, partition_values,
      stats.empty() ? std::string() : fmt::format(R"(,"stats":"{}")", Escaped(stats)), more);
}

inline std::string RemoveJson(std::string_view path, std::string_view more = "") {
  return fmt::format(R"({{"remove":{{"path":"{}","dataChange":true{}}}}})", path, more);
}

/// The log of a table in a directory of its own, which goes with it.
class LogFixture {
 public:
  LogFixture() {
    static int count = 0;
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = std::filesystem::temp_directory_path() /
            fmt::format("nunatak-delta-{}-{}-{}", ::getpid(), test->name(), ++count);
    std::filesystem::create_directories(root_ / "_delta_log");
  }
  ~LogFixture() { std::filesystem::remove_all(root_); }
  LogFixture(const LogFixture&) = delete;
  LogFixture& operator=(const LogFixture&) = delete;

  const std::filesystem::path& root() const { return root_; }

  void Write(std::string_view name, std::string_view text) const {
    std::ofstream(root_ / "_delta_log" / name, std::ios::binary) << text;
  }
  void Remove(std::string_view name) const { std::filesystem::remove(root_ / "_delta_log" / name); }
  static std::string CommitName(int64_t version) { return fmt::format("{:020}.json", version); }
  void Commit(int64_t version, const std::vector<std::string>& actions) const {
    Write(CommitName(version), fmt::format("{}\n", fmt::join(actions, "\n")));
  }

  Table Open() const { return OpenTable(MakeLocalFileIO(), root_.string()); }
  Snapshot Load(std::optional<int64_t> version = std::nullopt) const {
    return LoadSnapshot(Open(), Context(), version);
  }
  /// The tasks of a scan, with a filter as text.
  std::vector<FileScanTask> Plan(std::string_view where = "",
                                 std::optional<int64_t> version = std::nullopt,
                                 PlanOptions options = {}) const;
  /// The names of the files that are planned, in the order of the plan.
  std::vector<std::string> Files(std::string_view where = "",
                                 std::optional<int64_t> version = std::nullopt) const;

 private:
  std::filesystem::path root_;
};

/// Calls `call`, which must throw an `Error` of this kind; returns its message and hint in one
/// text.
template <typename Call>
std::string ErrorOf(ErrorCode code, Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(ExitCode(error.code()), ExitCode(code)) << error.message();
    return error.message() + " | " + error.hint();
  }
  ADD_FAILURE() << "no error was thrown";
  return "";
}

}  // namespace nunatak::delta
