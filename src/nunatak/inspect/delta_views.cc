#include "nunatak/inspect/delta_views.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "nunatak/base/display_width.h"
#include "nunatak/delta/version_times.h"
#include "nunatak/inspect/json_values.h"
#include "nunatak/inspect/size_text.h"
#include "nunatak/inspect/table_summary.h"
#include "nunatak/plan/table_scan.h"
#include "nunatak/table/schema_json.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

struct LiveFiles {
  int64_t files = 0;
  int64_t deletion_vectors = 0;
  int64_t bytes = 0;
  int64_t deleted_rows = 0;
  /// Rows that are not deleted; null when any file does not tell.
  std::optional<int64_t> records = 0;
};

LiveFiles CountFiles(const delta::Table& table, const delta::Snapshot& snapshot,
                     const Context& context) {
  LiveFiles live;
  TableScan(delta::MakeSnapshotSource(table, snapshot), BoundFilter())
      .Plan(context, [&](const FileScanTask& task) {
        ++live.files;
        live.bytes += task.data_file->file_size_in_bytes;
        if (task.data_file->record_count < 0) live.records.reset();
        if (live.records) *live.records += task.data_file->record_count;
        for (const auto& vector : task.deletes) {
          ++live.deletion_vectors;
          live.deleted_rows += vector->file.record_count;
        }
      });
  if (live.records) *live.records -= live.deleted_rows;
  return live;
}

ordered_json ProtocolJson(const delta::Protocol& protocol) {
  return {{"min_reader_version", protocol.min_reader_version},
          {"min_writer_version", protocol.min_writer_version},
          {"reader_features", protocol.reader_features},
          {"writer_features", protocol.writer_features}};
}

/// Which files of the log a version is put together from.
ordered_json SegmentJson(const delta::Snapshot& snapshot) {
  const std::optional<delta::Checkpoint>& checkpoint = snapshot.segment.checkpoint;
  ordered_json files = ordered_json::array();
  if (checkpoint) {
    for (const delta::LogFile& file : checkpoint->files) files.push_back(file.info.location);
  }
  int64_t compactions = 0;
  for (const delta::LogFile& file : snapshot.segment.commits) {
    compactions += file.name.kind == delta::LogFileKind::kCompaction ? 1 : 0;
  }
  return {{"checkpoint_version", checkpoint ? ordered_json(checkpoint->version) : ordered_json()},
          {"checkpoint_files", std::move(files)},
          {"commits", static_cast<int64_t>(snapshot.segment.commits.size()) - compactions},
          {"compactions", compactions}};
}

ordered_json TransactionsJson(const delta::Snapshot& snapshot) {
  ordered_json transactions = ordered_json::object();
  for (const auto& [app, transaction] : snapshot.transactions) {
    transactions[app] = transaction.version;
  }
  return transactions;
}

ordered_json DomainsJson(const delta::Snapshot& snapshot) {
  ordered_json domains = ordered_json::object();
  for (const auto& [name, domain] : snapshot.domains) domains[name] = domain.configuration;
  return domains;
}

/// Null when the commit of the version is gone.
ordered_json CommittedAt(const delta::Table& table, const delta::Snapshot& snapshot) {
  if (table.log->FindCommit(snapshot.version) == nullptr) return nullptr;
  return TimeJson(delta::VersionTimes(table, snapshot).Of(snapshot.version));
}

std::string Line(std::string_view name, const std::string& value) {
  return fmt::format("{:<15}{}\n", name, OneLine(value));
}

std::string Listed(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string Counted(const ordered_json& count, std::string_view one, std::string_view many) {
  if (count.is_null()) return fmt::format("? {}", many);
  return fmt::format("{} {}", count.get<int64_t>(), count == 1 ? one : many);
}

std::string LogText(const ordered_json& log) {
  std::string text = Counted(log.at("commits"), "commit", "commits");
  if (log.at("compactions") != 0) {
    text += ", " + Counted(log.at("compactions"), "compaction", "compactions");
  }
  if (log.at("checkpoint_version").is_null()) return text + " from the first";
  return fmt::format("checkpoint of version {} and {} after it",
                     log.at("checkpoint_version").get<int64_t>(), text);
}

}  // namespace

ordered_json DeltaSummary(const delta::Table& table, const delta::Snapshot& snapshot,
                          const Context& context) {
  const delta::Metadata& metadata = snapshot.metadata;
  const LiveFiles live = CountFiles(table, snapshot, context);
  const delta::VersionRange available = table.log->available();
  return {{"format", "delta"},
          {"table_uuid", metadata.id},
          {"name", OrNull(metadata.name)},
          {"description", OrNull(metadata.description)},
          {"location", table.location},
          {"current_snapshot_id", table.log->latest_version()},
          {"snapshot_id", snapshot.version},
          {"available_versions", {available.first, available.last}},
          {"committed_at", CommittedAt(table, snapshot)},
          {"created_at", metadata.created_time ? TimeJson(*metadata.created_time) : nullptr},
          {"protocol", ProtocolJson(snapshot.protocol)},
          {"schema", SchemaToJson(snapshot.schema())},
          {"partition_spec", PartitionSpecToJson(snapshot.table_schema.spec)},
          {"properties", ordered_json(metadata.configuration)},
          {"transactions", TransactionsJson(snapshot)},
          {"domains", DomainsJson(snapshot)},
          {"log", SegmentJson(snapshot)},
          {"totals",
           {{"data_files", live.files},
            {"delete_files", live.deletion_vectors},
            {"records", OrNull(live.records)},
            {"files_size", live.bytes},
            {"position_deletes", live.deleted_rows}}}};
}

std::string DeltaSummaryText(const delta::Snapshot& snapshot, const ordered_json& summary) {
  const delta::Protocol& protocol = snapshot.protocol;
  std::string text =
      Line("format", fmt::format("delta, reader version {}, writer version {}",
                                 protocol.min_reader_version, protocol.min_writer_version));
  if (!protocol.reader_features.empty()) {
    text += Line("for readers", Listed(protocol.reader_features));
  }
  text += Line("uuid", snapshot.metadata.id);
  if (snapshot.metadata.name) text += Line("name", *snapshot.metadata.name);
  text += Line("location", summary.at("location").get<std::string>());
  const ordered_json& committed = summary.at("committed_at");
  text += Line("version",
               fmt::format("{}{}", snapshot.version,
                           committed.is_string() ? ", of " + committed.get<std::string>() : ""));
  text +=
      Line("available", fmt::format("{} to {}", summary.at("available_versions")[0].get<int64_t>(),
                                    summary.at("available_versions")[1].get<int64_t>()));
  text += Line("log", LogText(summary.at("log")));
  const ordered_json& totals = summary.at("totals");
  text +=
      Line("contents",
           fmt::format("{} in {} ({}), {}", Counted(totals.at("records"), "row", "rows"),
                       Counted(totals.at("data_files"), "data file", "data files"),
                       SizeText(totals.at("files_size").get<int64_t>()),
                       Counted(totals.at("delete_files"), "deletion vector", "deletion vectors")));
  text += Line("partitioning", PartitionSpecText(snapshot.table_schema.spec, snapshot.schema()));
  for (const auto& [key, value] : snapshot.metadata.configuration) {
    text += Line("property", key + " = " + value);
  }
  for (const auto& [name, domain] : snapshot.domains) {
    text += Line("domain", name + " = " + domain.configuration);
  }
  return text + "schema\n" + SchemaText(snapshot.schema());
}

}  // namespace nunatak
