#include "nunatak/inspect/tables/version_tables.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/base/json.h"
#include "nunatak/delta/commit_info.h"
#include "nunatak/delta/version_times.h"
#include "nunatak/inspect/tables/row_values.h"

namespace nunatak {

namespace {

using delta::CommitInfo;

struct Version {
  int64_t version = 0;
  int64_t committed_at_ms = 0;
  std::string commit_file;
  CommitInfo info;
};

std::string TextOf(Json value) {
  return value.IsString() ? std::string(value.String()) : value.ToText();
}

/// The commit's own words, flat: what it measured by the names of the measures, the rest by theirs.
std::map<std::string, std::string> SummaryOf(const CommitInfo& info) {
  const JsonDocument document = JsonDocument::Parse(info.json);
  std::map<std::string, std::string> summary;
  document.root().Object().ForEach([&](std::string_view name, Json value) {
    if (value.IsNull() || name == "operation" || name == "timestamp") return;
    if (name != "operationMetrics") {
      summary.emplace(name, TextOf(value));
      return;
    }
    value.Object().ForEach([&](std::string_view metric, Json number) {
      summary.insert_or_assign(std::string(metric), TextOf(number));
    });
  });
  return summary;
}

/// Calls `visit` for each version up to `last` whose commit is in the log.
template <typename Visit>
void ForEachVersion(const delta::Table& table, const delta::Snapshot& last, Visit visit) {
  const delta::VersionTimes times(table, last);
  for (const auto& [number, file] : table.log->commits()) {
    if (number > last.version) break;
    visit(Version{.version = number,
                  .committed_at_ms = times.Of(number),
                  .commit_file = file.info.location,
                  .info = ReadCommitInfo(table, number)});
  }
}

Value ParentOf(int64_t version) {
  return version == 0 ? Value::Null() : Value::Integer(version - 1);
}

}  // namespace

MetadataTable VersionsTable(const delta::Table& table,
                            const std::shared_ptr<const delta::Snapshot>& last) {
  Schema schema(0, {RequiredField(1, "committed_at", TypeId::kTimestampTz),
                    RequiredField(2, "snapshot_id", TypeId::kLong),
                    OptionalField(3, "parent_id", TypeId::kLong),
                    OptionalField(4, "operation", TypeId::kString),
                    OptionalField(5, "manifest_list", TypeId::kString),
                    OptionalField(6, "summary", StringMapType(7, 8))});
  return {.schema = std::move(schema), .produce = [table, last](size_t, RowBuilder& rows) {
            ForEachVersion(table, *last, [&](const Version& version) {
              rows.Add({TimestampOf(version.committed_at_ms), Value::Integer(version.version),
                        ParentOf(version.version), BytesOrNull(version.info.operation),
                        Value::Bytes(version.commit_file), WithContext(version.commit_file, [&] {
                          return MapValue(SummaryOf(version.info));
                        })});
            });
          }};
}

MetadataTable VersionHistoryTable(const delta::Table& table,
                                  const std::shared_ptr<const delta::Snapshot>& last) {
  Schema schema(0, {RequiredField(1, "made_current_at", TypeId::kTimestampTz),
                    RequiredField(2, "snapshot_id", TypeId::kLong),
                    OptionalField(3, "parent_id", TypeId::kLong),
                    RequiredField(4, "is_current_ancestor", TypeId::kBoolean)});
  return {.schema = std::move(schema), .produce = [table, last](size_t, RowBuilder& rows) {
            ForEachVersion(table, *last, [&](const Version& version) {
              rows.Add({TimestampOf(version.committed_at_ms), Value::Integer(version.version),
                        ParentOf(version.version), Value::Integer(1)});
            });
          }};
}

}  // namespace nunatak
