#include "nunatak/plan/affected_files.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "nunatak/plan/delete_index.h"
#include "nunatak/plan/file_subset.h"

namespace nunatak {
namespace {

PathBounds PathBoundsOf(const DataFile& file) {
  const ColumnMetrics* metrics = file.FindMetrics(kDeletePathColumnId);
  if (metrics == nullptr) return {};
  return {.lower = metrics->lower_bound, .upper = metrics->upper_bound};
}

DeleteIndex IndexOf(const SnapshotSource& source,
                    const std::vector<std::shared_ptr<const DeleteFile>>& deletes) {
  DeleteIndex index(source);
  for (const auto& file : deletes) index.Add(file, PathBoundsOf(file->file));
  index.Arrange();
  return index;
}

class AffectedFilesRead final : public GroupRead {
 public:
  AffectedFilesRead(std::unique_ptr<GroupRead> read, const std::vector<DeleteIndex>& deletes)
      : read_(std::move(read)), deletes_(deletes) {}

  void Fetch() override { read_->Fetch(); }

  std::shared_ptr<const FileBatch> Decode(const Context& context) override {
    std::shared_ptr<const FileBatch> batch = read_->Decode(context);
    // The metrics that the planner asked for are not those that these deletes compare with; without
    // any, a few files too many are affected.
    const MetricsLayout no_metrics;
    std::vector<DeleteLookup> lookups;
    for (const DeleteIndex& index : deletes_) lookups.emplace_back(index, *batch, no_metrics);
    std::vector<uint32_t> positions;
    for (uint32_t i = 0; i < batch->size(); ++i) {
      const bool affected = std::any_of(lookups.begin(), lookups.end(), [&](const auto& lookup) {
        return !lookup.DeletesFor(i).empty();
      });
      if (affected) positions.push_back(i);
    }
    return SubsetOf(std::move(batch), std::move(positions));
  }

 private:
  std::unique_ptr<GroupRead> read_;
  const std::vector<DeleteIndex>& deletes_;
};

class AffectedFilesSource final : public SnapshotSource {
 public:
  AffectedFilesSource(std::shared_ptr<const SnapshotSource> source, std::vector<bool> whole,
                      const std::vector<std::vector<std::shared_ptr<const DeleteFile>>>& deletes)
      : source_(std::move(source)), whole_(std::move(whole)) {
    for (const auto& files : deletes) deletes_.push_back(IndexOf(*source_, files));
  }

  std::optional<int64_t> snapshot_id() const override { return source_->snapshot_id(); }
  const Schema& schema() const override { return source_->schema(); }
  const Field* FindField(int32_t id) const override { return source_->FindField(id); }
  const PartitionSpec& spec(int32_t spec_id) const override { return source_->spec(spec_id); }
  std::span<const FileGroup> groups() const override { return source_->groups(); }
  bool fetching_waits() const override { return source_->fetching_waits(); }

  std::unique_ptr<GroupRead> OpenGroup(size_t group, const FileRequest& request) const override {
    auto read = source_->OpenGroup(group, request);
    if (whole_[group]) return read;
    return std::make_unique<AffectedFilesRead>(std::move(read), deletes_);
  }

 private:
  std::shared_ptr<const SnapshotSource> source_;
  std::vector<bool> whole_;
  std::vector<DeleteIndex> deletes_;
};

}  // namespace

std::shared_ptr<const SnapshotSource> MakeAffectedFilesSource(
    std::shared_ptr<const SnapshotSource> source, std::vector<bool> whole,
    const std::vector<std::vector<std::shared_ptr<const DeleteFile>>>& deletes) {
  return std::make_shared<AffectedFilesSource>(std::move(source), std::move(whole), deletes);
}

}  // namespace nunatak
