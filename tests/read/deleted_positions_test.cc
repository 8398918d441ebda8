#include "nunatak/read/deleted_positions.h"

#include <arrow/api.h>

#include "nunatak/expr/bound_filter.h"
#include "nunatak/read/read_data_file.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

class DeletedPositionsTest : public ScanTest {
 protected:
  ReadRequest Ids() { return RequestFor(TableOf({TableColumn(1, "id", TypeId::kLong)})); }

  /// A deletion vector of the single position 3, written out by hand from the Puffin specification:
  /// length, magic, one 32-bit bitmap under key 0 with one array container, CRC-32 of magic and
  /// vector.
  static std::string VectorOfThree() {
    const std::string body = std::string("\xd1\xd3\x39\x64", 4) +
                             std::string("\x01\0\0\0\0\0\0\0", 8) + std::string("\0\0\0\0", 4) +
                             std::string("\x3a\x30\0\0\x01\0\0\0", 8) + std::string("\0\0\0\0", 4) +
                             std::string("\x10\0\0\0", 4) + std::string("\x03\0", 2);
    std::string blob = {0, 0, 0, static_cast<char>(body.size())};
    blob += body;
    uint32_t crc = 0xffffffffu;
    for (const char c : body) {
      crc ^= static_cast<uint8_t>(c);
      for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0);
    }
    crc = ~crc;
    for (int shift = 24; shift >= 0; shift -= 8) blob += static_cast<char>(crc >> shift);
    return blob;
  }

  void AttachVector(FileScanTask& task, const std::string& puffin, int64_t offset, int64_t length,
                    int64_t cardinality = 1) {
    DeleteFile deletes;
    deletes.file = *TaskFor(puffin, cardinality).data_file;
    deletes.file.content = FileContent::kPositionDeletes;
    deletes.file.file_format = FileFormat::kPuffin;
    deletes.file.referenced_data_file = task.data_file->file_path;
    deletes.file.content_offset = offset;
    deletes.file.content_size_in_bytes = length;
    task.deletes.push_back(std::make_shared<DeleteFile>(std::move(deletes)));
  }
};

TEST_F(DeletedPositionsTest, PositionsCrossRowGroupsAndBatches) {
  const std::string path = WriteCounting(200, {.rows_per_group = 100});
  FileScanTask task = TaskFor(path);
  DeletePositions(task, {path, path, path}, {0, 100, 199});
  ReadRequest request = Ids();
  request.options.batch_size = 7;
  std::string expected;
  for (int i = 1; i < 199; ++i) {
    if (i != 100) expected += (expected.empty() ? "" : " ") + std::to_string(i);
  }
  EXPECT_EQ(ReadColumn(request, task), expected);
}

TEST_F(DeletedPositionsTest, ASplitKeepsCountingFromTheStartOfTheFile) {
  const std::string path = WriteCounting(200, {.rows_per_group = 100});
  FileScanTask task = TaskFor(path);
  DeletePositions(task, {path, path}, {150, 199});
  task.start = task.data_file->file_size_in_bytes / 4;
  task.length = task.data_file->file_size_in_bytes - task.start;
  const std::string rows = ReadColumn(Ids(), task);
  EXPECT_EQ(rows.substr(0, 7), "100 101");
  EXPECT_EQ(rows.find("150"), std::string::npos);
  EXPECT_EQ(rows.substr(rows.size() - 3), "198");
}

TEST_F(DeletedPositionsTest, RowsThatTheFilterDropsStillCount) {
  const std::string path = WriteCounting(100, {.rows_per_group = 50});
  FileScanTask task = TaskFor(path);
  DeletePositions(task, {path}, {90});
  ReadRequest request = Ids();
  request.options.batch_size = 10;
  task.residual = std::make_shared<BoundFilter>(BindFilter("id > 87", request.schema));
  EXPECT_EQ(ReadColumn(request, task), "88 89 91 92 93 94 95 96 97 98 99");
}

TEST_F(DeletedPositionsTest, AFilterAndADeleteLeaveTheRowsOfEveryBatch) {
  const std::string path = WriteCounting(200'000);
  FileScanTask task = TaskFor(path);
  DeletePositions(task, {path}, {0});
  ReadRequest request = Ids();
  request.options.batch_size = 4096;
  task.residual = std::make_shared<const BoundFilter>(BindFilter("id >= 0", request.schema));
  int64_t rows = 0;
  int64_t batches = 0;
  ReadDataFile(io_, Context{}, request, task, [&](const auto& batch) {
    rows += batch->num_rows();
    ++batches;
    return true;
  });
  EXPECT_EQ(rows, 199'999);
  EXPECT_GE(batches, 200'000 / 4096);
}

TEST_F(DeletedPositionsTest, OnlyPositionsOfThatFileApply) {
  const std::string a = WriteCounting(4);
  const std::string b = WriteCounting(4);
  FileScanTask task = TaskFor(a);
  DeletePositions(task, {a, b, a}, {0, 1, 2});
  FileScanTask other = TaskFor(b);
  other.deletes = task.deletes;
  EXPECT_EQ(ReadColumn(Ids(), {task, other}), "1 3 0 2 3");
}

TEST_F(DeletedPositionsTest, SeveralDeleteFilesAddUp) {
  const std::string path = WriteCounting(5);
  FileScanTask task = TaskFor(path);
  DeletePositions(task, {path, path}, {0, 1});
  DeletePositions(task, {path, path}, {1, 4});
  EXPECT_EQ(ReadColumn(Ids(), task), "2 3");
}

TEST_F(DeletedPositionsTest, ADeleteFileIsReadOnceForAllTasks) {
  const std::string path = WriteCounting(4);
  FileScanTask task = TaskFor(path);
  DeletePositions(task, {path}, {3});
  DeletedPositions deletes(io_, Context{});
  EXPECT_TRUE(deletes.For(task)->Contains(3));
  const int64_t requests = io_->counters().requests;
  EXPECT_EQ(deletes.For(task)->cardinality(), 1);
  EXPECT_EQ(io_->counters().requests, requests);
}

TEST_F(DeletedPositionsTest, WhatDoesNotFitTheBudgetIsReadAgain) {
  const std::string path = WriteCounting(4);
  std::vector<FileScanTask> tasks(3, TaskFor(path));
  for (size_t i = 0; i < tasks.size(); ++i) {
    DeletePositions(tasks[i], {path}, {static_cast<int64_t>(i)});
  }
  const auto requests = [&](int64_t budget) {
    const auto io = MakeLocalFileIO();
    DeletedPositions deletes(io, Context{.memory_budget = budget});
    for (int round = 0; round < 2; ++round) {
      for (size_t i = 0; i < tasks.size(); ++i) {
        EXPECT_TRUE(deletes.For(tasks[i])->Contains(static_cast<int64_t>(i)));
        EXPECT_EQ(deletes.For(tasks[i])->cardinality(), 1);
      }
    }
    return io->counters().requests;
  };
  const int64_t once = requests(int64_t{1} << 20);
  EXPECT_GT(once, 0);
  // The one that was used last stays, whatever it takes.
  EXPECT_EQ(requests(1), 2 * once);
}

TEST_F(DeletedPositionsTest, DeleteFilesWithoutFieldIdsAreKnownByName) {
  const std::string path = WriteCounting(3);
  FileScanTask task = TaskFor(path);
  DeleteFile deletes;
  deletes.file = *TaskFor(Write({FileColumn(0, "pos", arrow::int64()),
                                 FileColumn(0, "file_path", arrow::utf8())},
                                "[[1, \"" + path + "\"]]"))
                      .data_file;
  deletes.file.content = FileContent::kPositionDeletes;
  task.deletes.push_back(std::make_shared<DeleteFile>(deletes));
  EXPECT_EQ(ReadColumn(Ids(), task), "0 2");
}

TEST_F(DeletedPositionsTest, UserColumnsNamedAsTheDeleteFilesOwn) {
  const std::string path =
      Write({FileColumn(1, "pos", arrow::int64()), FileColumn(2, "file_path", arrow::utf8())},
            R"([[7, "x"], [8, "y"]])");
  FileScanTask task = TaskFor(path);
  DeletePositions(task, {path}, {0});
  const Schema table =
      TableOf({TableColumn(1, "pos", TypeId::kLong), TableColumn(2, "file_path", TypeId::kString)});
  EXPECT_EQ(Read(RequestFor(table), task), R"([{"pos":8,"file_path":"y"}])");
}

TEST_F(DeletedPositionsTest, RowsGoFromColumnsOfEveryShape) {
  const auto map = std::make_shared<arrow::MapType>(FileColumn(6, "key", arrow::utf8(), false),
                                                    FileColumn(7, "value", arrow::int32()));
  const std::string path = Write(
      {FileColumn(1, "s", arrow::struct_({FileColumn(2, "x", arrow::int32())})),
       FileColumn(3, "l", arrow::list(FileColumn(4, "element", arrow::int32()))),
       FileColumn(5, "m", map), FileColumn(8, "f", arrow::fixed_size_binary(1)),
       FileColumn(9, "d", arrow::decimal128(4, 1)), FileColumn(10, "b", arrow::boolean())},
      R"([[[1], [1], [["a", 1]], "x", "1.0", true], [[2], [2, 2], [["b", 2]], "y", "2.0", false],
                [null, null, null, null, null, null], [[4], [], [], "z", "4.0", true]])");
  FileScanTask task = TaskFor(path);
  DeletePositions(task, {path}, {0});
  const Schema table =
      TableOf({TableColumn(1, "s", Type::Struct({TableColumn(2, "x", TypeId::kLong)})),
               TableColumn(3, "l", Type::List(TableColumn(4, "element", TypeId::kLong))),
               TableColumn(5, "m",
                           Type::Map(TableColumn(6, "key", TypeId::kString, true),
                                     TableColumn(7, "value", TypeId::kLong))),
               TableColumn(8, "f", Type::Fixed(1)), TableColumn(9, "d", Type::Decimal(4, 1)),
               TableColumn(10, "b", TypeId::kBoolean), TableColumn(11, "u", TypeId::kUnknown)});
  EXPECT_EQ(
      Read(RequestFor(table), task),
      R"([{"s":{"x":2},"l":[2,2],"m":{"keys":["b"],"values":[2]},"f":"79","d":"2.0","b":false,"u":null},)"
      R"({"s":null,"l":null,"m":null,"f":null,"d":null,"b":null,"u":null},)"
      R"({"s":{"x":4},"l":[],"m":{"keys":[],"values":[]},"f":"7A","d":"4.0","b":true,"u":null}])");
}

TEST_F(DeletedPositionsTest, ANegativePositionIsAnErrorThatNamesTheDeleteFile) {
  const std::string path = WriteCounting(3);
  FileScanTask task = TaskFor(path);
  DeletePositions(task, {path}, {-1});
  const Error error = ErrorFrom([&] { ReadColumn(Ids(), task); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalid);
  EXPECT_NE(error.message().find(task.deletes[0]->file.file_path), std::string::npos);
}

TEST_F(DeletedPositionsTest, ADeletionVectorReplacesPositionDeletes) {
  const std::string blob = VectorOfThree();
  const std::string puffin = WriteBytes("dv.puffin", "PFA1" + blob + "the footer is not looked at");
  FileScanTask task = TaskFor(WriteCounting(5));
  DeletePositions(task, {task.data_file->file_path}, {0});
  AttachVector(task, puffin, 4, static_cast<int64_t>(blob.size()));
  EXPECT_EQ(ReadColumn(Ids(), task), "0 1 2 4");
}

TEST_F(DeletedPositionsTest, AVectorThatIsNotAsTheManifestSaysIsAnError) {
  const std::string blob = VectorOfThree();
  const auto length = static_cast<int64_t>(blob.size());
  const std::string puffin = WriteBytes("dv.puffin", "PFA1" + blob + "PFA1");
  const auto read = [&](int64_t offset, int64_t size, int64_t cardinality) {
    FileScanTask task = TaskFor(WriteCounting(5));
    AttachVector(task, puffin, offset, size, cardinality);
    const Error error = ErrorFrom([&] { ReadColumn(Ids(), task); });
    EXPECT_NE(error.message().find("dv.puffin"), std::string::npos) << error.message();
    return error.code();
  };
  EXPECT_EQ(read(4, length, 2), ErrorCode::kInvalid);
  EXPECT_EQ(read(0, length, 1), ErrorCode::kInvalid);
  EXPECT_EQ(read(4, length - 1, 1), ErrorCode::kInvalid);
  EXPECT_EQ(read(4, 1000000, 1), ErrorCode::kInvalid);
}

TEST_F(DeletedPositionsTest, WhatIsNotReadIsRefusedBeforeAnyRow) {
  FileScanTask task = TaskFor(WriteCounting(3));
  DeleteFile deletes;
  deletes.file.content = FileContent::kPositionDeletes;
  deletes.file.file_path = "the-delete-file";
  deletes.file.key_metadata = "key";
  task.deletes.push_back(std::make_shared<DeleteFile>(deletes));
  const Error error = ErrorFrom([&] { ReadColumn(Ids(), task); });
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_NE(error.message().find("the-delete-file"), std::string::npos) << error.message();
}

}  // namespace
}  // namespace nunatak
