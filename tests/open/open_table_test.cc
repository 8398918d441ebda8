#include "nunatak/open/open_table.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "nunatak/base/error.h"
#include "nunatak/open/no_meaning.h"
#include "nunatak/open/scan_input.h"
#include "nunatak/plan/table_scan.h"
#include "test_data.h"

namespace nunatak {
namespace {

std::string Path(const std::string& name) { return (TestData() / name).string(); }

OpenedTable Open(const std::string& name, OpenOptions options = {}) {
  options.moved = true;
  return OpenTable(MakeLocalFileIO(), Context(), Path(name), options);
}

Error ErrorOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error(ErrorCode::kIo, "");
}

TEST(OpenTable, TablesOfEveryFormatArePlannedTheSameWay) {
  struct Case {
    std::string name;
    TableFormat format;
    size_t files;
  };
  for (const Case& c : {Case{"iceberg/part-identity-string", TableFormat::kIceberg, 12},
                        Case{"hive/typed_levels", TableFormat::kHive, 6}}) {
    const OpenedTable opened = Open(c.name);
    EXPECT_EQ(opened.format(), c.format);
    const ScanInput input = MakeScanInput(opened);
    EXPECT_EQ(input.source->schema(), opened.schema());
    EXPECT_NE(input.request.schema.FindField("_file"), nullptr);
    const TableScan scan(input.source, BindFilter("", input.request.schema));
    EXPECT_EQ(scan.PlanFiles(Context()).tasks.size(), c.files) << c.name;
  }
}

TEST(OpenTable, AFormatThatIsGivenIsNotLookedFor) {
  EXPECT_EQ(Open("iceberg/part-identity-string/data", {.format = TableFormat::kHive}).format(),
            TableFormat::kHive);
  EXPECT_EQ(ErrorOf([] { Open("hive/typed_levels", {.format = TableFormat::kIceberg}); }).code(),
            ErrorCode::kNotFound);
}

TEST(OpenTable, AChoiceThatTheFormatDoesNotHaveIsRefused) {
  const std::string iceberg = "iceberg/part-identity-string";
  EXPECT_EQ(ErrorOf([&] { Open(iceberg, {.version = {.version = 1}}); }).code(), ErrorCode::kUsage);
  const VersionChoice choices[] = {
      {.snapshot_id = 1}, {.ref = "main"}, {.as_of_ms = 0}, {.version = 0}};
  for (const VersionChoice& choice : choices) {
    const Error error = ErrorOf([&] { Open("hive/typed_levels", {.version = choice}); });
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_NE(error.message().find("no versions"), std::string::npos) << error.message();
  }
}

TEST(OpenTable, AppendScansAreOfFormatsWithVersions) {
  const OpenedTable opened = Open("hive/typed_levels");
  EXPECT_EQ(ErrorOf([&] { MakeScanInput(opened, {.since = "-"}); }).code(),
            ErrorCode::kUnsupported);
}

TEST(NoMeaning, SaysOfWhichFormatWhyAndWhatInstead) {
  for (const TableFormat format : {TableFormat::kDelta, TableFormat::kHive}) {
    for (const char* verb : {"refs", "manifests", "diff", "du --by column"}) {
      const Error error = ErrorOf([&] { ThrowNoMeaning(format, verb); });
      EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
      const std::string start =
          std::string(verb) + " has no meaning for " + std::string(NounOf(format)) + ": ";
      EXPECT_TRUE(error.message().starts_with(start)) << error.message();
      EXPECT_NE(error.hint().find("nunatak "), std::string::npos) << error.hint();
    }
  }
}

}  // namespace
}  // namespace nunatak
