#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "build_delete_index.h"
#include "fake_source.h"

namespace nunatak {

// As many delete files as data files in one scope, each of which applies to one or two of them.

inline constexpr int kFiles = 100'000;

inline FakeSource ManyFilesSource() {
  FakeSource source(Schema(0, {{.id = 1, .name = "day", .type = TypeId::kInt},
                               {.id = 2, .name = "id", .required = true, .type = TypeId::kLong}}));
  source.AddSpec({0, {}});
  return source;
}

inline std::string DataPath(int i) {
  return fmt::format("s3://bucket/table/data/{:08}.parquet", i);
}

inline ColumnMetrics Range(int32_t id, Type type, int64_t lower, int64_t upper) {
  return {.field_id = id,
          .value_count = 10,
          .null_value_count = 0,
          .lower_bound = EncodeSingleValue(type, ValueView::Integer(lower)),
          .upper_bound = EncodeSingleValue(type, ValueView::Integer(upper))};
}

/// The data files, of sequence numbers that begin again after so many: each has ten ids of its own,
/// of the same days as all others.
inline std::shared_ptr<const FakeBatch> DataFiles(const MetricsLayout& layout,
                                                  int sequence_numbers) {
  std::vector<FakeEntry> entries(kFiles);
  for (int i = 0; i < kFiles; ++i) {
    entries[i].file.file_path = DataPath(i);
    entries[i].file.record_count = 10;
    entries[i].file.metrics = {Range(1, TypeId::kInt, 0, 30),
                               Range(2, TypeId::kLong, 10 * i, 10 * i + 9)};
    entries[i].sequence_number = i % sequence_numbers;
  }
  return std::make_shared<FakeBatch>(std::move(entries), 0,
                                     FileRequest{.metric_ids = layout.field_ids()});
}

/// One delete file for each data file, whose path bounds span it and the next one.
inline std::vector<DeletePtr> NarrowPositionDeletes(int sequence_numbers) {
  std::vector<DeletePtr> deletes;
  for (int i = 0; i < kFiles; ++i) {
    DeleteFile file;
    file.file.content = FileContent::kPositionDeletes;
    file.file.file_path = fmt::format("deletes-{:08}", i);
    file.file.metrics = {{.field_id = kDeletePathColumnId,
                          .lower_bound = DataPath(i),
                          .upper_bound = DataPath(i + 1)}};
    file.data_sequence_number = i % sequence_numbers;
    deletes.push_back(std::make_shared<const DeleteFile>(std::move(file)));
  }
  return deletes;
}

/// One delete file for each data file, of its ids alone, in the scope of the whole table.
inline std::vector<DeletePtr> NarrowEqualityDeletes(int sequence_numbers) {
  std::vector<DeletePtr> deletes;
  for (int i = 0; i < kFiles; ++i) {
    DeleteFile file;
    file.file.content = FileContent::kEqualityDeletes;
    file.file.file_path = fmt::format("deletes-{:08}", i);
    file.file.record_count = 10;
    file.file.equality_ids = {1, 2};
    file.file.metrics = {Range(1, TypeId::kInt, 0, 30),
                         Range(2, TypeId::kLong, 10 * i, 10 * i + 9)};
    file.data_sequence_number = 1 + i % sequence_numbers;
    deletes.push_back(std::make_shared<const DeleteFile>(std::move(file)));
  }
  return deletes;
}

}  // namespace nunatak
