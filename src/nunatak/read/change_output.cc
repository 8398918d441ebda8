#include "nunatak/read/change_output.h"

#include <arrow/array.h>
#include <arrow/array/builder_binary.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <algorithm>
#include <utility>

#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/decode/arrow_error.h"
#include "nunatak/read/field_path.h"
#include "nunatak/table/change_columns.h"

namespace nunatak {

namespace {

/// A column that was read as `from`, with the fields of `to` alone.
std::shared_ptr<arrow::ArrayData> Prune(const arrow::ArrayData& data, const Type& from,
                                        const Type& to) {
  std::shared_ptr<arrow::ArrayData> pruned = data.Copy();
  pruned->type = ArrowTypeOf(to);
  if (from.id() == TypeId::kStruct) {
    pruned->child_data.clear();
    for (const Field& field : to.fields()) {
      for (size_t i = 0; i < from.fields().size(); ++i) {
        if (from.fields()[i].id != field.id) continue;
        pruned->child_data.push_back(Prune(*data.child_data[i], from.fields()[i].type, field.type));
      }
    }
  } else if (from.id() == TypeId::kList) {
    pruned->child_data = {Prune(*data.child_data[0], from.element().type, to.element().type)};
  } else if (from.id() == TypeId::kMap) {
    // Entries are a struct of the key, which is always whole, and the value.
    std::shared_ptr<arrow::ArrayData> entries = data.child_data[0]->Copy();
    entries->type = pruned->type->field(0)->type();
    entries->child_data[1] = Prune(*entries->child_data[1], from.value().type, to.value().type);
    pruned->child_data = {std::move(entries)};
  }
  return pruned;
}

template <typename T, typename Value>
std::shared_ptr<arrow::Array> NumbersOf(const std::vector<RowMark>& marks, const Value& value) {
  std::vector<typename T::value_type> numbers;
  numbers.reserve(marks.size());
  for (const RowMark& mark : marks) numbers.push_back(value(mark));
  return std::make_shared<T>(static_cast<int64_t>(marks.size()),
                             arrow::Buffer::FromVector(std::move(numbers)));
}

std::shared_ptr<arrow::Array> TypesOf(const std::vector<RowMark>& marks) {
  arrow::StringBuilder builder;
  for (const RowMark& mark : marks) CheckOk(builder.Append(ToString(mark.type)));
  return ValueOrThrow(builder.Finish());
}

/// The columns of the rows, and those that say what happened to them.
arrow::ArrayVector AllColumns(const ChangedRows& rows,
                              const std::vector<iceberg::ChangedSnapshot>& snapshots) {
  arrow::ArrayVector columns = rows.batch->columns();
  const auto snapshot = [&](const RowMark& mark) -> const iceberg::ChangedSnapshot& {
    return snapshots[static_cast<size_t>(mark.snapshot)];
  };
  columns.push_back(TypesOf(rows.marks));
  columns.push_back(NumbersOf<arrow::Int32Array>(
      rows.marks, [&](const RowMark& mark) { return snapshot(mark).ordinal; }));
  columns.push_back(NumbersOf<arrow::Int64Array>(
      rows.marks, [&](const RowMark& mark) { return snapshot(mark).snapshot->snapshot_id; }));
  return columns;
}

}  // namespace

ChangeOutput::ChangeOutput(const Schema& changes, std::vector<Field> columns, Schema projection,
                           std::shared_ptr<const BoundFilter> filter)
    : columns_(std::move(columns)),
      projection_(std::move(projection)),
      schema_(ArrowSchemaOf(projection_)),
      all_(columns_),
      filter_(std::move(filter)) {
  for (const int32_t id : {kChangeTypeColumnId, kChangeOrdinalColumnId, kCommitSnapshotColumnId}) {
    all_.push_back(*changes.FindField(id));
  }
  for (const Field& field : projection_.fields()) {
    const auto at = std::find_if(all_.begin(), all_.end(),
                                 [&](const Field& column) { return column.id == field.id; });
    sources_.push_back(static_cast<size_t>(at - all_.begin()));
  }
  for (const BoundFilter::Column& column : filter_->columns) {
    FindPath(changes, column.field_id, all_, &filter_paths_.emplace_back());
  }
}

std::shared_ptr<arrow::RecordBatch> ChangeOutput::Finish(
    ChangedRows rows, const std::vector<iceberg::ChangedSnapshot>& snapshots) const {
  arrow::ArrayVector columns = AllColumns(rows, snapshots);
  if (!filter_->is_true()) {
    std::vector<uint8_t> dropped(rows.marks.size(), 0);
    RowFilter(filter_, filter_paths_).Apply(columns, dropped);
    std::vector<RowRef> kept;
    for (uint32_t row = 0; row < dropped.size(); ++row) {
      if (!dropped[row]) kept.push_back({0, row});
    }
    if (kept.empty()) return nullptr;
    if (kept.size() < dropped.size()) {
      rows = GatherRows({std::move(rows)}, kept);
      columns = AllColumns(rows, snapshots);
    }
  }
  arrow::ArrayVector projected;
  for (size_t i = 0; i < sources_.size(); ++i) {
    projected.push_back(arrow::MakeArray(Prune(
        *columns[sources_[i]]->data(), all_[sources_[i]].type, projection_.fields()[i].type)));
  }
  return arrow::RecordBatch::Make(schema_, rows.batch->num_rows(), std::move(projected));
}

}  // namespace nunatak
