#include "nunatak/delta/checkpoint_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/delta/checkpoint_columns.h"
#include "nunatak/delta/checkpoint_file.h"

namespace nunatak::delta {

namespace {

/// The parts of an action: values, and lists and maps of them.
struct ActionParts {
  std::string name;
  std::vector<ColumnPath> values;
  std::vector<ColumnPath> nested;
};

const std::vector<ActionParts>& ActionsOfTables() {
  static const std::vector<ActionParts> actions = {
      {"protocol",
       {{"minReaderVersion"}, {"minWriterVersion"}},
       {{"readerFeatures"}, {"writerFeatures"}}},
      {"metaData",
       {{"id"},
        {"name"},
        {"description"},
        {"schemaString"},
        {"createdTime"},
        {"format", "provider"}},
       {{"partitionColumns"}, {"configuration"}}},
      {"txn", {{"appId"}, {"version"}, {"lastUpdated"}}, {}},
      {"domainMetadata", {{"domain"}, {"configuration"}, {"removed"}}, {}},
      {"sidecar", {{"path"}, {"sizeInBytes"}}, {}}};
  return actions;
}

ColumnPath Below(const std::string& action, const ColumnPath& part) {
  ColumnPath path = {action};
  path.insert(path.end(), part.begin(), part.end());
  return path;
}

/// The actions of one kind among some rows, of which most have none: those that have a value in
/// some part.
class Actions {
 public:
  Actions(CheckpointFile* file, const ActionParts& parts, int64_t row_count) : name_(parts.name) {
    std::vector<uint8_t> dropped(static_cast<size_t>(row_count), 1);
    for (const ColumnPath& part : parts.values) {
      const CheckpointColumn column = file->Read(Below(name_, part), RowSelection::All(row_count));
      for (size_t row = 0; column.exists() && row < dropped.size(); ++row) {
        if (!column.IsNull(static_cast<int64_t>(row))) dropped[row] = 0;
      }
      values_.emplace(part, column);
    }
    const RowSelection rows = RowSelection::Without(dropped);
    for (const RowRange& range : rows.ranges()) {
      for (int64_t row = range.begin; row < range.end; ++row) rows_.push_back(row);
    }
    if (rows_.empty()) return;
    for (const ColumnPath& part : parts.nested) {
      nested_.emplace(part, file->Read(Below(name_, part), rows));
    }
  }

  size_t size() const { return rows_.size(); }

  std::optional<std::string> FindText(const ColumnPath& part, size_t i) const {
    const auto text = values_.at(part).Text(rows_[i]);
    return text ? std::optional<std::string>(*text) : std::nullopt;
  }
  std::optional<int64_t> FindInteger(const ColumnPath& part, size_t i) const {
    return values_.at(part).Integer(rows_[i]);
  }
  std::optional<bool> FindBoolean(const ColumnPath& part, size_t i) const {
    return values_.at(part).Boolean(rows_[i]);
  }
  std::string Text(const std::string& part, size_t i) const {
    return Require(FindText({part}, i), part);
  }
  int64_t Integer(const std::string& part, size_t i) const {
    return Require(FindInteger({part}, i), part);
  }
  int32_t Version(const std::string& part, size_t i) const {
    const int64_t version = Integer(part, i);
    if (version < 0 || version > INT32_MAX) {
      ThrowInvalid(fmt::format("column {}.{}: {} is no version", name_, part, version));
    }
    return static_cast<int32_t>(version);
  }
  const CheckpointColumn& Nested(const std::string& part) const { return nested_.at({part}); }

 private:
  template <typename T>
  T Require(std::optional<T> value, const std::string& part) const {
    if (!value) ThrowInvalid(fmt::format("column {}.{}: the value is missing", name_, part));
    return *std::move(value);
  }

  std::string name_;
  std::vector<int64_t> rows_;
  std::map<ColumnPath, CheckpointColumn> values_;
  /// Of the rows that have the action alone.
  std::map<ColumnPath, CheckpointColumn> nested_;
};

void AddProtocol(const Actions& actions, size_t i, LogReplay* replay) {
  const auto row = static_cast<int64_t>(i);
  replay->Add(Protocol{.min_reader_version = actions.Version("minReaderVersion", i),
                       .min_writer_version = actions.Version("minWriterVersion", i),
                       .reader_features = actions.Nested("readerFeatures").Texts(row),
                       .writer_features = actions.Nested("writerFeatures").Texts(row)});
}

void AddMetadata(const Actions& actions, size_t i, LogReplay* replay) {
  const auto row = static_cast<int64_t>(i);
  Metadata metadata{.id = actions.Text("id", i),
                    .name = actions.FindText({"name"}, i),
                    .description = actions.FindText({"description"}, i),
                    .schema_string = actions.FindText({"schemaString"}, i).value_or(kNoColumns),
                    .partition_columns = actions.Nested("partitionColumns").Texts(row),
                    .created_time = actions.FindInteger({"createdTime"}, i)};
  metadata.format_provider =
      actions.FindText({"format", "provider"}, i).value_or(metadata.format_provider);
  CheckpointMap(actions.Nested("configuration"))
      .ForEachEntry(row, [&](std::string_view key, std::string_view value) {
        if (value.data() != nullptr) metadata.configuration.emplace(key, value);
      });
  replay->Add(std::move(metadata));
}

void AddTransaction(const Actions& actions, size_t i, LogReplay* replay) {
  replay->Add(Transaction{.app_id = actions.Text("appId", i),
                          .version = actions.Integer("version", i),
                          .last_updated = actions.FindInteger({"lastUpdated"}, i)});
}

void AddDomain(const Actions& actions, size_t i, LogReplay* replay) {
  replay->Add(DomainMetadata{.domain = actions.Text("domain", i),
                             .configuration = actions.FindText({"configuration"}, i).value_or(""),
                             .removed = actions.FindBoolean({"removed"}, i).value_or(false)});
}

void AddSidecar(const Actions& actions, size_t i, LogReplay* replay) {
  replay->Add(
      Sidecar{.path = actions.Text("path", i), .size_in_bytes = actions.Integer("sizeInBytes", i)});
}

/// In the order of `ActionsOfTables`.
constexpr std::array kAdd = {AddProtocol, AddMetadata, AddTransaction, AddDomain, AddSidecar};

/// Few rows have one of these actions; the lists of the others need not be decoded.
constexpr int64_t kBatchRows = 4096;

/// Actions of one kind that are looked for.
struct Wanted {
  size_t kind = 0;
  /// How many are left.
  int64_t count = 0;
};

/// How many rows have the action: as many as have the part that most of them have. All rows may,
/// where the file does not tell.
int64_t CountOf(const ActionParts& parts, const CheckpointFile& file) {
  int64_t count = 0;
  for (const ColumnPath& part : parts.values) {
    const std::optional<int64_t> values = file.ValuesOf(Below(parts.name, part));
    count = std::max(count, values.value_or(std::numeric_limits<int64_t>::max()));
  }
  return count;
}

void SelectParts(const ActionParts& parts, CheckpointFile* file) {
  for (const ColumnPath& part : parts.values) file->Select(Below(parts.name, part));
  for (const ColumnPath& part : parts.nested) file->Select(Below(parts.name, part));
}

}  // namespace

void ReadCheckpointActions(const Table& table, const Context& context, const LogFile& log_file,
                           LogReplay* replay) {
  CheckpointFile file(*table.io, context, log_file.info.location, log_file.info.size, kBatchRows);
  std::vector<Wanted> wanted;
  for (size_t kind = 0; kind < kAdd.size(); ++kind) {
    const ActionParts& parts = ActionsOfTables()[kind];
    const int64_t count = CountOf(parts, file);
    if (count == 0) continue;
    wanted.push_back({kind, count});
    SelectParts(parts, &file);
  }
  if (wanted.empty()) return;
  file.Fetch(context, /*any_value=*/true);
  while (!wanted.empty()) {
    const int64_t rows = file.Next();
    if (rows == 0) break;
    context.CheckStop();
    WithContext(file.location(), [&] {
      for (auto& [kind, count] : wanted) {
        const Actions actions(&file, ActionsOfTables()[kind], rows);
        for (size_t i = 0; i < actions.size(); ++i) kAdd[kind](actions, i, replay);
        count -= static_cast<int64_t>(actions.size());
      }
    });
    std::erase_if(wanted, [](const Wanted& actions) { return actions.count <= 0; });
  }
}

}  // namespace nunatak::delta
