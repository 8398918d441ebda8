#include "delta/log_fixture.h"

#include "nunatak/expr/bound_filter.h"

namespace nunatak::delta {

std::vector<FileScanTask> LogFixture::Plan(std::string_view where, std::optional<int64_t> version,
                                           PlanOptions options) const {
  const Table table = Open();
  const auto source = MakeSnapshotSource(table, LoadSnapshot(table, Context(), version));
  BoundFilter filter;
  if (!where.empty()) filter = BindFilter(where, source->schema());
  return TableScan(source, std::move(filter), options).PlanFiles(Context()).tasks;
}

std::vector<std::string> LogFixture::Files(std::string_view where,
                                           std::optional<int64_t> version) const {
  std::vector<std::string> names;
  for (const FileScanTask& task : Plan(where, version)) {
    const std::string& path = task.data_file->file_path;
    EXPECT_TRUE(path.starts_with(root_.string() + "/")) << path;
    names.push_back(path.substr(root_.string().size() + 1));
  }
  return names;
}

}  // namespace nunatak::delta
