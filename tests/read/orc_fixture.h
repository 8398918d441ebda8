#pragma once

#include <arrow/adapters/orc/adapter.h>
#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/json/from_string.h>
#include <arrow/util/key_value_metadata.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "read/scan_fixture.h"

namespace nunatak {

using OrcAttributes = std::vector<std::pair<std::string, std::string>>;

/// A column with an Iceberg id (0 for none), and other attributes.
inline std::shared_ptr<arrow::Field> OrcColumn(int32_t id, const std::string& name,
                                               std::shared_ptr<arrow::DataType> type,
                                               const OrcAttributes& attributes = {}) {
  std::vector<std::string> keys;
  std::vector<std::string> values;
  if (id != 0) {
    keys.emplace_back("iceberg.id");
    values.push_back(std::to_string(id));
  }
  for (const auto& [key, value] : attributes) {
    keys.push_back(key);
    values.push_back(value);
  }
  return arrow::field(name, std::move(type))->WithMetadata(arrow::key_value_metadata(keys, values));
}

/// ORC files that tests write.
class OrcTest : public ScanTest {
 protected:
  using WriteOptions = arrow::adapters::orc::WriteOptions;

  FileScanTask WriteOrc(const arrow::Table& table, const WriteOptions& options = {}) {
    const std::string path = Path("f" + std::to_string(++orc_files_) + ".orc");
    const auto out = arrow::io::FileOutputStream::Open(path).ValueOrDie();
    const auto writer = arrow::adapters::orc::ORCFileWriter::Open(out.get(), options).ValueOrDie();
    for (const arrow::Status& status : {writer->Write(table), writer->Close(), out->Close()}) {
      if (!status.ok()) throw std::runtime_error(status.ToString());
    }
    return OrcTask(path);
  }

  FileScanTask WriteOrc(const arrow::FieldVector& columns, const std::string& rows,
                        const WriteOptions& options = {}) {
    const auto structs =
        arrow::json::ArrayFromJSONString(arrow::struct_(columns), rows).ValueOrDie();
    const auto batch = arrow::RecordBatch::FromStructArray(structs).ValueOrDie();
    return WriteOrc(*arrow::Table::FromRecordBatches(arrow::schema(columns), {batch}).ValueOrDie(),
                    options);
  }

  FileScanTask OrcTask(const std::string& path) {
    FileScanTask task = TaskFor(path);
    DataFile file = *task.data_file;
    file.file_format = FileFormat::kOrc;
    task.data_file = std::make_shared<DataFile>(std::move(file));
    return task;
  }

 private:
  int orc_files_ = 0;
};

}  // namespace nunatak
