#include "nunatak/inspect/row_history.h"

#include <arrow/record_batch.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/incremental.h"
#include "nunatak/plan/table_scan.h"
#include "nunatak/read/cell.h"
#include "nunatak/read/change_reader.h"
#include "nunatak/read/table_reader.h"
#include "nunatak/table/metadata_columns.h"

namespace nunatak {

using nlohmann::ordered_json;

namespace {

/// What is read of each row: the table's columns, and what tells of its lineage.
Schema ProjectionOf(const Schema& schema, bool with_change) {
  const Schema changes = WithChangeColumns(schema);
  std::vector<Field> fields;
  for (const Field& field : changes.fields()) {
    const bool lineage = field.id == kRowIdColumnId || field.id == kLastUpdatedColumnId;
    if (IsChangeColumn(field.id) ? with_change : lineage || !IsMetadataColumn(field.id)) {
      fields.push_back(field);
    }
  }
  return Schema(schema.schema_id(), std::move(fields));
}

/// A row as it was read.
struct SeenRow {
  ordered_json row;
  std::optional<int64_t> row_id, last_updated;
  /// Of changes.
  bool deleted = false;
  int64_t snapshot_id = 0;
};

std::optional<int64_t> NumberOrNull(const ordered_json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<int64_t>());
}

bool IsDeleting(std::string_view type) {
  return type == ToString(ChangeType::kDelete) || type == ToString(ChangeType::kUpdateBefore);
}

SeenRow Seen(const Schema& projection, const arrow::RecordBatch& batch, int64_t row) {
  SeenRow seen;
  seen.row = ordered_json::object();
  for (size_t i = 0; i < projection.fields().size(); ++i) {
    const Field& field = projection.fields()[i];
    ordered_json cell = CellToJson(field.type, *batch.column(static_cast<int>(i)), row);
    switch (field.id) {
      case kRowIdColumnId:
        seen.row_id = NumberOrNull(cell);
        break;
      case kLastUpdatedColumnId:
        seen.last_updated = NumberOrNull(cell);
        break;
      case kChangeTypeColumnId:
        seen.deleted = IsDeleting(cell.get_ref<const std::string&>());
        break;
      case kCommitSnapshotColumnId:
        seen.snapshot_id = cell;
        break;
      case kChangeOrdinalColumnId:
        break;
      default:
        seen.row[field.name] = std::move(cell);
    }
  }
  return seen;
}

template <typename Reader>
void ReadAll(Reader reader, const Schema& projection, std::vector<SeenRow>* rows) {
  while (const auto batch = reader.Next()) {
    for (int64_t row = 0; row < batch->num_rows(); ++row) {
      rows->push_back(Seen(projection, *batch, row));
    }
  }
}

class History {
 public:
  History(const iceberg::Table& table, const Context& context, const RowHistoryRequest& request)
      : table_(table),
        context_(context),
        request_(request),
        snapshots_(iceberg::SnapshotsIn(*table.metadata,
                                        {.to_inclusive = request.last.snapshot->snapshot_id})) {}

  std::vector<RowVersion> Read() && {
    const iceberg::Snapshot& oldest = *snapshots_.front();
    const std::optional<int64_t> parent = oldest.parent_snapshot_id;
    std::optional<int64_t> from;
    if (parent && table_.metadata->FindSnapshot(*parent) == nullptr) {
      from = oldest.snapshot_id;
      for (SeenRow& row : RowsOf(oldest)) Begin(std::move(row), nullptr);
    }
    std::vector<SeenRow> changes = ChangesSince(from);
    for (size_t begin = 0; begin < changes.size();) {
      size_t end = begin;
      while (end < changes.size() && changes[end].snapshot_id == changes[begin].snapshot_id) ++end;
      Apply(std::span(changes).subspan(begin, end - begin));
      begin = end;
    }
    return std::move(versions_);
  }

 private:
  std::vector<SeenRow> RowsOf(const iceberg::Snapshot& snapshot) const {
    ReadRequest read = request_.read;
    read.projection = ProjectionOf(read.schema, /*with_change=*/false);
    const auto source =
        iceberg::MakeSnapshotSource(table_, {&snapshot, request_.last.schema}, request_.cache);
    const TableScan scan(source, Bind(request_.which, read.schema, request_.case_sensitive));
    std::vector<SeenRow> rows;
    const Schema projection = read.projection;
    ReadAll(TableReader(table_.io, context_, std::move(read), scan.PlanFiles(context_).tasks),
            projection, &rows);
    return rows;
  }

  std::vector<SeenRow> ChangesSince(std::optional<int64_t> from) const {
    ChangeRequest changes{.range = {from, request_.last.snapshot->snapshot_id},
                          .read = request_.read,
                          .filter = request_.which,
                          .case_sensitive = request_.case_sensitive,
                          .cache = request_.cache};
    changes.read.projection = ProjectionOf(changes.read.schema, /*with_change=*/true);
    if (request_.by_row_id) changes.pairing = UpdatePairing::kRowId;
    std::vector<SeenRow> rows;
    const Schema projection = changes.read.projection;
    ReadAll(ChangeReader(table_, context_, std::move(changes)), projection, &rows);
    return rows;
  }

  /// What one snapshot changed.
  void Apply(std::span<SeenRow> changes) {
    const iceberg::Snapshot* snapshot = table_.metadata->FindSnapshot(changes[0].snapshot_id);
    for (SeenRow& change : changes) {
      if (change.deleted) End(std::move(change), snapshot);
    }
    for (SeenRow& change : changes) {
      if (!change.deleted) Begin(std::move(change), snapshot);
    }
  }

  void Begin(SeenRow seen, const iceberg::Snapshot* written) {
    RowVersion& version = versions_.emplace_back();
    version.written = written ? written : WriterOf(seen);
    version.row = std::move(seen.row);
    version.row_id = seen.row_id;
  }

  void End(SeenRow seen, const iceberg::Snapshot* removed) {
    const auto is_it = [&](const RowVersion& version) {
      return version.removed == nullptr && version.row == seen.row &&
             (!request_.by_row_id || version.row_id == seen.row_id);
    };
    auto at = std::find_if(versions_.rbegin(), versions_.rend(), is_it);
    if (at == versions_.rend()) {
      Begin(std::move(seen), nullptr);
      at = versions_.rbegin();
    }
    at->removed = removed;
  }

  /// The snapshot that a row names as the last that wrote it, if the table still has it.
  const iceberg::Snapshot* WriterOf(const SeenRow& seen) const {
    const auto at = std::find_if(snapshots_.begin(), snapshots_.end(), [&](const auto* snapshot) {
      return seen.last_updated && snapshot->sequence_number == *seen.last_updated;
    });
    return at == snapshots_.end() ? nullptr : *at;
  }

  const iceberg::Table& table_;
  const Context& context_;
  const RowHistoryRequest& request_;
  /// From the oldest that the table still has.
  std::vector<const iceberg::Snapshot*> snapshots_;
  std::vector<RowVersion> versions_;
};

}  // namespace

std::vector<RowVersion> ReadRowHistory(const iceberg::Table& table, const Context& context,
                                       const RowHistoryRequest& request) {
  if (request.last.snapshot == nullptr) return {};
  return History(table, context, request).Read();
}

}  // namespace nunatak
