#include "read/scan_fixture.h"

#include <arrow/io/file.h>
#include <arrow/json/from_string.h>
#include <arrow/util/key_value_metadata.h>
#include <parquet/arrow/writer.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "nunatak/read/cell.h"
#include "nunatak/read/table_reader.h"

namespace nunatak {

std::shared_ptr<arrow::Field> FileColumn(int32_t id, const std::string& name,
                                         std::shared_ptr<arrow::DataType> type, bool nullable) {
  std::shared_ptr<arrow::Field> field = arrow::field(name, std::move(type), nullable);
  if (id == 0) return field;
  return field->WithMetadata(arrow::key_value_metadata({"PARQUET:field_id"}, {std::to_string(id)}));
}

Field TableColumn(int32_t id, std::string name, Type type, bool required) {
  Field field;
  field.id = id;
  field.name = std::move(name);
  field.required = required;
  field.type = std::move(type);
  return field;
}

Field TableColumn(int32_t id, std::string name, Type type, Value initial_default) {
  Field field = TableColumn(id, std::move(name), std::move(type));
  field.initial_default = std::move(initial_default);
  return field;
}

Schema TableOf(std::vector<Field> fields) { return Schema(0, std::move(fields)); }

ReadRequest RequestFor(const Schema& schema) {
  return ReadRequest{.schema = schema, .projection = schema};
}

Error ErrorFrom(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error(ErrorCode::kUsage, "no error");
}

void ScanTest::SetUp() {
  const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
  folder_ = ::testing::TempDir() + "nunatak_" + test->test_suite_name() + "_" + test->name() + "_" +
            std::to_string(::getpid());
  std::filesystem::remove_all(folder_);
  std::filesystem::create_directories(folder_);
}

void ScanTest::TearDown() { std::filesystem::remove_all(folder_); }

std::string ScanTest::Write(const arrow::FieldVector& columns, const std::string& rows,
                            const FileOptions& options) {
  const auto structs = arrow::json::ArrayFromJSONString(arrow::struct_(columns), rows).ValueOrDie();
  const auto batch = arrow::RecordBatch::FromStructArray(structs).ValueOrDie();
  const auto table = arrow::Table::FromRecordBatches(arrow::schema(columns), {batch}).ValueOrDie();
  return WriteTable(*table, options);
}

std::string ScanTest::WriteTable(const arrow::Table& table, const FileOptions& options) {
  parquet::WriterProperties::Builder properties;
  if (!options.dictionary) properties.disable_dictionary();
  if (options.decimals_as_integers) properties.enable_store_decimal_as_integer();
  parquet::ArrowWriterProperties::Builder arrow_properties;
  if (options.embed_arrow_schema) arrow_properties.store_schema();
  const std::string path = Path("f" + std::to_string(++files_) + ".parquet");
  const auto out = arrow::io::FileOutputStream::Open(path).ValueOrDie();
  const arrow::Status status =
      parquet::arrow::WriteTable(table, arrow::default_memory_pool(), out, options.rows_per_group,
                                 properties.build(), arrow_properties.build());
  if (!status.ok()) throw std::runtime_error(status.ToString());
  return path;
}

std::string ScanTest::WriteCounting(int64_t rows, const FileOptions& options) {
  arrow::Int64Builder builder;
  for (int64_t i = 0; i < rows; ++i) EXPECT_TRUE(builder.Append(i).ok());
  const auto table = arrow::Table::Make(arrow::schema({FileColumn(1, "id", arrow::int64())}),
                                        {builder.Finish().ValueOrDie()});
  return WriteTable(*table, options);
}

std::string ScanTest::WriteBytes(const std::string& name, std::string_view bytes) {
  std::ofstream(Path(name), std::ios::binary) << bytes;
  return Path(name);
}

FileScanTask ScanTest::TaskFor(const std::string& path, int64_t record_count) {
  DataFile file;
  file.file_path = path;
  file.record_count = record_count;
  std::error_code missing;
  file.file_size_in_bytes = static_cast<int64_t>(std::filesystem::file_size(path, missing));
  if (missing) file.file_size_in_bytes = 100;
  FileScanTask task;
  task.length = file.file_size_in_bytes;
  task.data_file = std::make_shared<DataFile>(std::move(file));
  return task;
}

void ScanTest::DeletePositions(FileScanTask& task, const std::vector<std::string>& data_paths,
                               const std::vector<int64_t>& positions) {
  nlohmann::json rows = nlohmann::json::array();
  for (size_t i = 0; i < positions.size(); ++i) rows.push_back({data_paths[i], positions[i]});
  const std::string path = Write({FileColumn(2147483546, "file_path", arrow::utf8(), false),
                                  FileColumn(2147483545, "pos", arrow::int64(), false)},
                                 rows.dump());
  DeleteFile deletes;
  deletes.file = *TaskFor(path, static_cast<int64_t>(positions.size())).data_file;
  deletes.file.content = FileContent::kPositionDeletes;
  task.deletes.push_back(std::make_shared<DeleteFile>(std::move(deletes)));
}

std::shared_ptr<const DeleteFile> ScanTest::WriteKeys(std::vector<int32_t> ids,
                                                      const arrow::FieldVector& columns,
                                                      const std::string& rows,
                                                      const FileOptions& options) {
  auto deletes = std::make_shared<DeleteFile>();
  deletes->file = *TaskFor(Write(columns, rows, options)).data_file;
  deletes->file.content = FileContent::kEqualityDeletes;
  deletes->file.equality_ids = std::move(ids);
  return deletes;
}

std::string ScanTest::Read(const ReadRequest& request, std::vector<FileScanTask> tasks,
                           const Context& context) {
  TableReader reader(io_, context, request, std::move(tasks));
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  while (const auto batch = reader.Next()) {
    const arrow::Status valid = batch->ValidateFull();
    EXPECT_TRUE(valid.ok()) << valid.ToString();
    EXPECT_TRUE(batch->schema()->Equals(*reader.schema(), /*check_metadata=*/true));
    for (int64_t i = 0; i < batch->num_rows(); ++i) {
      rows.push_back(RowToJson(request.projection, *batch, i));
    }
  }
  return rows.dump();
}

std::string ScanTest::ReadColumn(const ReadRequest& request, std::vector<FileScanTask> tasks,
                                 const Context& context) {
  std::string values;
  for (const auto& row : nlohmann::ordered_json::parse(Read(request, std::move(tasks), context))) {
    if (!values.empty()) values += ' ';
    values += row.begin()->dump();
  }
  return values;
}

}  // namespace nunatak
