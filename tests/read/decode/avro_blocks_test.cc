// Windows and splits: whatever the cuts, every row comes once, at its position.
#include "nunatak/read/decode/avro_blocks.h"

#include <arrow/api.h>

#include <optional>

#include "read/decode/avro_fixture.h"

namespace nunatak {
namespace {

using nunatak::testing::AvroBytes;
using nunatak::testing::AvroFile;

/// Rows that count from 0, in blocks of all sizes, some of them larger than a window.
class AvroBlocksTest : public AvroTest {
 protected:
  static std::string CountingFile(const std::vector<int>& block_rows, size_t padding) {
    AvroFile file{.schema = R"({"type": "record", "name": "r", "fields": [
        {"name": "id", "type": "long", "field-id": 1},
        {"name": "padding", "type": "bytes", "field-id": 2}]})"};
    int64_t id = 0;
    for (const int rows : block_rows) {
      std::vector<std::string>& block = file.blocks.emplace_back();
      for (int i = 0; i < rows; ++i) {
        block.push_back(AvroBytes().Long(id++).Text(std::string(padding, 'p')).bytes());
      }
    }
    return file.Write();
  }

  /// Appends the ids of a part; every position must be the id of its row.
  static void AppendIds(const std::string& file, const FilePart& part, size_t head,
                        std::vector<int64_t>& ids, int64_t window_bytes = 1) {
    const Decoded decoded =
        Decode(file, part, {.batch_size = 7, .window_bytes = window_bytes}, head);
    for (size_t b = 0; b < decoded.batches.size(); ++b) {
      const auto& column = static_cast<const arrow::Int64Array&>(*decoded.batches[b]->column(0));
      if (part.needs_positions || !part.range) {
        EXPECT_EQ(decoded.first_rows[b], column.Value(0));
      }
      for (int64_t i = 0; i < column.length(); ++i) ids.push_back(column.Value(i));
    }
  }

  static std::vector<int64_t> Counting(int64_t rows) {
    std::vector<int64_t> ids;
    for (int64_t i = 0; i < rows; ++i) ids.push_back(i);
    return ids;
  }
};

TEST_F(AvroBlocksTest, WindowsMayCutBlocksAnywhere) {
  // The window is at least 1 KiB; blocks of 40 rows take more than two of them.
  const std::string file = CountingFile({1, 0, 40, 3, 5, 5, 0, 0, 17, 40, 1}, 60);
  for (const size_t head : {file.size(), size_t{1000}, size_t{400}}) {
    for (int64_t window = 1024; window < 1200; ++window) {
      std::vector<int64_t> ids;
      AppendIds(file, {}, head, ids, window);
      ASSERT_EQ(ids, Counting(112)) << head << " " << window;
    }
  }
}

TEST_F(AvroBlocksTest, EveryRowBelongsToOneSplitWhereverTheyAreCut) {
  const std::string file = CountingFile({4, 2, 0, 30, 1, 1}, 60);
  const auto size = static_cast<int64_t>(file.size());
  for (const bool needs_positions : {false, true}) {
    for (int64_t cut = 0; cut <= size; ++cut) {
      std::vector<int64_t> ids;
      const std::vector<ByteRange> splits = {{0, cut}, {cut, size - cut}};
      for (const ByteRange& split : splits) AppendIds(file, {split, needs_positions}, 500, ids);
      ASSERT_EQ(ids, Counting(38)) << cut;
    }
  }
}

TEST_F(AvroBlocksTest, SplitsOfAFewBytes) {
  const std::string file = CountingFile({4, 2, 0, 30, 1, 1}, 20);
  const auto size = static_cast<int64_t>(file.size());
  for (const int64_t length : {1, 2, 15, 16, 17, 100}) {
    for (const bool needs_positions : {false, true}) {
      std::vector<int64_t> ids;
      for (int64_t start = 0; start < size; start += length) {
        AppendIds(file, {ByteRange{start, length}, needs_positions}, 300, ids);
      }
      EXPECT_EQ(ids, Counting(38)) << length;
    }
  }
}

TEST_F(AvroBlocksTest, ABlockBelongsToTheSplitThatHoldsTheSyncMarkerBeforeIt) {
  const std::string file = CountingFile({2, 3}, 10);
  const size_t header_sync = file.find("0123456789abcdef");
  const auto sync = static_cast<int64_t>(file.find("0123456789abcdef", header_sync + 1));
  const auto rows = [&](int64_t start, int64_t end) {
    return Decode(file, {ByteRange{start, end - start}, false}).rows;
  };
  EXPECT_EQ(rows(0, sync), 2);
  EXPECT_EQ(rows(0, sync + 1), 5);
  EXPECT_EQ(rows(sync, sync + 1), 3);
  EXPECT_EQ(rows(sync + 1, INT64_MAX), 0);
  EXPECT_EQ(rows(static_cast<int64_t>(header_sync), sync), 2);
  EXPECT_EQ(rows(static_cast<int64_t>(header_sync) + 1, sync), 0);
  EXPECT_EQ(rows(0, static_cast<int64_t>(header_sync)), 0);
}

TEST_F(AvroBlocksTest, DeletedPositionsAreRightInEverySplit) {
  const FileScanTask whole = AvroTask(CountingFile({4, 2, 0, 30, 1, 1}, 60));
  const int64_t size = whole.data_file->file_size_in_bytes;
  for (int64_t cut = 0; cut <= size; cut += 97) {
    std::vector<FileScanTask> tasks(2, whole);
    tasks[0].length = cut;
    tasks[1].start = cut;
    tasks[1].length = size - cut;
    for (FileScanTask& task : tasks) {
      const std::string path = task.data_file->file_path;
      std::vector<int64_t> positions;
      for (int64_t i = 0; i < 38; ++i) {
        if (i != 3 && i != 20) positions.push_back(i);
      }
      DeletePositions(task, std::vector<std::string>(positions.size(), path), positions);
    }
    // A task of no bytes stands for the whole file.
    if (cut == 0) tasks.erase(tasks.begin());
    EXPECT_EQ(ReadColumn(RequestFor(TableOf({TableColumn(1, "id", TypeId::kLong)})), tasks), "3 20")
        << cut;
  }
}

TEST_F(AvroBlocksTest, AHeaderLargerThanThePrefetchTakesMoreRequests) {
  AvroFile file{.schema = R"({"type": "record", "name": "r", "fields": [
                    {"name": "c", "type": "int", "field-id": 1}]})",
                .metadata = {{"large", std::string(3 << 20, 'x')}},
                .blocks = {{AvroBytes().Int(42).bytes()}}};
  const FileScanTask task = AvroTask(file.Write());
  const int64_t before = io_->counters().requests;
  EXPECT_EQ(ReadColumn(RequestFor(TableOf({TableColumn(1, "c", TypeId::kInt)})), task), "42");
  EXPECT_EQ(io_->counters().requests - before, 3);
}

}  // namespace
}  // namespace nunatak
