#include "nunatak/inspect/verify/verify_position_deletes.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/iceberg/deletion_vector.h"
#include "nunatak/iceberg/puffin.h"
#include "nunatak/read/fetch_ranges.h"

namespace nunatak {

using iceberg::PuffinBlob;

namespace {

constexpr const char* kVectorType = "deletion-vector-v1";

}  // namespace

void PositionDeleteChecker::Add(const arrow::RecordBatch& batch, int64_t first_row) {
  const auto& paths = static_cast<const arrow::StringArray&>(*batch.column(0));
  const auto& positions = static_cast<const arrow::Int64Array&>(*batch.column(1));
  if (paths.null_count() > 0 || positions.null_count() > 0) {
    ThrowInvalid("a position delete has no path or no position");
  }
  for (int64_t row = 0; row < batch.num_rows(); ++row) {
    const std::string_view path = paths.GetView(row);
    const int64_t position = positions.Value(row);
    const int order = path_.compare(path);
    if (!unsorted_ && (order > 0 || (order == 0 && position < position_))) {
      unsorted_ = {first_row + row, std::string(path), position, 0};
    }
    if (order != 0) StartPath(std::string(path));
    position_ = position;
    const bool is_beyond = position < 0 || (limit_ && position >= *limit_);
    if (is_beyond && !beyond_) beyond_ = {first_row + row, path_, position, limit_.value_or(0)};
  }
}

void PositionDeleteChecker::StartPath(const std::string& path) {
  path_ = path;
  limit_ = rows_of_(path);
}

void PositionDeleteChecker::Report(FileReport* report) const {
  if (unsorted_) {
    report->Add(Check::kDeleteOrder, "pos", {},
                fmt::format("row {} deletes position {} of {}, which comes before the row ahead of "
                            "it",
                            unsorted_->row, unsorted_->position, unsorted_->path));
  }
  if (beyond_) {
    report->Add(Check::kDeletePositions, "pos",
                {fmt::format("{}", beyond_->position), fmt::format("0 to {}", beyond_->limit - 1)},
                fmt::format("row {} deletes position {} of {}, which has {} rows", beyond_->row,
                            beyond_->position, beyond_->path, beyond_->limit));
  }
}

namespace {

/// Checks the blob that the footer has at the entry's place.
void CheckFooter(const ContentScope& scope, const DataFile& file, FileReport* report) {
  const auto footer = iceberg::ReadPuffinFooter(*scope.table.io, file.file_path);
  const auto blob =
      std::find_if(footer.blobs.begin(), footer.blobs.end(), [&](const PuffinBlob& b) {
        return b.offset == file.content_offset && b.length == file.content_size_in_bytes;
      });
  const auto wrong = [&](std::string field, Comparison compared, std::string message) {
    report->Add(Check::kDeletionVectorBlob, std::move(field), std::move(compared),
                std::move(message));
  };
  if (blob == footer.blobs.end()) {
    return wrong("content_offset",
                 {fmt::format("{} + {}", NumberOrNull(file.content_offset),
                              NumberOrNull(file.content_size_in_bytes)),
                  "the place of a blob"},
                 "the file's footer has no blob at the place of the deletion vector");
  }
  if (blob->type != kVectorType) {
    wrong("type", {blob->type, kVectorType}, "the blob is no deletion vector");
  }
  const std::pair<const char*, std::string> properties[] = {
      {"referenced-data-file", file.referenced_data_file.value_or("")},
      {"cardinality", fmt::format("{}", file.record_count)}};
  for (const auto& [key, expected] : properties) {
    const auto found = blob->properties.find(key);
    if (found != blob->properties.end() && found->second == expected) continue;
    const std::string text = found == blob->properties.end() ? "null" : found->second;
    wrong(key, {text, expected},
          fmt::format("the footer has {} {}, the manifest {}", key, text, expected));
  }
}

}  // namespace

void CheckDeletionVector(const ContentScope& scope, const DataFile& file, FileReport* report) {
  CheckFooter(scope, file, report);
  const FetchRequest request = iceberg::DeletionVectorRequest(file);
  const Buffer blob = FetchRange(*scope.table.io, scope.context, request.location, request.range);
  const std::string field = fmt::format("blob at byte {}", request.range.offset);
  try {
    const iceberg::PositionSet positions = iceberg::ParseDeletionVector(blob.bytes);
    if (positions.cardinality() != file.record_count) {
      report->Add(Check::kDeletionVectorBlob, "record_count",
                  Compared(file.record_count, positions.cardinality()),
                  fmt::format("the manifest has {} deleted rows, the deletion vector {}",
                              file.record_count, positions.cardinality()));
    }
    const std::optional<int64_t> rows = scope.rows_of(file.referenced_data_file.value_or(""));
    if (!rows) return;
    const std::vector<int64_t> beyond =
        positions.InRange(*rows, std::numeric_limits<int64_t>::max());
    if (beyond.empty()) return;
    report->Add(Check::kDeletePositions, field,
                {fmt::format("{}", beyond.front()), fmt::format("0 to {}", *rows - 1)},
                fmt::format("it deletes position {} of {}, which has {} rows", beyond.front(),
                            *file.referenced_data_file, *rows));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInvalid) throw;
    report->Add(Check::kDeletionVectorBlob, field, {}, error.message());
  }
}

}  // namespace nunatak
