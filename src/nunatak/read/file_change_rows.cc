#include "nunatak/read/file_change_rows.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>

#include <algorithm>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/read/data_file_stream.h"
#include "nunatak/read/deleted_positions.h"
#include "nunatak/read/scan_deletes.h"
#include "nunatak/read/supported.h"
#include "nunatak/read/table_reader.h"
#include "nunatak/table/metadata_columns.h"

namespace nunatak {

namespace {

using iceberg::FileChange;

ChangedRows Marked(std::shared_ptr<arrow::RecordBatch> batch, const RowMark& mark) {
  ChangedRows rows;
  rows.marks.assign(static_cast<size_t>(batch->num_rows()), mark);
  rows.batch = std::move(batch);
  return rows;
}

/// All rows of files that one side alone has.
class WholeFiles final : public ChangedRowsStream {
 public:
  WholeFiles(const SideRequest& request, std::vector<FileScanTask> tasks, RowMark mark)
      : reader_(request.io, request.context, request.read, std::move(tasks)), mark_(mark) {}

  std::optional<ChangedRows> Next() override {
    std::shared_ptr<arrow::RecordBatch> batch = reader_.Next();
    if (batch == nullptr) return std::nullopt;
    return Marked(std::move(batch), mark_);
  }

 private:
  TableReader reader_;
  RowMark mark_;
};

/// `schema` with `_deleted`, whatever the name that is free, as its last column.
Schema WithDeletedColumn(const Schema& schema) {
  std::vector<Field> fields(schema.fields().begin(), schema.fields().end());
  Field deleted;
  deleted.id = kDeletedColumnId;
  deleted.name = "_deleted";
  deleted.required = true;
  deleted.type = TypeId::kBoolean;
  const auto is_taken = [&](const Field& field) { return field.name == deleted.name; };
  while (std::any_of(fields.begin(), fields.end(), is_taken)) deleted.name += '_';
  fields.push_back(std::move(deleted));
  return Schema(schema.schema_id(), std::move(fields));
}

/// Rows of a file, those that are deleted too, in pieces of any size.
class MarkedRows {
 public:
  MarkedRows(FileIO& io, const Context& context, const ReadRequest& request,
             const FileScanTask& task, ScanDeletes* deletes)
      : rows_(io, context, task.data_file->file_path,
              OpenTask(io, context, request, task, deletes->For(task))) {}

  /// How many rows are at hand; 0 at the end.
  int64_t available() {
    if (batch_ == nullptr || at_ == batch_->num_rows()) {
      batch_ = rows_.Next();
      at_ = 0;
    }
    return batch_ == nullptr ? 0 : batch_->num_rows() - at_;
  }

  std::shared_ptr<arrow::RecordBatch> Take(int64_t count) {
    at_ += count;
    return batch_->Slice(at_ - count, count);
  }

 private:
  DataFileStream rows_;
  std::shared_ptr<arrow::RecordBatch> batch_;
  int64_t at_ = 0;
};

/// The rows of files with other deletes than before that are live on one side alone. Each file is
/// read with the deletes of both sides, row beside row.
class FilesWithOtherDeletes final : public ChangedRowsStream {
 public:
  FilesWithOtherDeletes(const SideRequest& request, std::vector<FileChange> changes, RowMark mark)
      : io_(request.io),
        context_(request.context),
        request_(request.read),
        changes_(std::move(changes)),
        mark_(mark) {
    request_.projection = WithDeletedColumn(request_.projection);
    deletes_ = std::make_unique<ScanDeletes>(io_, context_, request_);
  }

  std::optional<ChangedRows> Next() override {
    for (;;) {
      context_.CheckStop();
      if (!before_ && !OpenNext()) return std::nullopt;
      const int64_t count = std::min(before_->available(), after_->available());
      if (count == 0) {
        RequireBothEnd();
        before_.reset();
        continue;
      }
      ChangedRows rows = Differing(before_->Take(count), after_->Take(count));
      if (!rows.marks.empty()) return rows;
    }
  }

 private:
  bool OpenNext() {
    if (next_ == changes_.size()) return false;
    const FileChange& change = changes_[next_++];
    RefuseUnsupportedTask(*change.before);
    RefuseUnsupportedTask(*change.after);
    after_.emplace(*io_, context_, request_, *change.after, deletes_.get());
    before_.emplace(*io_, context_, request_, *change.before, deletes_.get());
    return true;
  }

  void RequireBothEnd() {
    if (before_->available() == after_->available()) return;
    ThrowInvalid("the file has other rows when it is read again",
                 "something replaced it meanwhile: Iceberg never changes a data file");
  }

  /// The rows that are live on the side that is asked for and deleted on the other.
  ChangedRows Differing(const std::shared_ptr<arrow::RecordBatch>& before,
                        const std::shared_ptr<arrow::RecordBatch>& after) const {
    const int last = before->num_columns() - 1;
    const auto& was = static_cast<const arrow::BooleanArray&>(*before->column(last));
    const auto& is = static_cast<const arrow::BooleanArray&>(*after->column(last));
    const auto& here = mark_.deletes() ? was : is;
    const auto& there = mark_.deletes() ? is : was;
    std::vector<RowRef> refs;
    for (uint32_t row = 0; row < before->num_rows(); ++row) {
      if (!here.Value(row) && there.Value(row)) refs.push_back({0, row});
    }
    if (refs.empty()) return {};
    const auto& side = mark_.deletes() ? before : after;
    return GatherRows({Marked(side->RemoveColumn(last).ValueOrDie(), mark_)}, refs);
  }

  std::shared_ptr<FileIO> io_;
  Context context_;
  ReadRequest request_;
  std::vector<FileChange> changes_;
  RowMark mark_;
  std::unique_ptr<ScanDeletes> deletes_;
  size_t next_ = 0;
  std::optional<MarkedRows> before_, after_;
};

/// Whether all equality deletes of one task are among another's.
bool HasKeysOf(const FileScanTask& task, const FileScanTask& other) {
  return std::all_of(other.deletes.begin(), other.deletes.end(), [&](const auto& wanted) {
    if (!wanted->file.is_equality_delete()) return true;
    return std::any_of(task.deletes.begin(), task.deletes.end(), [&](const auto& deletes) {
      return deletes->file.file_path == wanted->file.file_path;
    });
  });
}

bool HasPositionsOf(const DeletedPositions::Positions& set,
                    const DeletedPositions::Positions& other, int64_t record_count) {
  constexpr int64_t kAtOnce = 65536;
  if (other == nullptr) return true;
  for (int64_t begin = 0; begin < record_count; begin += kAtOnce) {
    const int64_t end = std::min(begin + kAtOnce, record_count);
    for (const int64_t position : other->InRange(begin, end)) {
      if (set == nullptr || !set->Contains(position)) return false;
    }
  }
  return true;
}

/// Whether rows of a file that deletes removed may be live again.
bool MayGainRows(const FileChange& change, DeletedPositions* deletes) {
  RefuseUnsupportedDeletes(*change.before);
  RefuseUnsupportedDeletes(*change.after);
  return !HasKeysOf(*change.after, *change.before) ||
         !HasPositionsOf(deletes->For(*change.after), deletes->For(*change.before),
                         change.after->data_file->record_count);
}

std::unique_ptr<ChangedRowsStream> ReadSide(const SideRequest& request,
                                            const std::vector<FileChange>& changes,
                                            ChangeType type) {
  const RowMark mark{.type = type, .snapshot = request.snapshot};
  std::vector<FileScanTask> whole;
  std::vector<FileChange> both;
  for (const FileChange& change : changes) {
    const auto& here = mark.deletes() ? change.before : change.after;
    const auto& there = mark.deletes() ? change.after : change.before;
    if (here && there) both.push_back(change);
    if (here && !there) whole.push_back(*here);
  }
  std::vector<std::unique_ptr<ChangedRowsStream>> streams;
  if (!whole.empty()) {
    streams.push_back(std::make_unique<WholeFiles>(request, std::move(whole), mark));
  }
  if (!both.empty()) {
    streams.push_back(std::make_unique<FilesWithOtherDeletes>(request, std::move(both), mark));
  }
  return OneAfterOther(std::move(streams));
}

}  // namespace

ChangedFiles PartChanges(const SideRequest& request, std::vector<FileChange> changes) {
  DeletedPositions deletes(request.io, request.context, request.read.options);
  ChangedFiles files;
  for (FileChange& change : changes) {
    const bool gains = !change.before || (change.after && MayGainRows(change, &deletes));
    if (gains) files.inserting.push_back(change);
    if (change.before) files.deleting.push_back(std::move(change));
  }
  return files;
}

std::unique_ptr<ChangedRowsStream> ReadDeletedRows(const SideRequest& request,
                                                   const ChangedFiles& files) {
  return ReadSide(request, files.deleting, ChangeType::kDelete);
}

std::unique_ptr<ChangedRowsStream> ReadInsertedRows(const SideRequest& request,
                                                    const ChangedFiles& files) {
  return ReadSide(request, files.inserting, ChangeType::kInsert);
}

}  // namespace nunatak
