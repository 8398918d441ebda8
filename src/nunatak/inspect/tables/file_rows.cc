#include "nunatak/inspect/tables/file_rows.h"

#include <arrow/array.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace nunatak {

namespace {

/// How many rows come at once.
constexpr size_t kRunRows = 8192;

class FileRows final : public MetadataRows {
 public:
  FileRows(std::shared_ptr<const FileRecords> records, std::vector<uint32_t> files,
           MakeFileColumn make)
      : records_(std::move(records)), files_(std::move(files)), make_(std::move(make)) {}

  size_t size() const override { return files_.size(); }
  arrow::ArrayVector Columns(std::span<const Field> columns,
                             std::span<const uint32_t> wanted) const override;

 private:
  std::shared_ptr<const FileRecords> records_;
  std::vector<uint32_t> files_;
  MakeFileColumn make_;
};

arrow::ArrayVector FileRows::Columns(std::span<const Field> columns,
                                     std::span<const uint32_t> wanted) const {
  std::vector<FileColumnPtr> made;
  for (const Field& column : columns) {
    made.push_back(make_(column));
    made.back()->Reserve(static_cast<int64_t>(wanted.size()));
  }
  FileRun run(*records_, wanted.size());
  constexpr size_t kAtOnce = 64;
  std::vector<uint32_t> some;
  for (size_t begin = 0; begin < wanted.size(); begin += kAtOnce) {
    some.clear();
    for (const uint32_t row : wanted.subspan(begin, std::min(kAtOnce, wanted.size() - begin))) {
      some.push_back(files_[row]);
    }
    run.Begin(some);
    for (const FileColumnPtr& column : made) column->Append(run);
  }
  arrow::ArrayVector arrays;
  for (const FileColumnPtr& column : made) arrays.push_back(column->Finish());
  return arrays;
}

}  // namespace

MetadataRowStream StreamFiles(std::shared_ptr<const FileRecords> records,
                              std::vector<uint32_t> files, MakeFileColumn make) {
  return [records = std::move(records), files = std::move(files), make = std::move(make),
          next = size_t{0}]() mutable -> std::shared_ptr<const MetadataRows> {
    if (next == files.size()) return nullptr;
    const auto begin = files.begin() + static_cast<ptrdiff_t>(next);
    next = std::min(next + kRunRows, files.size());
    return std::make_shared<FileRows>(
        records, std::vector<uint32_t>(begin, files.begin() + static_cast<ptrdiff_t>(next)), make);
  };
}

MetadataRowStream StreamFiles(std::shared_ptr<const FileColumns> columns,
                              std::shared_ptr<const FileRecords> records) {
  std::vector<uint32_t> all(records->size());
  std::iota(all.begin(), all.end(), 0);
  return StreamFiles(
      std::move(records), std::move(all),
      [columns = std::move(columns)](const Field& field) { return columns->MakeColumn(field); });
}

}  // namespace nunatak
