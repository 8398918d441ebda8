#include "nunatak/read/resolved_rows.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace nunatak {

namespace {

constexpr size_t kRowsOfBatch = 8192;

class ResolvedRows final : public ChangedRowsStream {
 public:
  ResolvedRows(std::unique_ptr<RowPartitions> partitions, Resolve resolve)
      : partitions_(std::move(partitions)), resolve_(std::move(resolve)) {}

  std::optional<ChangedRows> Next() override {
    while (next_ == refs_.size()) {
      next_ = 0;
      refs_.clear();
      rows_.clear();
      std::optional<std::vector<ChangedRows>> rows = partitions_->Next();
      if (!rows) return std::nullopt;
      rows_ = std::move(*rows);
      refs_ = resolve_(&rows_);
    }
    const std::span<const RowRef> refs =
        std::span(refs_).subspan(next_, std::min(kRowsOfBatch, refs_.size() - next_));
    next_ += refs.size();
    return GatherRows(rows_, refs);
  }

 private:
  std::unique_ptr<RowPartitions> partitions_;
  Resolve resolve_;
  std::vector<ChangedRows> rows_;
  std::vector<RowRef> refs_;
  size_t next_ = 0;
};

}  // namespace

std::unique_ptr<ChangedRowsStream> ResolveRows(std::unique_ptr<RowPartitions> rows,
                                               Resolve resolve) {
  return std::make_unique<ResolvedRows>(std::move(rows), std::move(resolve));
}

}  // namespace nunatak
