#include "nunatak/inspect/metadata_table_reader.h"

#include <arrow/record_batch.h>

#include <deque>
#include <utility>
#include <vector>

#include "nunatak/base/ordered_pipeline.h"
#include "nunatak/inspect/passing_rows.h"
#include "nunatak/read/record_batch_reader.h"
#include "nunatak/read/row_limit.h"

namespace nunatak {

namespace {

using Batches = std::vector<std::shared_ptr<arrow::RecordBatch>>;

/// How many rows of a part are made before they are taken; the rest is made one batch at a time.
constexpr size_t kRowsAhead = 64 * 1024;

/// What was made of a part.
struct MadePart {
  Batches batches;
  /// Null when there is no more.
  MetadataRowStream rest;
};

}  // namespace

class MetadataTableReader::Impl {
 public:
  Impl(const Context& context, MetadataTable table, MetadataReadOptions options);

  const std::shared_ptr<arrow::Schema>& schema() const { return selection_.schema(); }
  std::shared_ptr<arrow::RecordBatch> Next();

 private:
  MadePart MakePart(size_t part) const;
  /// The rows that `produce` adds, those that pass.
  MadePart Built(const std::function<void(RowBuilder&)>& produce) const;
  /// Appends what comes next; false after the last part.
  bool TakeMore();
  bool TakePart();
  /// The part at hand is `part` now.
  void Begin(MadePart part);

  MetadataTable table_;
  PassingRows selection_;
  RowLimit limit_;
  std::vector<MadePart> made_;
  std::deque<std::shared_ptr<arrow::RecordBatch>> ready_;
  /// What is left of the part at hand; may be null.
  MetadataRowStream rest_;
  bool finished_ = false;
  /// Last: its workers use the others.
  OrderedPipeline pipeline_;
};

MetadataTableReader::Impl::Impl(const Context& context, MetadataTable table,
                                MetadataReadOptions options)
    : table_(std::move(table)),
      selection_(table_.schema, options.projection.value_or(table_.schema),
                 std::move(options.filter)),
      limit_(options.limit),
      made_(table_.parts),
      pipeline_(context, {.count = table_.parts,
                          .fetch = table_.fetch,
                          .compute = [this](size_t part) { made_[part] = MakePart(part); },
                          .bytes = table_.bytes}) {}

MadePart MetadataTableReader::Impl::Built(const std::function<void(RowBuilder&)>& produce) const {
  RowBuilder rows(table_.schema);
  produce(rows);
  MadePart made;
  if (auto batch = selection_.Apply(rows)) made.batches.push_back(std::move(batch));
  return made;
}

MadePart MetadataTableReader::Impl::MakePart(size_t part) const {
  if (!table_.open) return Built([&](RowBuilder& rows) { table_.produce(part, rows); });
  MetadataRowStream rows = table_.open(part, selection_.columns());
  MadePart made;
  for (size_t count = 0; count < kRowsAhead;) {
    const std::shared_ptr<const MetadataRows> some = rows();
    if (!some) return made;
    if (auto batch = selection_.Apply(*some)) made.batches.push_back(std::move(batch));
    count += some->size();
  }
  made.rest = std::move(rows);
  return made;
}

bool MetadataTableReader::Impl::TakeMore() {
  if (!rest_) return TakePart();
  const std::shared_ptr<const MetadataRows> some = rest_();
  if (!some) {
    rest_ = nullptr;
  } else if (auto batch = selection_.Apply(*some)) {
    ready_.push_back(std::move(batch));
  }
  return true;
}

bool MetadataTableReader::Impl::TakePart() {
  if (finished_) return false;
  if (const std::optional<size_t> part = pipeline_.Next()) {
    if (table_.collect) table_.collect(*part);
    Begin(std::exchange(made_[*part], {}));
  } else {
    finished_ = true;
    if (table_.finish) Begin(Built(table_.finish));
  }
  return true;
}

void MetadataTableReader::Impl::Begin(MadePart part) {
  ready_.insert(ready_.end(), part.batches.begin(), part.batches.end());
  rest_ = std::move(part.rest);
}

std::shared_ptr<arrow::RecordBatch> MetadataTableReader::Impl::Next() {
  if (limit_.reached()) return nullptr;
  while (ready_.empty()) {
    if (!TakeMore()) return nullptr;
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
