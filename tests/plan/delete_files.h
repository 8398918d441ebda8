#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "build_delete_index.h"
#include "fake_source.h"
#include "nunatak/plan/delete_index.h"

namespace nunatak {

// Delete and data files for tests, and a table of four columns that they belong to.

inline constexpr int32_t kUnpartitioned = 0;
inline constexpr int32_t kByInt = 1;
inline constexpr int32_t kByBucket = 2;
inline constexpr int32_t kByDouble = 3;
inline constexpr int32_t kVoid = 4;

inline FakeSource MakeSource() {
  FakeSource source(Schema(0, {{.id = 1, .name = "a", .type = TypeId::kInt},
                               {.id = 2, .name = "b", .type = TypeId::kString},
                               {.id = 3, .name = "d", .type = TypeId::kDouble},
                               {.id = 4, .name = "r", .required = true, .type = TypeId::kLong}}));
  const auto field = [](int32_t source_id, Transform transform) {
    return PartitionField{
        {source_id}, 1000 + source_id, "p" + std::to_string(source_id), transform};
  };
  source.AddSpec({kUnpartitioned, {}});
  source.AddSpec({kByInt, {field(1, TransformId::kIdentity)}});
  source.AddSpec({kByBucket, {field(1, Transform(TransformId::kBucket, 4))}});
  source.AddSpec({kByDouble, {field(3, TransformId::kIdentity)}});
  source.AddSpec({kVoid, {field(1, TransformId::kVoid)}});
  return source;
}

inline DataFile Data(std::string path, int32_t spec_id = kUnpartitioned,
                     PartitionValues partition = {}) {
  DataFile file;
  file.file_path = std::move(path);
  file.partition_spec_id = spec_id;
  file.partition = std::move(partition);
  file.record_count = 10;
  return file;
}

inline std::shared_ptr<DeleteFile> Position(std::string path, int64_t sequence_number,
                                            int32_t spec_id = kUnpartitioned,
                                            PartitionValues partition = {}) {
  auto out = std::make_shared<DeleteFile>();
  out->file = Data(std::move(path), spec_id, std::move(partition));
  out->file.content = FileContent::kPositionDeletes;
  out->data_sequence_number = sequence_number;
  return out;
}

inline std::shared_ptr<DeleteFile> WithPathBounds(std::shared_ptr<DeleteFile> file,
                                                  std::string lower, std::string upper) {
  file->file.metrics = {
      {.field_id = kDeletePathColumnId, .lower_bound = lower, .upper_bound = upper}};
  return file;
}

inline std::shared_ptr<DeleteFile> Referencing(std::shared_ptr<DeleteFile> file, std::string path) {
  file->file.referenced_data_file = std::move(path);
  return file;
}

inline std::shared_ptr<DeleteFile> Vector(std::string path, int64_t sequence_number,
                                          std::string data_file, int32_t spec_id = kUnpartitioned,
                                          PartitionValues partition = {}) {
  auto out = Position(std::move(path), sequence_number, spec_id, std::move(partition));
  out->file.file_format = FileFormat::kPuffin;
  out->file.content_offset = 4;
  out->file.content_size_in_bytes = 40;
  return Referencing(std::move(out), std::move(data_file));
}

inline std::shared_ptr<DeleteFile> Equality(std::string path, int64_t sequence_number,
                                            int32_t spec_id = kUnpartitioned,
                                            PartitionValues partition = {},
                                            std::vector<int32_t> ids = {1}) {
  auto out = Position(std::move(path), sequence_number, spec_id, std::move(partition));
  out->file.content = FileContent::kEqualityDeletes;
  out->file.equality_ids = std::move(ids);
  return out;
}

inline std::vector<std::string> Paths(const std::vector<DeletePtr>& files) {
  std::vector<std::string> paths;
  for (const DeletePtr& file : files) paths.push_back(file->file.file_path);
  return paths;
}

/// The deletes that an index attaches to one data file.
inline std::vector<DeletePtr> DeletesFor(const DeleteIndex& index, const SnapshotSource& source,
                                         const DataFile& file, int64_t sequence_number) {
  const MetricsLayout layout(index.key_columns(), source.schema());
  const FakeBatch batch({{.file = file, .sequence_number = sequence_number}},
                        file.partition_spec_id, {.metric_ids = layout.field_ids()});
  return DeleteLookup(index, batch, layout).DeletesFor(0);
}

inline std::vector<std::string> Attached(std::vector<DeletePtr> deletes, const DataFile& file,
                                         int64_t sequence_number) {
  const FakeSource source = MakeSource();
  return Paths(DeletesFor(BuildDeleteIndex(deletes, source), source, file, sequence_number));
}

using Names = std::vector<std::string>;

}  // namespace nunatak
