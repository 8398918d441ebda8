#include "nunatak/delta/checkpoint_adds.h"

#include <arrow/record_batch.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/delta/checkpoint_columns.h"
#include "nunatak/delta/file_path.h"
#include "nunatak/delta/parsed_statistics.h"

namespace nunatak::delta {

namespace {

const ColumnPath kPath = {"add", "path"};
const ColumnPath kParsedRecords = {"add", "stats_parsed", "numRecords"};

/// The columns of the `add` actions of one batch.
class AddColumns {
 public:
  AddColumns(const arrow::RecordBatch& batch, const std::vector<std::string>& columns)
      : columns_(columns),
        add_(batch, "add"),
        path_(add_.Child("path")),
        partition_values_(add_.Child("partitionValues")),
        size_(add_.Child("size")),
        modification_time_(add_.Child("modificationTime")),
        stats_(add_.Child("stats")),
        base_row_id_(add_.Child("baseRowId")),
        commit_version_(add_.Child("defaultRowCommitVersion")) {
    const CheckpointColumn vector = add_.Child("deletionVector");
    storage_type_ = vector.Child("storageType");
    path_or_inline_ = vector.Child("pathOrInlineDv");
    offset_ = vector.Child("offset");
    size_in_bytes_ = vector.Child("sizeInBytes");
    cardinality_ = vector.Child("cardinality");
  }

  /// Absent in rows of other actions.
  std::optional<std::string_view> Path(int64_t row) const { return path_.Text(row); }

  std::optional<DeletionVectorDescriptor> Vector(int64_t row) const {
    const auto storage = storage_type_.Text(row);
    if (!storage) return std::nullopt;
    const auto text = path_or_inline_.Text(row);
    const auto size = size_in_bytes_.Integer(row);
    const auto cardinality = cardinality_.Integer(row);
    const auto offset = offset_.Integer(row);
    if (storage->size() != 1 || !text || !size || *size < 0 || *size > INT32_MAX || !cardinality ||
        (offset && (*offset < 0 || *offset > INT32_MAX))) {
      ThrowInvalid(fmt::format("column add.deletionVector: malformed for {}", *Path(row)));
    }
    DeletionVectorDescriptor vector{.storage_type = (*storage)[0],
                                    .path_or_inline = *text,
                                    .size_in_bytes = static_cast<int32_t>(*size),
                                    .cardinality = *cardinality};
    if (offset) vector.offset = static_cast<int32_t>(*offset);
    return vector;
  }

  std::string_view Stats(int64_t row) const {
    return stats_.Text(row).value_or(std::string_view());
  }

  /// Copies what it appends: rows are many, and what else a batch holds is large.
  void Append(int64_t row, std::string_view path, std::optional<DeletionVectorDescriptor> vector,
              AddFiles* files) const {
    const std::optional<int64_t> size = size_.Integer(row);
    if (!size || *size < 0 || *size > AddFiles::kMostBytes) {
      ThrowInvalid(fmt::format("column add.size: missing or no size for {}", path));
    }
    files->paths.push_back(files->texts.Keep(path));
    files->sizes.push_back(*size);
    files->modification_times.push_back(modification_time_.Integer(row).value_or(0));
    files->stats.emplace_back();
    files->base_row_ids.push_back(base_row_id_.Integer(row).value_or(AddFiles::kNone));
    files->commit_versions.push_back(commit_version_.Integer(row).value_or(AddFiles::kNone));
    files->vector_numbers.push_back(vector ? static_cast<int32_t>(files->vectors.size()) : -1);
    if (vector) {
      vector->path_or_inline = files->texts.Keep(vector->path_or_inline);
      files->vectors.push_back(*vector);
    }
    AppendPartition(row, files);
  }

 private:
  void AppendPartition(int64_t row, AddFiles* files) const {
    if (columns_.empty()) return;
    for (auto& values : files->partition_values) values.emplace_back();
    partition_values_.ForEachEntry(row, [&](std::string_view key, std::string_view value) {
      for (size_t c = 0; c < columns_.size(); ++c) {
        if (columns_[c] != key) continue;
        files->partition_values[c].back() = KeepRepeated(value, c, files);
      }
    });
  }

  /// Neighbours are often of one partition.
  static std::string_view KeepRepeated(std::string_view value, size_t column, AddFiles* files) {
    if (value.data() == nullptr) return value;
    const auto& values = files->partition_values[column];
    const std::string_view before =
        values.size() < 2 ? std::string_view() : values[values.size() - 2];
    return before.data() != nullptr && before == value ? before : files->texts.Keep(value);
  }

  const std::vector<std::string>& columns_;
  CheckpointColumn add_, path_, partition_values_, size_, modification_time_, stats_, base_row_id_,
      commit_version_;
  CheckpointColumn storage_type_, path_or_inline_, offset_, size_in_bytes_, cardinality_;
};

}  // namespace

CheckpointAdds::CheckpointAdds(CheckpointFile file, std::vector<std::string> columns,
                               const std::vector<StatisticsColumn>& statistics)
    : file_(std::move(file)), columns_(std::move(columns)) {
  for (const char* name : {"path", "size", "modificationTime", "baseRowId",
                           "defaultRowCommitVersion", "deletionVector"}) {
    file_.Select({"add", name});
  }
  if (!columns_.empty()) file_.Select({"add", "partitionValues"});
  if (!file_.HasValuesWherever(kPath, kParsedRecords)) file_.Select({"add", "stats"});
  SelectParsedStatistics(statistics, &file_);
}

namespace {

/// Appends the files of a batch that `keys` does not know; returns their rows and whether each has
/// a deletion vector.
std::vector<std::pair<int64_t, bool>> AppendFiles(const AddColumns& adds, int64_t row_count,
                                                  const FileKeys& keys, AddFiles* files) {
  std::vector<std::pair<int64_t, bool>> rows;
  std::string decoded;
  for (int64_t row = 0; row < row_count; ++row) {
    std::optional<std::string_view> path = adds.Path(row);
    if (!path) continue;
    if (path->find('%') != std::string_view::npos) {
      decoded = DecodePath(*path);
      path = decoded;
    }
    const std::optional<DeletionVectorDescriptor> vector = adds.Vector(row);
    if (!keys.empty() && keys.Contains(*path, vector ? &*vector : nullptr)) continue;
    adds.Append(row, *path, vector, files);
    rows.emplace_back(row, vector.has_value());
  }
  return rows;
}

/// Reads the statistics of the rows of a batch on the context's workers, a stretch each.
void AppendStatistics(const Context& context, const AddColumns& adds,
                      const ParsedStatistics& parsed,
                      std::span<const std::pair<int64_t, bool>> rows, FileStatistics* statistics) {
  const auto parts = static_cast<size_t>(context.workers());
  std::vector<FileStatistics> read(parts, FileStatistics(statistics->columns()));
  ParallelFor(context, static_cast<int64_t>(parts), [&](int64_t part) {
    const auto p = static_cast<size_t>(part);
    StatisticsReader json(statistics->columns());
    for (size_t i = rows.size() * p / parts; i < rows.size() * (p + 1) / parts; ++i) {
      const auto [row, has_vector] = rows[i];
      read[p].BeginFile(has_vector);
      const std::string_view text = adds.Stats(row);
      if (!parsed.Read(row, &read[p]) && text.data() != nullptr) json.Read(text, &read[p]);
      read[p].EndFile();
    }
  });
  for (FileStatistics& part : read) statistics->Append(std::move(part));
}

}  // namespace

void CheckpointAdds::Read(const Context& context, const FileKeys& keys, AddFiles* files,
                          FileStatistics* statistics) {
  while (const std::shared_ptr<arrow::RecordBatch> batch = file_.Next()) {
    context.CheckStop();
    WithContext(file_.location(), [&] {
      const AddColumns adds(*batch, columns_);
      const auto rows = AppendFiles(adds, batch->num_rows(), keys, files);
      AppendStatistics(context, adds, ParsedStatistics(*batch, statistics->columns()), rows,
                       statistics);
    });
  }
}

}  // namespace nunatak::delta
