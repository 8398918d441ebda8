#include "nunatak/inspect/verify/verify_rows.h"

#include <arrow/array.h>

#include <utility>

#include "nunatak/inspect/verify/verify_bounds.h"
#include "nunatak/table/value_json.h"

namespace nunatak {

std::optional<TransformedColumn> TransformedColumn::Find(const Schema& schema,
                                                         const Transform& transform,
                                                         const std::vector<int32_t>& source_ids) {
  if (source_ids.size() != 1 || transform.id() == TransformId::kUnknown) return std::nullopt;
  const Field* field = schema.FindField(source_ids.front());
  if (!field || !field->type.is_comparable() || !transform.CanTransform(field->type)) {
    return std::nullopt;
  }
  TransformedColumn column{transform, field->type, {}};
  if (schema.IsRepeated(field->id) || !FindPath(schema, field->id, schema.fields(), &column.path)) {
    return std::nullopt;
  }
  return column;
}

SortChecker::SortChecker(const SortOrder& order, const Schema& schema) : order_(order) {
  for (const SortField& field : order.fields) {
    auto column = TransformedColumn::Find(schema, field.transform, field.source_ids);
    if (!column) break;
    columns_.push_back(std::move(*column));
  }
}

void SortChecker::Add(std::span<const std::shared_ptr<arrow::Array>> columns, int64_t rows,
                      int64_t first_row) {
  if (columns_.empty() || first_unsorted_) return;
  std::vector<FieldReader> readers;
  for (const TransformedColumn& column : columns_) {
    readers.emplace_back(column.source, column.path, columns);
  }
  for (int64_t row = 0; row < rows; ++row) {
    std::vector<Value> key;
    for (size_t i = 0; i < columns_.size(); ++i) {
      key.push_back(Value::Of(columns_[i].transform.Apply(columns_[i].source, readers[i].At(row))));
    }
    if (!last_.empty() && !IsInOrder(last_, key)) {
      first_unsorted_ = first_row + row;
      return;
    }
    last_ = std::move(key);
  }
}

bool SortChecker::IsInOrder(const std::vector<Value>& before,
                            const std::vector<Value>& after) const {
  for (size_t i = 0; i < columns_.size(); ++i) {
    const SortField& field = order_.fields[i];
    const bool nulls_first = field.null_order == NullOrder::kNullsFirst;
    if (before[i].is_null() != after[i].is_null()) return before[i].is_null() == nulls_first;
    if (before[i].is_null()) continue;
    const int order = CompareForBounds(before[i].view(), after[i].view());
    if (order != 0) return (order < 0) == (field.direction == SortDirection::kAscending);
  }
  return true;
}

void SortChecker::Report(FileReport* report) const {
  if (!first_unsorted_) return;
  report->Add(Check::kUnsorted, "sort_order_id",
              {fmt::format("{}", order_.order_id), "an order that the rows are in"},
              fmt::format("row {} comes before the row ahead of it in sort order {}",
                          *first_unsorted_, order_.order_id));
}

PartitionChecker::PartitionChecker(const PartitionSpec& spec, const DataFile& file,
                                   const Schema& schema) {
  for (size_t i = 0; i < spec.fields.size() && i < file.partition.size(); ++i) {
    const PartitionField& field = spec.fields[i];
    if (field.transform.id() == TransformId::kVoid) continue;
    auto column = TransformedColumn::Find(schema, field.transform, field.source_ids);
    if (!column) continue;
    const Type result = field.transform.ResultType(column->source);
    fields_.push_back({field, std::move(*column), file.partition[i], result});
  }
}

void PartitionChecker::Add(std::span<const std::shared_ptr<arrow::Array>> columns, int64_t rows,
                           int64_t first_row) {
  for (FieldCheck& check : fields_) {
    if (check.row) continue;
    const FieldReader reader(check.column.source, check.column.path, columns);
    const ValueView expected = check.expected.view();
    for (int64_t row = 0; row < rows; ++row) {
      const ValueView found = check.column.transform.Apply(check.column.source, reader.At(row));
      if (found.is_null() && expected.is_null()) continue;
      const bool same = found.kind == expected.kind && CompareValues(found, expected) == 0;
      if (same) continue;
      check.row = first_row + row;
      check.found = ValueToText(check.result, found);
      break;
    }
  }
}

void PartitionChecker::Report(FileReport* report) const {
  for (const FieldCheck& check : fields_) {
    if (!check.row) continue;
    const std::string expected = ValueToText(check.result, check.expected.view());
    report->Add(Check::kPartitionRows, "partition." + check.field.name, {expected, check.found},
                fmt::format("the file lies in partition {} = {}, but row {} belongs to {}",
                            check.field.name, expected, *check.row, check.found));
  }
}

}  // namespace nunatak
