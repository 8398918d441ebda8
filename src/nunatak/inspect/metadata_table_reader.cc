#include "nunatak/inspect/metadata_table_reader.h"

#include <arrow/record_batch.h>

#include <deque>
#include <utility>
#include <vector>

#include "nunatak/base/ordered_pipeline.h"
#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/keep_rows.h"
#include "nunatak/read/read_columns.h"
#include "nunatak/read/record_batch_reader.h"
#include "nunatak/read/row_filter.h"
#include "nunatak/read/row_limit.h"

namespace nunatak {

namespace {

using Batches = std::vector<std::shared_ptr<arrow::RecordBatch>>;

/// What is built of each row.
struct BuiltRows {
  /// The projection, then what only the filter looks at.
  std::vector<Field> columns;
  /// Absent when every row passes.
  std::optional<RowFilter> filter = std::nullopt;
};

BuiltRows BuiltFor(const Schema& schema, const Schema& projection, BoundFilter filter) {
  BuiltRows built{.columns = {projection.fields().begin(), projection.fields().end()}};
  if (filter.is_true()) return built;
  ReadColumns read(projection.fields());
  std::vector<FieldPath> paths;
  for (const BoundFilter::Column& column : filter.columns) {
    paths.push_back(read.Require(schema, column.field_id));
  }
  built.columns.insert(built.columns.end(), read.added().begin(), read.added().end());
  built.filter.emplace(std::make_shared<const BoundFilter>(std::move(filter)), std::move(paths));
  return built;
}

}  // namespace

class MetadataTableReader::Impl {
 public:
  Impl(const Context& context, MetadataTable table, MetadataReadOptions options);

  const std::shared_ptr<arrow::Schema>& schema() const { return schema_; }
  std::shared_ptr<arrow::RecordBatch> Next();

 private:
  /// Makes the rows of one part, or those at the end, and filters them.
  Batches Make(const std::function<void(RowBuilder&)>& produce) const;
  /// Appends the batches of the next part; false after the last.
  bool TakePart();

  MetadataTable table_;
  Schema projection_;
  std::shared_ptr<arrow::Schema> schema_;
  BuiltRows built_;
  RowLimit limit_;
  std::vector<Batches> made_;
  std::deque<std::shared_ptr<arrow::RecordBatch>> ready_;
  bool finished_ = false;
  /// Last: its workers use the others.
  OrderedPipeline pipeline_;
};

MetadataTableReader::Impl::Impl(const Context& context, MetadataTable table,
                                MetadataReadOptions options)
    : table_(std::move(table)),
      projection_(options.projection.value_or(table_.schema)),
      schema_(ArrowSchemaOf(projection_)),
      built_(BuiltFor(table_.schema, projection_, std::move(options.filter))),
      limit_(options.limit),
      made_(table_.parts),
      pipeline_(context, {.count = table_.parts,
                          .fetch = table_.fetch,
                          .compute =
                              [this](size_t part) {
                                made_[part] =
                                    Make([&](RowBuilder& rows) { table_.produce(part, rows); });
                              },
                          .bytes = table_.bytes}) {}

Batches MetadataTableReader::Impl::Make(const std::function<void(RowBuilder&)>& produce) const {
  RowBuilder rows(table_.schema, built_.columns);
  produce(rows);
  Batches batches = rows.TakeBatches();
  if (!built_.filter) return batches;
  Batches kept;
  for (const std::shared_ptr<arrow::RecordBatch>& batch : batches) {
    std::vector<uint8_t> dropped(static_cast<size_t>(batch->num_rows()));
    built_.filter->Apply(batch->columns(), dropped);
    arrow::ArrayVector columns = batch->columns();
    columns.resize(projection_.fields().size());
    const auto out = arrow::RecordBatch::Make(schema_, batch->num_rows(), std::move(columns));
    if (auto rest = KeepRows(out, dropped)) kept.push_back(std::move(rest));
  }
  return kept;
}

bool MetadataTableReader::Impl::TakePart() {
  if (finished_) return false;
  Batches batches;
  if (const std::optional<size_t> part = pipeline_.Next()) {
    if (table_.collect) table_.collect(*part);
    batches = std::exchange(made_[*part], {});
  } else {
    finished_ = true;
    if (table_.finish) batches = Make(table_.finish);
  }
  ready_.insert(ready_.end(), batches.begin(), batches.end());
  return true;
}

std::shared_ptr<arrow::RecordBatch> MetadataTableReader::Impl::Next() {
  if (limit_.reached()) return nullptr;
  while (ready_.empty()) {
    if (!TakePart()) return nullptr;
  }
  std::shared_ptr<arrow::RecordBatch> batch = std::move(ready_.front());
  ready_.pop_front();
  return limit_.Cut(std::move(batch));
}

MetadataTableReader::MetadataTableReader(const Context& context, MetadataTable table,
                                         MetadataReadOptions options)
    : impl_(std::make_unique<Impl>(context, std::move(table), std::move(options))) {}
MetadataTableReader::~MetadataTableReader() = default;
MetadataTableReader::MetadataTableReader(MetadataTableReader&&) noexcept = default;
MetadataTableReader& MetadataTableReader::operator=(MetadataTableReader&&) noexcept = default;

const std::shared_ptr<arrow::Schema>& MetadataTableReader::schema() const {
  return impl_->schema();
}

std::shared_ptr<arrow::RecordBatch> MetadataTableReader::Next() { return impl_->Next(); }

std::shared_ptr<arrow::RecordBatchReader> ToRecordBatchReader(MetadataTableReader reader) {
  const auto shared = std::make_shared<MetadataTableReader>(std::move(reader));
  return ToRecordBatchReader(shared->schema(), [shared] { return shared->Next(); });
}

}  // namespace nunatak
