#pragma once

#include <arrow/api.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/error.h"
#include "nunatak/io/file_io.h"
#include "nunatak/plan/file_scan_task.h"
#include "nunatak/read/read_request.h"

namespace nunatak {

/// A column of a file that a test writes; id 0 stands for none.
std::shared_ptr<arrow::Field> FileColumn(int32_t id, const std::string& name,
                                         std::shared_ptr<arrow::DataType> type,
                                         bool nullable = true);

/// A field of a table's schema.
Field TableColumn(int32_t id, std::string name, Type type, bool required = false);
Field TableColumn(int32_t id, std::string name, Type type, Value initial_default);

Schema TableOf(std::vector<Field> fields);

/// A table with no name mapping, read whole.
ReadRequest RequestFor(const Schema& schema);

/// The error that `call` throws; a failure when it throws none.
Error ErrorFrom(const std::function<void()>& call);

struct FileOptions {
  int64_t rows_per_group = 1024 * 1024;
  bool embed_arrow_schema = false;
  bool dictionary = true;
  bool decimals_as_integers = false;
};

/// Parquet files in a folder of their own, and scans of them.
class ScanTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  /// Writes rows given as JSON: an array with one array of values per row, in the form of Arrow's
  /// `ArrayFromJSONString`.
  std::string Write(const arrow::FieldVector& columns, const std::string& rows,
                    const FileOptions& options = {});
  std::string WriteTable(const arrow::Table& table, const FileOptions& options = {});
  /// A file of `rows` rows with the column `id` (field 1) counting from 0.
  std::string WriteCounting(int64_t rows, const FileOptions& options = {});
  std::string WriteBytes(const std::string& name, std::string_view bytes);

  /// A task for the whole of a file.
  FileScanTask TaskFor(const std::string& path, int64_t record_count = 0);
  /// Attaches a position delete file with these rows; `data_paths[i]` goes with `positions[i]`.
  void DeletePositions(FileScanTask& task, const std::vector<std::string>& data_paths,
                       const std::vector<int64_t>& positions);

  /// An equality delete file with these rows, which compares by the fields `ids`.
  std::shared_ptr<const DeleteFile> WriteKeys(std::vector<int32_t> ids,
                                              const arrow::FieldVector& columns,
                                              const std::string& rows,
                                              const FileOptions& options = {});

  /// The rows of the tasks as text: one JSON array of objects.
  std::string Read(const ReadRequest& request, std::vector<FileScanTask> tasks,
                   const Context& context = {});
  std::string Read(const ReadRequest& request, const FileScanTask& task) {
    return Read(request, std::vector<FileScanTask>{task});
  }
  /// The values of one column of a one-column scan, as JSON texts joined by blanks.
  std::string ReadColumn(const ReadRequest& request, std::vector<FileScanTask> tasks,
                         const Context& context = {});
  std::string ReadColumn(const ReadRequest& request, const FileScanTask& task) {
    return ReadColumn(request, std::vector<FileScanTask>{task});
  }

  std::shared_ptr<FileIO> io_ = MakeLocalFileIO();

 private:
  std::string folder_;
  int files_ = 0;
};

}  // namespace nunatak
