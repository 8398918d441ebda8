#include "nunatak/read/change_reader.h"

#include <arrow/record_batch.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "iceberg/corpus.h"
#include "nunatak/base/error.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/past_schemas.h"
#include "nunatak/plan/table_scan.h"
#include "nunatak/read/cell.h"
#include "nunatak/read/name_mapping.h"
#include "nunatak/read/table_reader.h"
#include "nunatak/table/metadata_columns.h"

namespace nunatak {
namespace {

using iceberg::Snapshot;
using iceberg::Table;
using nlohmann::ordered_json;

using Rows = std::multiset<std::string>;

/// Where rows meet only in temporary files.
constexpr int64_t kLittleMemory = 4096;

Table OpenMoved(const std::filesystem::path& directory) {
  return iceberg::OpenTable(MakeLocalFileIO(), directory.string(), {.moved = true});
}

Schema WithMetadata(const Table& table, const Schema& schema) {
  return WithMetadataColumns(schema, Type::Struct({}), table.metadata->last_column_id);
}

ReadRequest RequestFor(const Table& table, const Schema& schema, Schema projection) {
  ReadRequest request{.schema = WithMetadata(table, schema), .projection = std::move(projection)};
  if (const auto mapping = table.metadata->FindProperty(kNameMappingProperty)) {
    request.name_mapping = NameMapping::Parse(*mapping);
  }
  request.past_schema = [metadata = table.metadata](int32_t field_id) {
    return iceberg::PastSchemaWith(*metadata, field_id);
  };
  return request;
}

template <typename Reader>
std::vector<ordered_json> RowsOf(Reader reader, const Schema& projection) {
  std::vector<ordered_json> rows;
  while (const auto batch = reader.Next()) {
    for (int64_t row = 0; row < batch->num_rows(); ++row) {
      rows.push_back(RowToJson(projection, *batch, row));
    }
  }
  return rows;
}

std::string Text(const ordered_json& row) {
  return row.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// The rows of a snapshot, read as `schema`; none for null.
std::vector<ordered_json> SnapshotRows(const Table& table, const Snapshot* snapshot,
                                       const Schema& schema, const Schema& projection) {
  const auto source = iceberg::MakeSnapshotSource(table, {snapshot, schema});
  const TableScan scan(source, BoundFilter());
  return RowsOf(
      TableReader(table.io, {}, RequestFor(table, schema, projection), scan.PlanFiles({}).tasks),
      projection);
}

Rows Texts(const std::vector<ordered_json>& rows) {
  Rows texts;
  for (const ordered_json& row : rows) texts.insert(Text(row));
  return texts;
}

struct Options {
  bool net = false;
  UpdatePairing pairing = UpdatePairing::kNone;
  std::vector<int32_t> identifier_ids = {};
  std::string filter = {};
  int64_t memory = int64_t{512} << 20;
};

std::vector<ordered_json> Changes(const Table& table, std::optional<int64_t> from, int64_t to,
                                  const Schema& schema, const Options& options = {}) {
  const Schema changes = WithChangeColumns(WithMetadata(table, schema));
  std::vector<Field> fields(schema.fields().begin(), schema.fields().end());
  for (const Field& field : changes.fields()) {
    const bool has_id = field.id == kRowIdColumnId && options.pairing == UpdatePairing::kRowId;
    if (IsChangeColumn(field.id) || has_id) fields.push_back(field);
  }
  const Schema projection(0, std::move(fields));
  ChangeRequest request{.range = {from, to}, .read = RequestFor(table, schema, projection)};
  request.filter = ParseFilter(options.filter);
  request.filter_text = options.filter;
  request.net = options.net;
  request.pairing = options.pairing;
  request.identifier_ids = options.identifier_ids;
  Context context;
  context.memory_budget = options.memory;
  return RowsOf(ChangeReader(table, context, std::move(request)), projection);
}

ordered_json Cut(ordered_json change) {
  for (const char* name : {"_change_type", "_change_ordinal", "_commit_snapshot_id"}) {
    change.erase(name);
  }
  return change;
}

/// What changes did to rows: each deleted one and each inserted one.
struct Effect {
  Rows deleted, inserted;
  friend bool operator==(const Effect&, const Effect&) = default;
  friend void PrintTo(const Effect& effect, std::ostream* out) {
    for (const std::string& row : effect.deleted) *out << "\n  - " << row;
    for (const std::string& row : effect.inserted) *out << "\n  + " << row;
  }
};

Effect EffectOf(const std::vector<ordered_json>& changes) {
  Effect effect;
  for (const ordered_json& change : changes) {
    const std::string type = change["_change_type"];
    const bool deletes = type == "delete" || type == "update_before";
    EXPECT_TRUE(deletes || type == "insert" || type == "update_after") << type;
    (deletes ? effect.deleted : effect.inserted).insert(Text(Cut(change)));
  }
  return effect;
}

Rows Minus(const Rows& a, const Rows& b) {
  Rows difference;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(),
                      std::inserter(difference, difference.end()));
  return difference;
}

Effect Difference(const Rows& before, const Rows& after) {
  return {.deleted = Minus(before, after), .inserted = Minus(after, before)};
}

/// The same; nullopt where files are gone, or hold what nobody can read.
std::optional<Rows> ReadableRows(const Table& table, const Snapshot* snapshot,
                                 const Schema& schema) {
  try {
    return Texts(SnapshotRows(table, snapshot, schema, schema));
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Calls `visit(table, snapshot, parent, schema)` for each snapshot of each table at hand whose
/// parent is not missing; null for the first.
template <typename Visit>
void ForEachSnapshot(const Visit& visit) {
  for (const std::filesystem::path& directory : iceberg::TablesAtHand()) {
    const Table table = OpenMoved(directory);
    const iceberg::TableMetadata& metadata = *table.metadata;
    for (size_t i = 0; i < metadata.snapshots.size(); ++i) {
      const int64_t id = metadata.snapshots.id(i);
      const iceberg::ChosenSnapshot chosen = ChooseSnapshot(metadata, {.snapshot_id = id});
      const std::optional<int64_t> parent = chosen.snapshot->parent_snapshot_id;
      if (parent && !metadata.FindSnapshot(*parent)) continue;
      SCOPED_TRACE(directory.string() + " " + std::to_string(id));
      visit(table, *chosen.snapshot, parent ? metadata.FindSnapshot(*parent) : nullptr,
            chosen.schema);
    }
  }
}

TEST(ChangeReader, ASnapshotChangesWhatItsRowsAreMoreOrLessThanItsParents) {
  int64_t compared = 0, replaced = 0, spilled = 0;
  ForEachSnapshot([&](const Table& table, const Snapshot& snapshot, const Snapshot* parent,
                      const Schema& schema) {
    const std::optional<Rows> before = ReadableRows(table, parent, schema);
    const std::optional<Rows> after = ReadableRows(table, &snapshot, schema);
    if (!before || !after) return;
    const Effect expected = Difference(*before, *after);
    const std::optional<int64_t> from = snapshot.parent_snapshot_id;
    const auto changes = Changes(table, from, snapshot.snapshot_id, schema);
    EXPECT_EQ(EffectOf(changes), expected);
    for (const ordered_json& change : changes) {
      EXPECT_EQ(change["_change_ordinal"], 0);
      EXPECT_EQ(change["_commit_snapshot_id"], snapshot.snapshot_id);
    }
    ++compared;
    if (snapshot.operation == "replace") {
      EXPECT_TRUE(changes.empty());
      ++replaced;
    }
    if (before->size() + after->size() > 500) return;
    EXPECT_EQ(
        EffectOf(Changes(table, from, snapshot.snapshot_id, schema, {.memory = kLittleMemory})),
        expected);
    spilled += !expected.deleted.empty() && !expected.inserted.empty();
  });
  EXPECT_GE(compared, 40);
  if (!iceberg::CorpusDirectory().empty()) {
    EXPECT_GE(compared, 300);
    EXPECT_GE(replaced, 5);
    EXPECT_GE(spilled, 10);
  }
}

TEST(ChangeReader, TheNetIsTheDifferenceOfTheRowsAtBothEnds) {
  std::mt19937 random(7);
  int64_t compared = 0;
  ForEachSnapshot([&](const Table& table, const Snapshot& snapshot, const Snapshot* parent,
                      const Schema& schema) {
    std::vector<const Snapshot*> ancestors;
    for (; parent; parent = parent->parent_snapshot_id
                                ? table.metadata->FindSnapshot(*parent->parent_snapshot_id)
                                : nullptr) {
      ancestors.push_back(parent);
    }
    if (ancestors.size() < 2) return;
    const Snapshot* from = ancestors[random() % ancestors.size()];
    const std::optional<Rows> before = ReadableRows(table, from, schema);
    const std::optional<Rows> after = ReadableRows(table, &snapshot, schema);
    if (!before || !after || before->size() + after->size() > 2000) return;
    for (const int64_t memory : {int64_t{512} << 20, kLittleMemory}) {
      EXPECT_EQ(EffectOf(Changes(table, from->snapshot_id, snapshot.snapshot_id, schema,
                                 {.net = true, .memory = memory})),
                Difference(*before, *after));
    }
    ++compared;
  });
  EXPECT_GE(compared, iceberg::CorpusDirectory().empty() ? 10 : 100);
}

/// Rows by their ids; nullopt when some have none, or share one.
std::optional<std::map<int64_t, std::string>> RowsById(const Table& table, const Snapshot* snapshot,
                                                       const Schema& schema) {
  std::vector<Field> fields(schema.fields().begin(), schema.fields().end());
  fields.push_back(*WithMetadata(table, schema).FindField(kRowIdColumnId));
  std::map<int64_t, std::string> rows;
  for (ordered_json& row : SnapshotRows(table, snapshot, schema, Schema(0, std::move(fields)))) {
    if (row["_row_id"].is_null()) return std::nullopt;
    const int64_t id = row["_row_id"];
    if (!rows.emplace(id, Text(row)).second) return std::nullopt;
  }
  return rows;
}

Rows ExpectedById(const std::map<int64_t, std::string>& before,
                  const std::map<int64_t, std::string>& after) {
  Rows expected;
  for (const auto& [id, row] : before) {
    const auto now = after.find(id);
    if (now == after.end()) expected.insert("delete " + row);
    if (now == after.end() || now->second == row) continue;
    expected.insert("update_before " + row);
    expected.insert("update_after " + now->second);
  }
  for (const auto& [id, row] : after) {
    if (!before.contains(id)) expected.insert("insert " + row);
  }
  return expected;
}

TEST(ChangeReader, UpdatesByRowIdAreRowsOfOneIdWithOtherValues) {
  int64_t compared = 0, updates = 0;
  ForEachSnapshot([&](const Table& table, const Snapshot& snapshot, const Snapshot* parent,
                      const Schema& schema) {
    if (table.metadata->format_version < 3 || !ReadableRows(table, &snapshot, schema)) return;
    const auto before = RowsById(table, parent, schema);
    const auto after = RowsById(table, &snapshot, schema);
    if (!before || !after || before->size() + after->size() > 2000) return;
    for (const int64_t memory : {int64_t{512} << 20, kLittleMemory}) {
      Rows found;
      for (const ordered_json& change :
           Changes(table, snapshot.parent_snapshot_id, snapshot.snapshot_id, schema,
                   {.pairing = UpdatePairing::kRowId, .memory = memory})) {
        const std::string type = change["_change_type"];
        updates += type == "update_after";
        found.insert(type + " " + Text(Cut(change)));
      }
      EXPECT_EQ(found, ExpectedById(*before, *after));
    }
    ++compared;
  });
  EXPECT_GE(compared, 5);
  EXPECT_GE(updates, iceberg::CorpusDirectory().empty() ? 1 : 20);
}

Rows Lowered(const nlohmann::json& rows) {
  Rows texts;
  for (nlohmann::json row : rows) {
    std::string type = row["_change_type"];
    for (char& c : type) c = static_cast<char>(std::tolower(c));
    row["_change_type"] = type;
    texts.insert(row.dump());
  }
  return texts;
}

Rows Sorted(const std::vector<ordered_json>& rows) {
  Rows texts;
  for (const ordered_json& row : rows) texts.insert(nlohmann::json(row).dump());
  return texts;
}

TEST(ChangeReaderCorpus, ChangesAreThoseOfSpark) {
  if (iceberg::CorpusDirectory().empty()) GTEST_SKIP() << "no corpus";
  int compared = 0;
  for (const std::string& name : iceberg::CorpusTables()) {
    const nlohmann::json want = iceberg::Expectation(name);
    if (!want.contains("changelog_all") || !want["changelog_all"].is_array()) continue;
    SCOPED_TRACE(name);
    const Table table = OpenMoved(iceberg::CorpusDirectory() / name);
    const Schema& schema = table.metadata->current_schema();
    const int64_t last = want["current_snapshot_id"];
    const auto& middle = want["changelog_ranges"]["changelog_middle"];
    const std::vector<int32_t> key = {schema.FindField("id")->id};
    EXPECT_EQ(Sorted(Changes(table, std::nullopt, last, schema)), Lowered(want["changelog_all"]));
    EXPECT_EQ(Sorted(Changes(table, middle["start_exclusive"], middle["end_inclusive"], schema)),
              Lowered(want["changelog_middle"]));
    EXPECT_EQ(Sorted(Changes(table, std::nullopt, last, schema, {.net = true})),
              Lowered(want["changelog_net"]));
    EXPECT_EQ(Sorted(Changes(table, std::nullopt, last, schema,
                             {.pairing = UpdatePairing::kIdentifier, .identifier_ids = key})),
              Lowered(want["changelog_updates"]));
    ++compared;
  }
  EXPECT_GE(compared, 2);
}

}  // namespace
}  // namespace nunatak
