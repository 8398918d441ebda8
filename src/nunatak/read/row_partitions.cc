#include "nunatak/read/row_partitions.h"

#include <arrow/record_batch.h>
#include <arrow/util/byte_size.h>

#include <array>
#include <string>
#include <utility>

#include "nunatak/base/bytes.h"
#include "nunatak/base/hash.h"

namespace nunatak {

namespace {

constexpr size_t kParts = 16;
/// 16^5 parts of what fits into memory are more than there are disks for: what is too large then is
/// of one key.
constexpr int kMaxLevel = 5;
/// What a row takes beside its values where it is compared with others: mark, hash, references.
constexpr int64_t kRowBytes = 48;

}  // namespace

void RowPartitions::Add(ChangedRows rows) {
  if (!files_.empty()) return Spill(rows);
  bytes_ += arrow::util::TotalBufferSize(*rows.batch) +
            static_cast<int64_t>(rows.marks.size()) * kRowBytes;
  rows_.push_back(std::move(rows));
  if (bytes_ > options_.memory && options_.level < kMaxLevel) SpillAll();
}

void RowPartitions::SpillAll() {
  for (size_t i = 0; i < kParts; ++i) files_.emplace_back(options_.schema);
  for (ChangedRows& rows : std::exchange(rows_, {})) Spill(std::exchange(rows, {}));
}

void RowPartitions::Spill(const ChangedRows& rows) {
  std::array<std::vector<RowRef>, kParts> refs;
  const RowEncoder encoder = options_.key.EncoderOf(rows);
  std::string key;
  for (uint32_t row = 0; row < rows.marks.size(); ++row) {
    key.clear();
    encoder.Append(row, &key);
    // Each level parts by other bits.
    const uint64_t hash = MixHash(HashBytes(AsBytes(key)), static_cast<uint64_t>(options_.level));
    refs[hash % kParts].push_back({0, row});
  }
  const std::vector<ChangedRows> from = {rows};
  for (size_t i = 0; i < kParts; ++i) {
    if (!refs[i].empty()) files_[i].Write(GatherRows(from, refs[i]));
  }
}

std::optional<std::vector<ChangedRows>> RowPartitions::Next() {
  if (!files_.empty() || parts_ != nullptr) return NextFile();
  if (rows_.empty()) return std::nullopt;
  return std::exchange(rows_, {});
}

std::optional<std::vector<ChangedRows>> RowPartitions::NextFile() {
  for (;;) {
    if (parts_ != nullptr) {
      if (auto rows = parts_->Next()) return rows;
      parts_.reset();
    }
    if (files_.empty()) return std::nullopt;
    Options options = options_;
    ++options.level;
    parts_ = std::make_unique<RowPartitions>(std::move(options));
    SpillFile file = std::move(files_.front());
    files_.pop_front();
    const std::unique_ptr<ChangedRowsStream> stream = file.Read();
    while (std::optional<ChangedRows> rows = stream->Next()) parts_->Add(*std::move(rows));
  }
}

}  // namespace nunatak
