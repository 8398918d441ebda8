#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "nunatak/iceberg/field_metrics.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/slot_values.h"
#include "nunatak/inspect/disk_usage.h"
#include "nunatak/inspect/manifest_walk.h"
#include "nunatak/inspect/partition_text.h"
#include "nunatak/plan/partition_key.h"

namespace nunatak {

using iceberg::ManifestFile;
using iceberg::WalkedEntry;

namespace {

/// What `visit` makes of each manifest, in order.
template <typename Result>
std::vector<Result> VisitLive(const iceberg::Table& table, const TableFacts& facts,
                              const Context& context, const std::vector<ManifestFile>& files,
                              const std::function<Result(iceberg::EntryWalk&)>& visit) {
  std::vector<Result> results(files.size());
  WalkManifests(table, facts, context, files,
                {.visit = [&](size_t i, iceberg::EntryWalk& walk) { results[i] = visit(walk); },
                 .take = [](size_t) {}});
  return results;
}

bool IsLive(const WalkedEntry& entry) {
  return entry.head.status != iceberg::EntryStatus::kDeleted;
}

using Partitions = std::unordered_map<std::string, UsageOfPartition>;

void Add(const UsageOfPartition& from, UsageOfPartition* to) {
  to->data_files += from.data_files;
  to->data_bytes += from.data_bytes;
  to->records += from.records;
  to->delete_files += from.delete_files;
  to->delete_bytes += from.delete_bytes;
}

void AddFile(const WalkedEntry& entry, UsageOfPartition* usage) {
  if (entry.head.content == FileContent::kData) {
    ++usage->data_files;
    usage->data_bytes += entry.head.file_size;
    usage->records += entry.head.record_count;
    return;
  }
  ++usage->delete_files;
  usage->delete_bytes +=
      iceberg::OptionalInteger(entry.slots[iceberg::kContentSize]).value_or(entry.head.file_size);
}

Partitions PartitionsOf(const TableFacts& facts, iceberg::EntryWalk& walk) {
  const SpecFacts& spec = *facts.FindSpec(walk.shape().spec.spec_id);
  const iceberg::FileDecoder decoder(walk.shape());
  Partitions partitions;
  std::string key;
  walk.ForEach([&](const WalkedEntry& entry) {
    if (!IsLive(entry)) return;
    const PartitionValues tuple = decoder.DecodePartition(entry.slots);
    key.clear();
    AppendPartitionKey(spec.spec.spec_id, tuple.span(), &key);
    const auto [at, added] = partitions.try_emplace(key);
    if (added) {
      at->second.spec_id = spec.spec.spec_id;
      at->second.partition = PartitionPath(spec.spec, spec.partition_type, tuple);
    }
    AddFile(entry, &at->second);
  });
  return partitions;
}

/// By field id.
using Columns = std::map<int64_t, UsageOfColumn>;

Columns ColumnsOf(iceberg::EntryWalk& walk) {
  iceberg::FieldMetricsReader metrics(walk.shape());
  Columns columns;
  walk.ForEach([&](const WalkedEntry& entry) {
    if (!IsLive(entry)) return;
    for (const iceberg::FieldMetrics& field : metrics.Read(entry.slots)) {
      if (!field.column_size || *field.column_size < 0) continue;
      UsageOfColumn& column = columns[field.field_id];
      ++column.files;
      column.bytes += *field.column_size;
    }
  });
  return columns;
}

}  // namespace

std::vector<UsageOfPartition> UsageByPartition(const iceberg::Table& table, const Context& context,
                                               const iceberg::Snapshot* snapshot) {
  const TableFacts facts(*table.metadata);
  const auto parts = VisitLive<Partitions>(
      table, facts, context, iceberg::ReadManifests(table, snapshot),
      [&facts](iceberg::EntryWalk& walk) { return PartitionsOf(facts, walk); });
  Partitions merged;
  for (const Partitions& part : parts) {
    for (const auto& [key, usage] : part) {
      const auto [at, added] = merged.emplace(key, usage);
      if (!added) Add(usage, &at->second);
    }
  }
  std::vector<UsageOfPartition> usage;
  for (auto& [key, partition] : merged) usage.push_back(std::move(partition));
  std::sort(usage.begin(), usage.end(), [](const UsageOfPartition& a, const UsageOfPartition& b) {
    const int64_t bytes_a = a.data_bytes + a.delete_bytes;
    const int64_t bytes_b = b.data_bytes + b.delete_bytes;
    if (bytes_a != bytes_b) return bytes_a > bytes_b;
    return std::tie(a.spec_id, a.partition) < std::tie(b.spec_id, b.partition);
  });
  return usage;
}

std::vector<UsageOfColumn> UsageByColumn(const iceberg::Table& table, const Context& context,
                                         const iceberg::Snapshot* snapshot) {
  const TableFacts facts(*table.metadata);
  std::vector<ManifestFile> files = iceberg::ReadManifests(table, snapshot);
  std::erase_if(files, [](const ManifestFile& file) { return file.is_delete_manifest(); });
  Columns merged;
  for (const Columns& part : VisitLive<Columns>(table, facts, context, files, ColumnsOf)) {
    for (const auto& [id, column] : part) {
      merged[id].files += column.files;
      merged[id].bytes += column.bytes;
    }
  }
  std::vector<UsageOfColumn> usage;
  for (auto& [id, column] : merged) {
    column.field_id = static_cast<int32_t>(id);
    const FieldFacts* field = facts.FindField(column.field_id);
    column.column = field ? field->name : fmt::format("#{}", id);
    usage.push_back(std::move(column));
  }
  std::stable_sort(usage.begin(), usage.end(), [](const UsageOfColumn& a, const UsageOfColumn& b) {
    return a.bytes > b.bytes;
  });
  return usage;
}

}  // namespace nunatak
