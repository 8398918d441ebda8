#include "nunatak/read/changed_rows.h"

#include <arrow/array.h>
#include <arrow/array/concatenate.h>
#include <arrow/compute/api_vector.h>
#include <arrow/datum.h>
#include <arrow/record_batch.h>

#include <algorithm>
#include <map>
#include <utility>

#include "nunatak/read/compute.h"
#include "nunatak/read/decode/arrow_error.h"

namespace nunatak {

namespace {

std::shared_ptr<arrow::Array> IndicesOf(const std::vector<int64_t>& values) {
  return std::make_shared<arrow::Int64Array>(static_cast<int64_t>(values.size()),
                                             arrow::Buffer::Wrap(values.data(), values.size()));
}

std::shared_ptr<arrow::RecordBatch> Take(const std::shared_ptr<arrow::RecordBatch>& batch,
                                         const std::vector<int64_t>& rows) {
  InitializeCompute();
  if (batch->num_columns() == 0) {
    return arrow::RecordBatch::Make(batch->schema(), static_cast<int64_t>(rows.size()),
                                    arrow::ArrayVector{});
  }
  return ValueOrThrow(arrow::compute::Take(batch, IndicesOf(rows))).record_batch();
}

std::shared_ptr<arrow::RecordBatch> Concatenate(const arrow::RecordBatchVector& batches) {
  if (batches.size() == 1) return batches[0];
  arrow::ArrayVector columns;
  int64_t rows = 0;
  for (const auto& batch : batches) rows += batch->num_rows();
  for (int i = 0; i < batches[0]->num_columns(); ++i) {
    arrow::ArrayVector parts;
    for (const auto& batch : batches) parts.push_back(batch->column(i));
    columns.push_back(ValueOrThrow(arrow::Concatenate(parts)));
  }
  return arrow::RecordBatch::Make(batches[0]->schema(), rows, std::move(columns));
}

class InTurn final : public ChangedRowsStream {
 public:
  explicit InTurn(std::vector<std::unique_ptr<ChangedRowsStream>> streams)
      : streams_(std::move(streams)) {}

  std::optional<ChangedRows> Next() override {
    for (; next_ < streams_.size(); ++next_) {
      if (auto rows = streams_[next_]->Next()) return rows;
      streams_[next_].reset();
    }
    return std::nullopt;
  }

 private:
  std::vector<std::unique_ptr<ChangedRowsStream>> streams_;
  size_t next_ = 0;
};

}  // namespace

std::unique_ptr<ChangedRowsStream> OneAfterOther(
    std::vector<std::unique_ptr<ChangedRowsStream>> streams) {
  return std::make_unique<InTurn>(std::move(streams));
}

ChangedRows GatherRows(const std::vector<ChangedRows>& from, std::span<const RowRef> refs) {
  std::map<uint32_t, std::vector<int64_t>> rows_of;
  ChangedRows gathered;
  for (const RowRef& ref : refs) {
    rows_of[ref.batch].push_back(ref.row);
    gathered.marks.push_back(from[ref.batch].marks[ref.row]);
  }
  arrow::RecordBatchVector parts;
  std::map<uint32_t, int64_t> next;  // Of each batch, where its next row comes to lie.
  int64_t begin = 0;
  for (const auto& [batch, rows] : rows_of) {
    parts.push_back(Take(from[batch].batch, rows));
    next[batch] = begin;
    begin += static_cast<int64_t>(rows.size());
  }
  gathered.batch = Concatenate(parts);
  std::vector<int64_t> order;
  for (const RowRef& ref : refs) order.push_back(next[ref.batch]++);
  if (!std::is_sorted(order.begin(), order.end())) gathered.batch = Take(gathered.batch, order);
  return gathered;
}

}  // namespace nunatak
