#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/expr/evaluate.h"
#include "nunatak/plan/file_batch.h"
#include "nunatak/table/partition_spec.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// What a source knows of one partition field over a whole group (an Iceberg `field_summary`).
struct FieldSummary {
  bool contains_null = true;
  std::optional<bool> contains_nan;
  /// Binary single values of the partition field's type; absent when there is none.
  std::optional<std::string> lower_bound;
  std::optional<std::string> upper_bound;

  friend bool operator==(const FieldSummary&, const FieldSummary&) = default;
};

/// A group of files that is decoded as one: a manifest, a checkpoint part, a directory.
struct FileGroup {
  /// Whether the group holds delete files (of any kind) instead of data files.
  bool deletes = false;
  int32_t partition_spec_id = 0;
  /// One per field of the spec, or absent.
  std::optional<std::vector<FieldSummary>> partitions;
  /// Files that are live, as far as the counts can say; absent when unknown.
  std::optional<int64_t> live_files;
  /// How many bytes it has in storage, as far as its metadata says.
  int64_t length = 0;
};

/// One group in the making: `Fetch` waits for storage and computes nothing, `Decode` computes and
/// waits for nothing, so that many groups can be fetched while few are decoded. For one thread at a
/// time. Errors name the group's file.
class NUNATAK_EXPORT GroupRead {
 public:
  virtual ~GroupRead() = default;
  /// Gets the bytes, unless they are at hand.
  virtual void Fetch() = 0;
  /// The live files of the group; after `Fetch`, once.
  virtual std::shared_ptr<const FileBatch> Decode(const Context& context) = 0;
};

/// The seam between formats and the planner: "the files of one snapshot". The planner knows no
/// format, and a format knows no filter. Immutable and thread-safe.
class NUNATAK_EXPORT SnapshotSource {
 public:
  virtual ~SnapshotSource() = default;

  /// Null for a table without a snapshot.
  virtual std::optional<int64_t> snapshot_id() const = 0;
  /// The schema that the snapshot is read with.
  virtual const Schema& schema() const = 0;
  /// The field of that id in any schema that the table has or had, the current one first: equality
  /// deletes may compare by a column that was dropped. Null when unknown; valid as long as the
  /// source.
  virtual const Field* FindField(int32_t id) const { return schema().FindField(id); }
  /// Every spec that a group may refer to.
  virtual const PartitionSpec& spec(int32_t spec_id) const = 0;
  virtual std::span<const FileGroup> groups() const = 0;
  /// Whether fetching waits for a network, so that many requests should be in flight at once.
  virtual bool fetching_waits() const = 0;
  /// Begins to read `groups()[group]`. The request must stay as long as what is returned.
  virtual std::unique_ptr<GroupRead> OpenGroup(size_t group, const FileRequest& request) const = 0;

  /// Opens, fetches and decodes one group.
  std::shared_ptr<const FileBatch> ReadGroup(const Context& context, size_t group,
                                             const FileRequest& request) const {
    const std::unique_ptr<GroupRead> read = OpenGroup(group, request);
    read->Fetch();
    return read->Decode(context);
  }
};

}  // namespace nunatak
