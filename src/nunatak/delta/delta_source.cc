#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/delta/add_batch.h"
#include "nunatak/delta/checkpoint_adds.h"
#include "nunatak/delta/snapshot.h"

namespace nunatak::delta {

namespace {

/// What the reads of all groups share.
struct SourceShare {
  Table table;
  Snapshot snapshot;
  std::vector<std::string> partition_columns;

  /// The columns whose statistics a request wants.
  std::vector<StatisticsColumn> Statistics(const FileRequest& request) const {
    const TableSchema& schema = snapshot.table_schema;
    return StatisticsColumnsOf(
        schema, request.column_metrics ? FieldsWithStatistics(schema) : request.metric_ids);
  }

  std::shared_ptr<const FileBatch> Batch(std::shared_ptr<const AddFiles> files,
                                         FileStatistics statistics, const FileRequest& request,
                                         LeftOutFiles left_out = {}) const {
    statistics.Finish();
    return std::make_shared<AddBatch>(table.location, snapshot.table_schema, std::move(files),
                                      std::move(statistics), request, left_out);
  }
};

/// Keeps what a batch refers to.
template <typename Batch>
std::shared_ptr<const FileBatch> Keeping(std::shared_ptr<const SourceShare> share, Batch batch) {
  struct Kept {
    std::shared_ptr<const SourceShare> share;
    std::shared_ptr<const FileBatch> batch;
  };
  auto kept = std::make_shared<const Kept>(Kept{std::move(share), std::move(batch)});
  return {kept, kept->batch.get()};
}

/// A Parquet file of the checkpoint.
class CheckpointRead final : public GroupRead {
 public:
  CheckpointRead(std::shared_ptr<const SourceShare> share, const AddsFile& file,
                 const FileRequest& request)
      : share_(std::move(share)), file_(file), request_(request) {}

  void Fetch() override {
    const Context context;
    adds_.emplace(CheckpointFile(*share_->table.io, context, file_.location, file_.size),
                  share_->snapshot.table_schema, request_, share_->Statistics(request_));
    adds_->Fetch(context);
  }

  std::shared_ptr<const FileBatch> Decode(const Context& context) override {
    FileStatistics statistics(share_->Statistics(request_));
    auto files = std::make_shared<AddFiles>(share_->partition_columns.size());
    const LeftOutFiles left_out =
        adds_->Read(context, *share_->snapshot.commit_keys, files.get(), &statistics);
    return WithContext(file_.location, [&] {
      return Keeping(share_,
                     share_->Batch(std::move(files), std::move(statistics), request_, left_out));
    });
  }

 private:
  std::shared_ptr<const SourceShare> share_;
  const AddsFile& file_;
  const FileRequest& request_;
  std::optional<CheckpointAdds> adds_;
};

/// Files that were read with the log already.
class LoadedRead final : public GroupRead {
 public:
  LoadedRead(std::shared_ptr<const SourceShare> share, std::shared_ptr<const AddFiles> files,
             const FileRequest& request)
      : share_(std::move(share)), files_(std::move(files)), request_(request) {}

  void Fetch() override {}

  std::shared_ptr<const FileBatch> Decode(const Context& context) override {
    FileStatistics statistics(share_->Statistics(request_));
    StatisticsReader reader(statistics.columns());
    for (size_t i = 0; i < files_->size(); ++i) {
      if (i % 1024 == 0) context.CheckStop();
      statistics.BeginFile(files_->VectorOf(i) != nullptr);
      if (files_->stats[i].data() != nullptr) reader.Read(files_->stats[i], &statistics);
      statistics.EndFile();
    }
    return WithContext(share_->table.log_location(), [&] {
      return Keeping(share_, share_->Batch(files_, std::move(statistics), request_));
    });
  }

 private:
  std::shared_ptr<const SourceShare> share_;
  std::shared_ptr<const AddFiles> files_;
  const FileRequest& request_;
};

class DeltaSource final : public SnapshotSource {
 public:
  explicit DeltaSource(std::shared_ptr<const SourceShare> share) : share_(std::move(share)) {
    const Snapshot& snapshot = share_->snapshot;
    for (const AddsFile& file : snapshot.checkpoint_adds) {
      groups_.push_back({.live_files = std::nullopt, .length = file.size});
    }
    for (const auto& files : {snapshot.checkpoint_json_adds, snapshot.commit_adds}) {
      if (!files || files->size() == 0) continue;
      loaded_.push_back(files);
      // What is in memory already is not read ahead.
      groups_.push_back({.live_files = static_cast<int64_t>(files->size()), .length = 0});
    }
  }

  std::optional<int64_t> snapshot_id() const override { return share_->snapshot.version; }
  const Schema& schema() const override { return share_->snapshot.schema(); }
  const PartitionSpec& spec(int32_t /*spec_id*/) const override {
    return share_->snapshot.table_schema.spec;
  }
  std::span<const FileGroup> groups() const override { return groups_; }
  bool fetching_waits() const override { return share_->table.io->waits(); }

  std::unique_ptr<GroupRead> OpenGroup(size_t group, const FileRequest& request) const override {
    const std::vector<AddsFile>& files = share_->snapshot.checkpoint_adds;
    if (group < files.size()) {
      return std::make_unique<CheckpointRead>(share_, files[group], request);
    }
    return std::make_unique<LoadedRead>(share_, loaded_[group - files.size()], request);
  }

 private:
  std::shared_ptr<const SourceShare> share_;
  std::vector<std::shared_ptr<const AddFiles>> loaded_;
  std::vector<FileGroup> groups_;
};

}  // namespace

std::shared_ptr<const SnapshotSource> MakeSnapshotSource(const Table& table,
                                                         const Snapshot& snapshot) {
  return std::make_shared<DeltaSource>(std::make_shared<const SourceShare>(
      SourceShare{table, snapshot, PartitionColumnsOf(snapshot.table_schema)}));
}

}  // namespace nunatak::delta
