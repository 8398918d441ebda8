#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <semaphore>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/context.h"
#include "nunatak/base/export.h"
#include "nunatak/io/file_io.h"
#include "nunatak/plan/snapshot_source.h"
#include "nunatak/read/read_request.h"
#include "nunatak/table/data_file.h"
#include "nunatak/table/partition_spec.h"
#include "nunatak/table/schema.h"

namespace nunatak::hive {

struct TableOptions {
  /// Types of partition columns by name; those of others are inferred from the values.
  std::map<std::string, Type> partition_types = {};
  /// Whether the schema is that of all files together. Otherwise it is that of the first one, and
  /// footers are read of those files alone that a plan cannot leave out by their partition.
  bool merge_schemas = true;
};

/// The files of one partition that lie in one directory.
struct Directory {
  PartitionValues partition;
  std::vector<FileInfo> files;
  /// The same with what their footers say; null until they are read.
  std::shared_ptr<const std::vector<DataFile>> data_files;
};

/// A directory of data files as it was when it was opened. Cheap to copy; thread-safe.
struct NUNATAK_EXPORT Table {
  std::shared_ptr<FileIO> io;
  std::string location;
  /// The columns of the files, by name, then the partition columns that they do not have; all
  /// optional, with ids of ours.
  Schema schema;
  /// Those of the columns that are read from files.
  std::vector<Field> file_columns;
  /// An identity field for each level of partition directories; spec 0.
  PartitionSpec spec;
  Type partition_type;
  std::shared_ptr<const std::vector<Directory>> directories;
  /// `_metadata` and `_common_metadata`, which have no rows.
  std::vector<FileInfo> summary_files;
  int64_t list_calls = 0;
  /// How many footers were read so far.
  std::shared_ptr<std::atomic<int64_t>> footer_reads;
  /// As many as footers may be read at once of files that a plan looks at, by all its threads.
  std::shared_ptr<std::counting_semaphore<>> footer_slots;
};

/// Lists the directory, infers how it is partitioned, and merges the schemas of its files. Throws
/// `ErrorCode::kNotFound` when there is no such directory or no data file in it, and `kInvalid` for
/// directories that are partitioned in different ways, a partition value that is none of its
/// column's type, columns of one name whose types do not go together, and what is wrong with a
/// footer.
NUNATAK_EXPORT Table OpenTable(std::shared_ptr<FileIO> io, const Context& context,
                               std::string_view location, const TableOptions& options = {});

enum class EmptyFiles { kLeaveOut, kInclude };

/// The files of the table, each directory a group. Files without rows, which a scan need not open,
/// are left out, or listed with the rest.
NUNATAK_EXPORT std::shared_ptr<const SnapshotSource> MakeSnapshotSource(
    const Table& table, EmptyFiles empty_files = EmptyFiles::kLeaveOut);

/// How the files are read as `schema`: by name, and partition columns from the directories.
NUNATAK_EXPORT ReadRequest ReadRequestOf(const Table& table, Schema schema);

}  // namespace nunatak::hive
