#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "avro/avro_builder.h"
#include "nunatak/avro/container_reader.h"
#include "nunatak/base/error.h"
#include "nunatak/read/decode/avro_decoder.h"
#include "read/decode/read_fields.h"
#include "read/scan_fixture.h"

namespace nunatak {

/// Avro files that tests write, read as tables and as they are.
class AvroTest : public ScanTest {
 protected:
  /// A task for a whole Avro file of these bytes.
  FileScanTask AvroTask(const std::string& bytes) {
    FileScanTask task = TaskFor(WriteBytes("f" + std::to_string(++files_) + ".avro", bytes));
    DataFile file = *task.data_file;
    file.file_format = FileFormat::kAvro;
    task.data_file = std::make_shared<DataFile>(std::move(file));
    return task;
  }

  /// The rows of a file of one record per given encoding, in one block.
  std::string ReadRecords(const ReadRequest& request, const std::string& schema,
                          const std::vector<std::string>& records) {
    return Read(request,
                AvroTask(testing::AvroFile{.schema = schema, .blocks = {records}}.Write()));
  }

  struct Decoded {
    std::vector<std::shared_ptr<arrow::RecordBatch>> batches;
    std::vector<int64_t> first_rows;
    int64_t rows = 0;
  };

  /// Decodes a part of a file of which the first `head` bytes are there from the start, or as many
  /// more as the header takes; every leaf is selected.
  static Decoded Decode(const std::string& bytes, const FilePart& part = {},
                        const DecodeOptions& options = {}, size_t head = 1 << 20) {
    const auto owner = std::make_shared<const std::string>(bytes);
    const auto range = [&](int64_t offset, int64_t length) {
      return Buffer{
          AsBytes(*owner).subspan(static_cast<size_t>(offset), static_cast<size_t>(length)), owner};
    };
    const auto size = static_cast<int64_t>(bytes.size());
    Buffer start;
    std::optional<avro::ContainerHeader> header;
    for (auto length = static_cast<int64_t>(head); !header; length *= 4) {
      start = range(0, std::min(size, length));
      header = avro::ContainerReader(start.bytes, 0, size).ReadHeader();
    }
    AvroDecoder decoder(*header, size, std::move(start), options);
    for (FileField& field : decoder.fields()) SelectLeaves(field, /*all=*/true);
    decoder.Start(part);
    Decoded result;
    while (!decoder.done()) {
      std::vector<Buffer> buffers;
      for (const ByteRange& one : decoder.needed())
        buffers.push_back(range(one.offset, one.length));
      decoder.Fill(std::move(buffers));
      for (RowSpan rows = decoder.Next(); rows.count > 0; rows = decoder.Next()) {
        result.rows += rows.count;
        result.first_rows.push_back(rows.first_row);
        result.batches.push_back(ReadFields(decoder, RowSelection::All(rows.count)));
      }
    }
    return result;
  }

 private:
  int files_ = 0;
};

}  // namespace nunatak
