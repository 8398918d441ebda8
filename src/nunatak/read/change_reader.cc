#include "nunatak/read/change_reader.h"

#include <arrow/record_batch.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/change_plan.h"
#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/carry_over.h"
#include "nunatak/read/change_filter.h"
#include "nunatak/read/change_output.h"
#include "nunatak/read/file_change_rows.h"
#include "nunatak/read/resolved_rows.h"
#include "nunatak/read/row_limit.h"
#include "nunatak/read/row_partitions.h"
#include "nunatak/read/update_pairs.h"
#include "nunatak/table/metadata_columns.h"

namespace nunatak {

namespace {

using iceberg::ChangedSnapshot;

/// Files are read with half of the budget; rows that wait for each other take a quarter where they
/// are matched, and another where updates are paired.
constexpr int64_t kRowsShare = 4;

Context ForReading(Context context) {
  context.memory_budget = std::max<int64_t>(context.memory_budget / 2, 1);
  return context;
}

std::vector<Field> OwnFields(const Schema& schema) {
  std::vector<Field> fields;
  for (const Field& field : schema.fields()) {
    if (!IsMetadataColumn(field.id)) fields.push_back(field);
  }
  return fields;
}

std::vector<int32_t> IdsOf(std::span<const Field> fields) {
  std::vector<int32_t> ids;
  for (const Field& field : fields) ids.push_back(field.id);
  return ids;
}

std::optional<int> ColumnOf(std::span<const Field> columns, int32_t id) {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].id == id) return static_cast<int>(i);
  }
  return std::nullopt;
}

/// What a request comes to, worked out once.
class ChangeSetup {
 public:
  explicit ChangeSetup(ChangeRequest request)
      : request_(std::move(request)), changes_(WithChangeColumns(request_.read.schema)) {
    RequireIdentifier();
    ChangeFilter filter =
        PartFilter(request_.filter, {request_.filter_text, request_.case_sensitive},
                   request_.read.schema, [&](int32_t id) { return IsSameOnBothSides(id); });
    before_ = std::move(filter.before);
    after_ = std::make_shared<const BoundFilter>(std::move(filter.after));
    few_.emplace(changes_, FewColumns(), request_.read.projection, after_);
    whole_.emplace(changes_, WholeRows(), request_.read.projection, after_);
  }

  const ChangeRequest& request() const { return request_; }
  bool pairs() const { return request_.pairing != UpdatePairing::kNone; }
  const BoundFilter& before() const { return before_; }
  /// Rows that are compared with others have all columns; others those that come out.
  const ChangeOutput& output(bool whole) const { return whole ? *whole_ : *few_; }

  CarryOverRules carry_over() const {
    const Schema columns = whole_->columns();
    return {
        .content = MakeRowKey(request_.read.schema, IdsOf(OwnFields(columns)), columns.fields()),
        .row_id_column = ColumnOf(columns.fields(), kRowIdColumnId),
        .by_row_id = request_.pairing == UpdatePairing::kRowId,
        .net = request_.net};
  }

  UpdateRules updates() const {
    const bool by_row_id = request_.pairing == UpdatePairing::kRowId;
    const std::vector<int32_t> ids =
        by_row_id ? std::vector<int32_t>{kRowIdColumnId} : request_.identifier_ids;
    const Schema columns = whole_->columns();
    return {.key = MakeRowKey(request_.read.schema, ids, columns.fields()),
            .key_may_be_null = !by_row_id,
            .net = request_.net};
  }

 private:
  void RequireIdentifier() const {
    const Schema& schema = request_.read.schema;
    if (request_.pairing == UpdatePairing::kRowId && !schema.FindField(kRowIdColumnId)) {
      ThrowUnsupported("the table has a column _row_id of its own, which hides the row ids");
    }
    if (request_.pairing != UpdatePairing::kIdentifier) return;
    if (request_.identifier_ids.empty()) ThrowUsage("updates are paired by no column");
    for (const int32_t id : request_.identifier_ids) {
      const Field* field = schema.FindField(id);
      if (field == nullptr || IsMetadataColumn(id)) {
        ThrowUsage(
            fmt::format("updates are paired by field {}, which the table does not have", id));
      }
      if (!field->type.is_comparable() || schema.IsRepeated(id)) {
        ThrowUsage(fmt::format("updates cannot be paired by {}, a {}", schema.NameOf(id),
                               field->type.ToString()));
      }
    }
  }

  /// Whether two rows that are matched with each other agree in a column, so that a filter may drop
  /// rows by it before.
  bool IsSameOnBothSides(int32_t id) const {
    switch (request_.pairing) {
      case UpdatePairing::kNone:
        return !IsMetadataColumn(id) && !IsChangeColumn(id);
      case UpdatePairing::kRowId:
        return id == kRowIdColumnId;
      case UpdatePairing::kIdentifier:
        return std::find(request_.identifier_ids.begin(), request_.identifier_ids.end(), id) !=
               request_.identifier_ids.end();
    }
    return false;
  }

  bool IsFilteredBy(int32_t id) const {
    return std::any_of(after_->columns.begin(), after_->columns.end(), [&](const auto& column) {
      return changes_.PathTo(column.field_id).front() == id;
    });
  }

  std::vector<Field> FewColumns() const {
    std::vector<Field> columns;
    const Schema& projection = request_.read.projection;
    for (const Field& field : changes_.fields()) {
      if (IsChangeColumn(field.id)) continue;
      const auto selected = ColumnOf(projection.fields(), field.id);
      if (IsFilteredBy(field.id)) {
        columns.push_back(field);
      } else if (selected) {
        columns.push_back(projection.fields()[static_cast<size_t>(*selected)]);
      }
    }
    return columns;
  }

  std::vector<Field> WholeRows() const {
    std::vector<Field> columns = OwnFields(request_.read.schema);
    for (const Field& field : changes_.fields()) {
      if (!IsMetadataColumn(field.id)) continue;
      const bool is_key = request_.pairing == UpdatePairing::kRowId && field.id == kRowIdColumnId;
      const bool is_selected = ColumnOf(request_.read.projection.fields(), field.id).has_value();
      if (is_key || is_selected || IsFilteredBy(field.id)) columns.push_back(field);
    }
    return columns;
  }

  ChangeRequest request_;
  Schema changes_;
  BoundFilter before_;
  std::shared_ptr<const BoundFilter> after_;
  std::optional<ChangeOutput> few_;
  std::optional<ChangeOutput> whole_;
};

/// Changed rows, of one layout.
struct Stream {
  std::unique_ptr<ChangedRowsStream> rows;
  bool whole = false;
};

}  // namespace

class ChangeReader::Impl {
 public:
  Impl(iceberg::Table table, Context context, ChangeRequest request)
      : table_(std::move(table)),
        context_(std::move(context)),
        cache_(request.cache ? request.cache : std::make_shared<iceberg::ManifestCache>()),
        snapshots_(iceberg::ChangedSnapshots(*table_.metadata, request.range)),
        limit_(request.read.options.limit),
        schema_(ArrowSchemaOf(request.read.projection)),
        setup_(std::move(request)) {}

  const std::shared_ptr<arrow::Schema>& schema() const { return schema_; }

  std::shared_ptr<arrow::RecordBatch> Next() {
    while (!limit_.reached()) {
      context_.CheckStop();
      if (stream_.rows == nullptr && !OpenNext()) return nullptr;
      std::optional<ChangedRows> rows = stream_.rows->Next();
      if (!rows) {
        stream_ = {};
        continue;
      }
      if (auto batch = setup_.output(stream_.whole).Finish(*std::move(rows), snapshots_)) {
        return limit_.Cut(std::move(batch));
      }
    }
    return nullptr;
  }

 private:
  /// The files that a snapshot changed.
  struct Planned {
    size_t snapshot = 0;
    ChangedFiles files;
  };

  SideRequest RequestFor(size_t snapshot, bool whole) const {
    SideRequest request{.io = table_.io,
                        .context = ForReading(context_),
                        .read = setup_.request().read,
                        .snapshot = static_cast<int32_t>(snapshot)};
    request.read.projection = setup_.output(whole).columns();
    request.read.options.limit = -1;
    return request;
  }

  Planned Plan(size_t snapshot) const {
    const Schema own(setup_.request().read.schema.schema_id(),
                     OwnFields(setup_.request().read.schema));
    return {.snapshot = snapshot,
            .files = PartChanges(
                RequestFor(snapshot, false),
                iceberg::PlanFileChanges(table_, context_, snapshots_[snapshot],
                                         {.schema = own, .filter = setup_.before()}, cache_))};
  }

  std::unique_ptr<ChangedRowsStream> Read(const Planned& planned, bool whole) const {
    const SideRequest request = RequestFor(planned.snapshot, whole);
    std::vector<std::unique_ptr<ChangedRowsStream>> sides;
    sides.push_back(ReadDeletedRows(request, planned.files));
    sides.push_back(ReadInsertedRows(request, planned.files));
    return OneAfterOther(std::move(sides));
  }

  bool OpenNext() {
    if (setup_.request().net) return OpenNet();
    if (next_ == snapshots_.size()) return false;
    const Planned planned = Plan(next_++);
    const bool meet = !planned.files.deleting.empty() && !planned.files.inserting.empty();
    stream_ = {.rows = Read(planned, meet), .whole = meet};
    if (meet) stream_.rows = Matched(std::move(stream_.rows));
    return true;
  }

  /// Where no snapshot deletes anything, nothing is undone.
  bool OpenNet() {
    if (next_ == snapshots_.size()) return false;
    std::vector<Planned> planned;
    bool meet = false;
    for (; next_ < snapshots_.size(); ++next_) {
      planned.push_back(Plan(next_));
      meet = meet || !planned.back().files.deleting.empty();
    }
    std::vector<std::unique_ptr<ChangedRowsStream>> streams;
    for (const Planned& one : planned) streams.push_back(Read(one, meet));
    stream_ = {.rows = OneAfterOther(std::move(streams)), .whole = meet};
    if (meet) stream_.rows = Matched(std::move(stream_.rows));
    return true;
  }

  std::unique_ptr<RowPartitions> Collect(std::unique_ptr<ChangedRowsStream> rows,
                                         RowKey key) const {
    const Schema columns = setup_.output(true).columns();
    auto partitions = std::make_unique<RowPartitions>(
        RowPartitions::Options{.key = std::move(key),
                               .schema = ArrowSchemaOf(columns),
                               .memory = context_.memory_budget / kRowsShare});
    while (std::optional<ChangedRows> more = rows->Next()) partitions->Add(*std::move(more));
    return partitions;
  }

  /// What is left of rows that may cancel out or be updates.
  std::unique_ptr<ChangedRowsStream> Matched(std::unique_ptr<ChangedRowsStream> rows) const {
    CarryOverRules rules = setup_.carry_over();
    auto collected = Collect(std::move(rows), rules.content);
    std::unique_ptr<ChangedRowsStream> left = ResolveRows(
        std::move(collected), [rules = std::move(rules)](std::vector<ChangedRows>* partition) {
          return RemoveCarryOver(*partition, rules);
        });
    if (!setup_.pairs()) return left;
    UpdateRules updates = setup_.updates();
    auto again = Collect(std::move(left), updates.key);
    return ResolveRows(std::move(again),
                       [updates = std::move(updates)](std::vector<ChangedRows>* partition) {
                         return PairUpdates(partition, updates);
                       });
  }

  iceberg::Table table_;
  Context context_;
  std::shared_ptr<iceberg::ManifestCache> cache_;
  std::vector<ChangedSnapshot> snapshots_;
  RowLimit limit_;
  std::shared_ptr<arrow::Schema> schema_;
  ChangeSetup setup_;
  /// The next snapshot to plan.
  size_t next_ = 0;
  Stream stream_;
};

ChangeReader::ChangeReader(const iceberg::Table& table, Context context, ChangeRequest request)
    : impl_(std::make_unique<Impl>(table, std::move(context), std::move(request))) {}
ChangeReader::~ChangeReader() = default;
ChangeReader::ChangeReader(ChangeReader&&) noexcept = default;
ChangeReader& ChangeReader::operator=(ChangeReader&&) noexcept = default;

const std::shared_ptr<arrow::Schema>& ChangeReader::schema() const { return impl_->schema(); }
std::shared_ptr<arrow::RecordBatch> ChangeReader::Next() { return impl_->Next(); }

}  // namespace nunatak
