#include "nunatak/read/project/metadata_values.h"

#include <arrow/api.h>

#include "nunatak/expr/bound_filter.h"
#include "nunatak/read/count_rows.h"
#include "nunatak/read/select_fields.h"
#include "nunatak/table/metadata_columns.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

constexpr int32_t kRowId = 2147483540;
constexpr int32_t kLastUpdated = 2147483539;

class MetadataValuesTest : public ScanTest {
 protected:
  MetadataValuesTest() {
    spec_->spec_id = 7;
    spec_->fields = {{.source_ids = {1}, .field_id = 1001, .name = "n", .transform = {}},
                     {.source_ids = {1}, .field_id = 1000, .name = "d", .transform = {}}};
  }

  /// The table's columns and the metadata columns.
  const Schema table_ = TableOf({TableColumn(1, "id", TypeId::kLong)});
  const Schema all_ = WithMetadataColumns(
      table_,
      Type::Struct({TableColumn(1000, "d", TypeId::kDate), TableColumn(1001, "n", TypeId::kLong),
                    TableColumn(1002, "later", TypeId::kString)}),
      1);
  const std::shared_ptr<PartitionSpec> spec_ = std::make_shared<PartitionSpec>();

  ReadRequest Select(const std::string& columns) {
    ReadRequest request = RequestFor(all_);
    std::vector<std::string> names;
    for (size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
      end = columns.find(',', begin);
      names.push_back(columns.substr(begin, end - begin));
    }
    request.projection = SelectFields(all_, names);
    return request;
  }

  FileScanTask Where(FileScanTask task, std::string_view filter) {
    task.residual = std::make_shared<BoundFilter>(BindFilter(filter, all_));
    return task;
  }

  FileScanTask With(FileScanTask task, const std::function<void(DataFile&)>& change) {
    auto file = std::make_shared<DataFile>(*task.data_file);
    change(*file);
    task.data_file = std::move(file);
    return task;
  }

  FileScanTask Numbered(FileScanTask task, int64_t first_row_id, int64_t sequence_number) {
    task.data_sequence_number = sequence_number;
    return With(std::move(task), [&](DataFile& file) { file.first_row_id = first_row_id; });
  }

  /// Five rows, 0 to 4; 1 is deleted by position, 3 by value.
  FileScanTask WithDeletes() {
    FileScanTask task = TaskFor(WriteCounting(5, {.rows_per_group = 2}));
    DeletePositions(task, {task.data_file->file_path}, {1});
    task.deletes.push_back(WriteKeys({1}, {FileColumn(1, "id", arrow::int64())}, "[[3]]"));
    return task;
  }
};

TEST_F(MetadataValuesTest, TheFileAndItsSpec) {
  FileScanTask task = TaskFor(WriteCounting(2));
  task = With(task, [](DataFile& file) { file.partition_spec_id = 7; });
  const std::string path = task.data_file->file_path;
  EXPECT_EQ(Read(Select("_spec_id,id,_file"), task), R"([{"_spec_id":7,"id":0,"_file":")" + path +
                                                         R"("},{"_spec_id":7,"id":1,"_file":")" +
                                                         path + R"("}])");
}

TEST_F(MetadataValuesTest, PositionsCountDeletedAndFilteredRowsInEverySplit) {
  FileScanTask task = TaskFor(WriteCounting(300, {.rows_per_group = 100}));
  DeletePositions(task, {task.data_file->file_path}, {0});
  task = Where(std::move(task), "id in (0, 1, 99, 100, 250, 299)");
  ReadRequest request = Select("_pos");
  request.options.batch_size = 7;
  EXPECT_EQ(ReadColumn(request, task), "1 99 100 250 299");
  std::vector<FileScanTask> tasks;
  const int64_t size = task.data_file->file_size_in_bytes;
  for (int64_t i = 0; i < 5; ++i) {
    task.start = size * i / 5;
    task.length = size * (i + 1) / 5 - task.start;
    tasks.push_back(task);
  }
  EXPECT_EQ(ReadColumn(request, tasks), "1 99 100 250 299");
}

TEST_F(MetadataValuesTest, DeletedRowsAreKeptAndMarkedForWhoAsks) {
  EXPECT_EQ(ReadColumn(Select("id"), WithDeletes()), "0 2 4");
  EXPECT_EQ(Read(Select("id,_deleted"), WithDeletes()),
            R"([{"id":0,"_deleted":false},{"id":1,"_deleted":true},{"id":2,"_deleted":false},)"
            R"({"id":3,"_deleted":true},{"id":4,"_deleted":false}])");
  EXPECT_EQ(ReadColumn(Select("_deleted"), TaskFor(WriteCounting(2))), "false false");
  EXPECT_EQ(ReadColumn(Select("id"), Where(WithDeletes(), "_deleted")), "1 3");
  EXPECT_EQ(ReadColumn(Select("id"), Where(WithDeletes(), "not _deleted and id > 1")), "2 4");
  const FileScanTask deleted = Where(WithDeletes(), "_deleted = true");
  EXPECT_EQ(CountRows(io_, Context{}, Select("id"), std::span(&deleted, 1)), 2);
}

TEST_F(MetadataValuesTest, AFilterThatNamesDeletedRowsMayBeDecidedBefore) {
  ReadRequest request = Select("id");
  request.with_deleted = true;
  EXPECT_EQ(ReadColumn(request, WithDeletes()), "0 1 2 3 4");
  EXPECT_EQ(ReadColumn(request, Where(WithDeletes(), "id >= 3")), "3 4");
}

TEST_F(MetadataValuesTest, AFileWhoseRowsAreAllDeletedIsMarkedToo) {
  FileScanTask task = TaskFor(WriteCounting(2));
  DeletePositions(task, {task.data_file->file_path, task.data_file->file_path}, {0, 1});
  EXPECT_EQ(ReadColumn(Select("id"), task), "");
  EXPECT_EQ(ReadColumn(Select("_deleted"), task), "true true");
}

TEST_F(MetadataValuesTest, ThePartitionHasTheFieldsOfAllSpecs) {
  FileScanTask task = TaskFor(WriteCounting(1));
  task = With(task, [](DataFile& file) {
    file.partition_spec_id = 7;
    file.partition = {Value::Integer(5), Value::Integer(19782)};
  });
  task.spec = spec_;
  EXPECT_EQ(Read(Select("_partition"), task),
            R"([{"_partition":{"d":"2024-02-29","n":5,"later":null}}])");
  EXPECT_EQ(Read(Select("_partition.n"), task), R"([{"_partition":{"n":5}}])");
  EXPECT_EQ(ReadColumn(Select("id"), Where(task, "_partition.n = 5")), "0");
  EXPECT_EQ(ReadColumn(Select("id"), Where(task, "_partition.n = 6")), "");
  EXPECT_EQ(ReadColumn(Select("id"), Where(task, "_partition.later is null")), "0");
}

TEST_F(MetadataValuesTest, ThePartitionOfATableThatNeverHadOneIsEmpty) {
  ReadRequest request = RequestFor(WithMetadataColumns(table_, Type::Struct({}), 1));
  request.projection = SelectFields(request.schema, std::vector<std::string>{"id", "_partition"});
  FileScanTask task = TaskFor(WriteCounting(3));
  DeletePositions(task, {task.data_file->file_path}, {1});
  EXPECT_EQ(Read(request, task), R"([{"id":0,"_partition":{}},{"id":2,"_partition":{}}])");
}

TEST_F(MetadataValuesTest, PartitionFieldsThatHadToMoveAreFound) {
  ReadRequest request = RequestFor(WithMetadataColumns(
      table_, Type::Struct({TableColumn(1001, "n", TypeId::kLong)}), /*last_column_id=*/2000));
  request.projection = SelectFields(request.schema, std::vector<std::string>{"_partition"});
  FileScanTask task = TaskFor(WriteCounting(1));
  task = With(task, [](DataFile& file) { file.partition = {Value::Integer(5), Value::Null()}; });
  task.spec = spec_;
  EXPECT_EQ(Read(request, task), R"([{"_partition":{"n":5}}])");
}

TEST_F(MetadataValuesTest, RowIdsAreInheritedFromTheFile) {
  FileScanTask task = Numbered(TaskFor(WriteCounting(4, {.rows_per_group = 2})), 100, 9);
  DeletePositions(task, {task.data_file->file_path}, {2});
  EXPECT_EQ(Read(Select("_row_id,_last_updated_sequence_number"), task),
            R"([{"_row_id":100,"_last_updated_sequence_number":9},)"
            R"({"_row_id":101,"_last_updated_sequence_number":9},)"
            R"({"_row_id":103,"_last_updated_sequence_number":9}])");
  EXPECT_EQ(ReadColumn(Select("id"), Where(task, "_row_id = 103")), "3");
  EXPECT_EQ(ReadColumn(Select("id"), Where(task, "_last_updated_sequence_number > 9")), "");
}

TEST_F(MetadataValuesTest, WhatTheFileHasOfRowLineageGoesFirst) {
  const std::string path =
      Write({FileColumn(1, "id", arrow::int64()), FileColumn(kLastUpdated, "u", arrow::int64()),
             FileColumn(kRowId, "r", arrow::int64())},
            "[[0, 3, 50], [1, null, null], [2, null, 52], [3, 4, null]]");
  EXPECT_EQ(Read(Select("_row_id,_last_updated_sequence_number"), Numbered(TaskFor(path), 100, 9)),
            R"([{"_row_id":50,"_last_updated_sequence_number":3},)"
            R"({"_row_id":101,"_last_updated_sequence_number":9},)"
            R"({"_row_id":52,"_last_updated_sequence_number":9},)"
            R"({"_row_id":103,"_last_updated_sequence_number":4}])");
  EXPECT_EQ(ReadColumn(Select("_row_id"), TaskFor(path)), "50 null 52 null");
  // Statistics of the file's row groups know nothing of what is inherited.
  EXPECT_EQ(ReadColumn(Select("id"), Where(Numbered(TaskFor(path), 100, 9), "_row_id = 101")), "1");
  EXPECT_EQ(ReadColumn(Select("id"),
                       Where(Numbered(TaskFor(path), 100, 9), "_last_updated_sequence_number > 4")),
            "1 2");
}

TEST_F(MetadataValuesTest, AFileWithoutAFirstRowIdHasNoLineage) {
  FileScanTask task = TaskFor(WriteCounting(1));
  task.data_sequence_number = 4;
  EXPECT_EQ(Read(Select("_row_id,_last_updated_sequence_number"), task),
            R"([{"_row_id":null,"_last_updated_sequence_number":null}])");
  EXPECT_EQ(ReadColumn(Select("id"), Where(task, "_row_id is null")), "0");
}

TEST_F(MetadataValuesTest, FiltersByTheFileAndThePosition) {
  const FileScanTask task = TaskFor(WriteCounting(5));
  const std::string path = task.data_file->file_path;
  EXPECT_EQ(ReadColumn(Select("id"), Where(task, "_file = '" + path + "' and _pos < 2")), "0 1");
  EXPECT_EQ(ReadColumn(Select("id"), Where(task, "_file != '" + path + "'")), "");
}

TEST_F(MetadataValuesTest, AnIdThatTheFileDoesNotGiveIsNoRowId) {
  // By position the first column would have the id 1.
  const std::string path = Write({FileColumn(0, "_row_id", arrow::int64())}, "[[77]]");
  EXPECT_EQ(Read(Select("id,_row_id"), Numbered(TaskFor(path), 10, 1)),
            R"([{"id":77,"_row_id":10}])");
}

}  // namespace
}  // namespace nunatak
