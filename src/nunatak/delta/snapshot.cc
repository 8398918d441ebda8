#include "nunatak/delta/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/delta/checkpoint_actions.h"
#include "nunatak/delta/commit_texts.h"
#include "nunatak/delta/features.h"
#include "nunatak/delta/file_path.h"
#include "nunatak/delta/log_replay.h"
#include "nunatak/io/location.h"

namespace nunatak::delta {

namespace {

/// Newest first becomes oldest first.
template <typename T>
void Reverse(std::vector<T>* values) {
  std::reverse(values->begin(), values->end());
}

void ReverseFiles(AddFiles* files) {
  Reverse(&files->paths);
  Reverse(&files->sizes);
  Reverse(&files->modification_times);
  Reverse(&files->stats);
  for (auto& values : files->partition_values) Reverse(&values);
  Reverse(&files->base_row_ids);
  Reverse(&files->commit_versions);
  Reverse(&files->vector_numbers);
}

class SnapshotLoader {
 public:
  SnapshotLoader(const Table& table, const Context& context, LogSegment segment)
      : table_(table), context_(context) {
    snapshot_.version = segment.version;
    snapshot_.segment = std::move(segment);
  }

  Snapshot Load() {
    CommitTexts commits(*table_.io, context_, snapshot_.segment.commits);
    commits.ForEachNewestFirst(
        [&](const LogFile&, std::string_view text) { replay_.ReplayTable(text); });
    if (snapshot_.segment.checkpoint) ReadCheckpoint(*snapshot_.segment.checkpoint);
    TakeTable();
    auto files = std::make_shared<AddFiles>(partition_columns_.size());
    auto keys = std::make_shared<FileKeys>();
    commits.ForEachNewestFirst([&](const LogFile& commit, std::string_view text) {
      ReplayFiles(text, partition_columns_, keys.get(), files.get(),
                  /*reconciled=*/commit.name.kind == LogFileKind::kCompaction);
    });
    ReverseFiles(files.get());
    if (json_checkpoint_) ReadJsonAdds(*keys);
    snapshot_.commit_adds = std::move(files);
    snapshot_.commit_keys = std::move(keys);
    AddSidecars();
    return std::move(snapshot_);
  }

 private:
  void ReadCheckpoint(const Checkpoint& checkpoint) {
    for (const LogFile& file : checkpoint.files) {
      if (file.name.json) {
        json_checkpoint_ = ReadLogFile(*table_.io, file.info.location);
        json_location_ = file.info.location;
        WithContext(json_location_, [&] { replay_.ReplayTable(AsText(json_checkpoint_->bytes)); });
        continue;
      }
      ReadCheckpointActions(table_, context_, file, &replay_);
      snapshot_.checkpoint_adds.push_back({file.info.location, file.info.size});
    }
  }

  /// What is not about files, and what follows from it.
  void TakeTable() {
    const std::string_view missing = !replay_.protocol ? "protocol" : "metaData";
    if (!replay_.protocol || !replay_.metadata) {
      ThrowInvalid(fmt::format("{}: there is no {} action up to version {}", table_.log_location(),
                               missing, snapshot_.version));
    }
    snapshot_.protocol = *std::move(replay_.protocol);
    RequireReadable(snapshot_.protocol);
    snapshot_.metadata = *std::move(replay_.metadata);
    if (snapshot_.metadata.format_provider != "parquet") {
      ThrowUnsupported(fmt::format("data files of format '{}' are not supported",
                                   snapshot_.metadata.format_provider));
    }
    const std::string action = fmt::format("{}: the metaData action up to version {}",
                                           table_.log_location(), snapshot_.version);
    snapshot_.table_schema = WithContext(
        action, [&] { return MakeTableSchema(snapshot_.protocol, snapshot_.metadata); });
    partition_columns_ = PartitionColumnsOf(snapshot_.table_schema);
    snapshot_.transactions = std::move(replay_.transactions);
    for (auto& [name, domain] : replay_.domains) {
      if (!domain.removed) snapshot_.domains.emplace(name, std::move(domain));
    }
  }

  void ReadJsonAdds(const FileKeys& newer) {
    FileKeys keys = newer;
    auto files = std::make_shared<AddFiles>(partition_columns_.size());
    WithContext(json_location_, [&] {
      ReplayFiles(AsText(json_checkpoint_->bytes), partition_columns_, &keys, files.get());
    });
    ReverseFiles(files.get());
    snapshot_.checkpoint_json_adds = std::move(files);
  }

  /// Sidecars are named by their file name, or by a path of some kind to the folder of all of them.
  void AddSidecars() {
    // The file that names sidecars holds no files itself.
    if (!replay_.sidecars.empty()) snapshot_.checkpoint_adds.clear();
    const std::string folder = JoinLocation(table_.log_location(), kSidecarFolder);
    for (const Sidecar& sidecar : replay_.sidecars) {
      const std::string path = DecodePath(sidecar.path);
      const bool bare = path.find('/') == std::string::npos;
      snapshot_.checkpoint_adds.push_back(
          {bare ? JoinLocation(folder, path) : ResolvePath(table_.location, path),
           sidecar.size_in_bytes});
    }
  }

  const Table& table_;
  const Context& context_;
  Snapshot snapshot_;
  LogReplay replay_;
  std::vector<std::string> partition_columns_;
  std::optional<Buffer> json_checkpoint_;
  std::string json_location_;
};

}  // namespace

Snapshot LoadSnapshot(const Table& table, const Context& context, std::optional<int64_t> version) {
  std::vector<LogSegment> segments =
      WithContext(table.log_location(), [&] { return table.log->SegmentsFor(version); });
  std::optional<Error> first;
  for (LogSegment& segment : segments) {
    try {
      return SnapshotLoader(table, context, std::move(segment)).Load();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kInvalid) throw;
      if (!first) first = error;
    }
  }
  throw *std::move(first);
}

ReadRequest ReadRequestOf(const Snapshot& snapshot, Schema schema) {
  ReadRequest request;
  request.schema = std::move(schema);
  request.projection = snapshot.schema();
  request.name_mapping = snapshot.table_schema.FileColumns(snapshot.metadata);
  request.ignore_file_ids = snapshot.table_schema.mapping != ColumnMapping::kId;
  return request;
}

}  // namespace nunatak::delta
