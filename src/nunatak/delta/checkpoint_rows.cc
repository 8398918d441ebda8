#include "nunatak/delta/checkpoint_rows.h"

#include <fmt/format.h>

#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/delta/file_path.h"
#include "nunatak/delta/parsed_statistics.h"
#include "nunatak/delta/partial_batch.h"

namespace nunatak::delta {

namespace {

/// Keeps the elements at `positions`, which are ascending.
template <typename T>
void KeepAt(std::span<const uint32_t> positions, std::vector<T>* values) {
  for (size_t k = 0; k < positions.size(); ++k) (*values)[k] = std::move((*values)[positions[k]]);
  values->erase(values->begin() + static_cast<std::ptrdiff_t>(positions.size()), values->end());
}

/// The deletion vectors of rows.
class VectorColumns {
 public:
  VectorColumns(CheckpointFile* file, const RowSelection& rows)
      : storage_type_(file->Read(Of("storageType"), rows)),
        path_or_inline_(file->Read(Of("pathOrInlineDv"), rows)),
        offset_(file->Read(Of("offset"), rows)),
        size_in_bytes_(file->Read(Of("sizeInBytes"), rows)),
        cardinality_(file->Read(Of("cardinality"), rows)) {}

  std::optional<DeletionVectorDescriptor> At(int64_t i, std::string_view path) const {
    const auto storage = storage_type_.Text(i);
    if (!storage) return std::nullopt;
    const auto text = path_or_inline_.Text(i);
    const auto size = size_in_bytes_.Integer(i);
    const auto cardinality = cardinality_.Integer(i);
    const auto offset = offset_.Integer(i);
    if (storage->size() != 1 || !text || !size || *size < 0 || *size > INT32_MAX || !cardinality ||
        (offset && (*offset < 0 || *offset > INT32_MAX))) {
      ThrowInvalid(fmt::format("column add.deletionVector: malformed for {}", path));
    }
    DeletionVectorDescriptor vector{.storage_type = (*storage)[0],
                                    .path_or_inline = *text,
                                    .size_in_bytes = static_cast<int32_t>(*size),
                                    .cardinality = *cardinality};
    if (offset) vector.offset = static_cast<int32_t>(*offset);
    return vector;
  }

  bool exist() const { return storage_type_.exists(); }
  /// What the texts of vectors lie in.
  const CheckpointColumn& texts() const { return path_or_inline_; }

 private:
  static ColumnPath Of(const char* name) { return {"add", "deletionVector", name}; }

  CheckpointColumn storage_type_, path_or_inline_, offset_, size_in_bytes_, cardinality_;
};

/// A path is decoded once.
std::string_view Decoded(std::string_view path, TextArena* texts) {
  if (path.find('%') == std::string_view::npos) return path;
  return texts->Keep(DecodePath(path));
}

}  // namespace

CheckpointRows::CheckpointRows(CheckpointFile* file, int64_t row_count, const FileKeys& keys,
                               const std::vector<std::string>& columns)
    : file_(file), columns_(columns) {
  const CheckpointColumn paths = file->Read({"add", "path"}, RowSelection::All(row_count));
  if (!paths.exists()) ThrowInvalid("column add.path: there is no such text");
  kept_.push_back(paths);
  std::vector<uint8_t> dropped(static_cast<size_t>(row_count), 0);
  paths_.reserve(dropped.size());
  for (int64_t row = 0; row < row_count; ++row) {
    // Absent in rows of other actions.
    const std::optional<std::string_view> path = paths.Text(row);
    if (path) paths_.push_back(Decoded(*path, &texts_));
    dropped[static_cast<size_t>(row)] = path ? 0 : 1;
  }
  rows_ = RowSelection::Without(dropped);
  ReadVectors();
  std::vector<uint32_t> live;
  live.reserve(size());
  for (uint32_t i = 0; i < size(); ++i) {
    if (!keys.Contains(paths_[i], VectorOf(i))) live.push_back(i);
  }
  Keep(live);
}

void CheckpointRows::ReadVectors() {
  const VectorColumns vectors(file_, rows_);
  if (!vectors.exist()) return;
  kept_.push_back(vectors.texts());
  for (size_t i = 0; i < size(); ++i) {
    vectors_.push_back(vectors.At(static_cast<int64_t>(i), paths_[i]));
  }
}

void CheckpointRows::Keep(std::span<const uint32_t> positions) {
  if (positions.size() == size()) return;
  std::vector<uint8_t> dropped(size(), 1);
  for (const uint32_t i : positions) dropped[i] = 0;
  rows_ = rows_.Narrowed(dropped);
  KeepAt(positions, &paths_);
  if (!vectors_.empty()) KeepAt(positions, &vectors_);
  if (partitions_) {
    for (auto& values : *partitions_) KeepAt(positions, &values);
  }
  if (statistics_) statistics_ = statistics_->At(positions);
}

void CheckpointRows::ReadPartitions() {
  partitions_.emplace(columns_.size(), std::vector<std::string_view>(size()));
  if (columns_.empty()) return;
  kept_.push_back(file_->Read({"add", "partitionValues"}, rows_));
  const CheckpointMap values(kept_.back());
  for (size_t i = 0; i < size(); ++i) {
    values.ForEachEntry(static_cast<int64_t>(i), [&](std::string_view key, std::string_view value) {
      for (size_t c = 0; c < columns_.size(); ++c) {
        if (columns_[c] == key) (*partitions_)[c][i] = value;
      }
    });
  }
}

/// Texts on the context's workers, a stretch of the rows each.
void CheckpointRows::ReadStatistics(const Context& context,
                                    const std::vector<StatisticsColumn>& columns) {
  const ParsedStatistics parsed(file_, rows_, columns);
  const CheckpointColumn texts = file_->Read({"add", "stats"}, rows_);
  const auto parts = texts.exists() ? static_cast<size_t>(context.workers()) : 1;
  std::vector<FileStatistics> read(parts, FileStatistics(columns));
  ParallelFor(context, static_cast<int64_t>(parts), [&](int64_t part) {
    const auto p = static_cast<size_t>(part);
    std::optional<StatisticsReader> json;
    if (texts.exists()) json.emplace(columns);
    read[p].Reserve(size() / parts + 1);
    for (size_t i = size() * p / parts; i < size() * (p + 1) / parts; ++i) {
      const auto row = static_cast<int64_t>(i);
      read[p].BeginFile(VectorOf(i) != nullptr);
      if (!parsed.Read(row, &read[p])) {
        if (const auto text = texts.Text(row))
          json->Read(*text, &read[p], texts.BytesBehind(*text));
      }
      read[p].EndFile();
    }
  });
  statistics_.emplace(columns);
  for (FileStatistics& part : read) statistics_->Append(std::move(part));
}

int64_t CheckpointRows::Narrow(const FileRequest& request, const TableSchema& table) {
  if (size() == 0) return 0;
  const auto before = static_cast<int64_t>(size());
  Keep(request.wanted(PartialBatch(table, size(), partitions_ ? &*partitions_ : nullptr,
                                   statistics_ ? &*statistics_ : nullptr, request)));
  return before - static_cast<int64_t>(size());
}

void CheckpointRows::AppendTo(const Context& context, AddFiles* files, FileStatistics* statistics) {
  if (size() == 0) return;
  if (!partitions_) ReadPartitions();
  if (!statistics_) ReadStatistics(context, statistics->columns());
  const auto read = [this](const char* name) { return file_->Read({"add", name}, rows_); };
  const CheckpointColumn sizes = read("size");
  const CheckpointColumn times = read("modificationTime");
  const CheckpointColumn row_ids = read("baseRowId");
  const CheckpointColumn versions = read("defaultRowCommitVersion");
  for (size_t i = 0; i < size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    const std::optional<int64_t> bytes = sizes.Integer(row);
    if (!bytes || *bytes < 0 || *bytes > AddFiles::kMostBytes) {
      ThrowInvalid(fmt::format("column add.size: missing or no size for {}", paths_[i]));
    }
    files->paths.push_back(files->texts.Keep(paths_[i]));
    files->sizes.push_back(*bytes);
    files->modification_times.push_back(times.Integer(row).value_or(0));
    files->stats.emplace_back();
    files->base_row_ids.push_back(row_ids.Integer(row).value_or(AddFiles::kNone));
    files->commit_versions.push_back(versions.Integer(row).value_or(AddFiles::kNone));
    files->AppendVector(VectorOf(i));
  }
  AppendPartitions(files);
  statistics->Append(*std::move(statistics_));
}

/// Neighbours are often of one partition.
void CheckpointRows::AppendPartitions(AddFiles* files) const {
  for (size_t c = 0; c < columns_.size(); ++c) {
    std::string_view before;
    std::string_view kept;
    for (const std::string_view value : (*partitions_)[c]) {
      if (value.data() == nullptr) {
        kept = {};
      } else if (before.data() == nullptr || before != value) {
        kept = files->texts.Keep(value);
      }
      before = value;
      files->partition_values[c].push_back(kept);
    }
  }
}

}  // namespace nunatak::delta
