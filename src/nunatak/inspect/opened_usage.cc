#include "nunatak/inspect/opened_usage.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "nunatak/inspect/partition_text.h"
#include "nunatak/inspect/source_files.h"
#include "nunatak/open/no_meaning.h"
#include "nunatak/open/scan_input.h"
#include "nunatak/plan/partition_key.h"

namespace nunatak {

namespace {

std::vector<UsageOfPartition> PartitionsOf(const SourceFiles& files, const Context& context) {
  std::vector<UsageOfPartition> usage;
  std::unordered_map<std::string, size_t> places;
  ForEachPart(files, context, false, [&](size_t part, const std::vector<DataFile>& found) {
    const PartitionSpec& spec = files.spec(part);
    const Type type = spec.PartitionType(files.source().schema());
    for (const DataFile& file : found) {
      std::string key;
      AppendPartitionKey(spec.spec_id, file.partition.span(), &key);
      const auto [at, added] = places.try_emplace(key, usage.size());
      if (added) {
        usage.push_back(
            {.spec_id = spec.spec_id, .partition = PartitionPath(spec, type, file.partition)});
      }
      UsageOfPartition& of_partition = usage[at->second];
      ++of_partition.data_files;
      of_partition.data_bytes += file.file_size_in_bytes;
      of_partition.records += std::max<int64_t>(file.record_count, 0);
    }
  });
  std::sort(usage.begin(), usage.end(), [](const UsageOfPartition& a, const UsageOfPartition& b) {
    if (a.data_bytes != b.data_bytes) return a.data_bytes > b.data_bytes;
    return std::tie(a.spec_id, a.partition) < std::tie(b.spec_id, b.partition);
  });
  return usage;
}

/// The files of a table's log beside its data.
std::vector<UsageOfKind> WithLog(const DeltaTable& opened, const UsageOfKind& data) {
  UsageOfKind commits{.kind = "commits"};
  for (const auto& [version, file] : opened.table.log->commits()) {
    ++commits.files;
    commits.bytes += file.info.size;
  }
  UsageOfKind checkpoints{.kind = "checkpoints"};
  for (const auto& [version, checkpoint] : opened.table.log->checkpoints()) {
    for (const delta::LogFile& file : checkpoint.files) {
      ++checkpoints.files;
      checkpoints.bytes += file.info.size;
    }
  }
  return {data, commits, checkpoints};
}

}  // namespace

std::vector<UsageOfKind> UsageByKind(const OpenedTable& opened, const Context& context) {
  if (const auto* iceberg = std::get_if<IcebergTable>(&opened.table)) {
    return UsageByKind(iceberg->table, context);
  }
  UsageOfKind data{.kind = "data"};
  ForEachPart(SourceFiles(ListedFiles(opened)), context, false,
              [&](size_t, const std::vector<DataFile>& files) {
                for (const DataFile& file : files) {
                  ++data.files;
                  data.bytes += file.file_size_in_bytes;
                }
              });
  if (const auto* delta = std::get_if<DeltaTable>(&opened.table)) return WithLog(*delta, data);
  return {data};
}

std::vector<UsageOfSnapshot> UsageBySnapshot(const OpenedTable& opened, const Context& context) {
  if (const auto* iceberg = std::get_if<IcebergTable>(&opened.table)) {
    return UsageBySnapshot(iceberg->table, context);
  }
  ThrowNoMeaning(opened.format(), "du --by snapshot");
}

std::vector<UsageOfPartition> UsageByPartition(const OpenedTable& opened, const Context& context) {
  if (const auto* iceberg = std::get_if<IcebergTable>(&opened.table)) {
    return UsageByPartition(iceberg->table, context, iceberg->snapshot.snapshot);
  }
  return PartitionsOf(SourceFiles(MakeScanInput(opened).source), context);
}

std::vector<UsageOfColumn> UsageByColumn(const OpenedTable& opened, const Context& context) {
  if (const auto* iceberg = std::get_if<IcebergTable>(&opened.table)) {
    return UsageByColumn(iceberg->table, context, iceberg->snapshot.snapshot);
  }
  ThrowNoMeaning(opened.format(), "du --by column");
}

std::vector<ColumnStatistics> ReadColumnStatistics(const OpenedTable& opened,
                                                   const Context& context) {
  if (const auto* iceberg = std::get_if<IcebergTable>(&opened.table)) {
    return ReadColumnStatistics(iceberg->table, context, iceberg->snapshot);
  }
  return ReadColumnStatistics(MakeScanInput(opened).source, context);
}

}  // namespace nunatak
