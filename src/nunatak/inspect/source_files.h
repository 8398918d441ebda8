#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/plan/snapshot_source.h"
#include "nunatak/table/data_file.h"
#include "nunatak/table/merged_partitions.h"

namespace nunatak {

/// The live files of a table of any format, group by group, as the parts of a metadata table.
/// Copies share what they have fetched; thread-safe for distinct parts.
class SourceFiles {
 public:
  explicit SourceFiles(std::shared_ptr<const SnapshotSource> source);

  size_t size() const { return source_->groups().size(); }
  const SnapshotSource& source() const { return *source_; }
  /// The spec of a part's files.
  const PartitionSpec& spec(size_t part) const;
  /// The partition struct of all specs that the groups have.
  MergedPartitions MergedSpecs() const;

  /// Waits for storage alone; null when nothing waits.
  std::function<void(size_t part)> fetch() const;
  /// The files of a part; fetches it unless that was done.
  std::vector<DataFile> Read(size_t part, bool column_metrics) const;

 private:
  struct State {
    FileRequest request;
    std::vector<std::unique_ptr<GroupRead>> fetched;
  };

  std::shared_ptr<const SnapshotSource> source_;
  std::shared_ptr<State> state_;
};

/// Reads all files on the context's executor, and calls `take` with those of each part, in order.
void ForEachPart(const SourceFiles& files, const Context& context, bool column_metrics,
                 const std::function<void(size_t part, const std::vector<DataFile>& files)>& take);

}  // namespace nunatak
