#pragma once

#include <arrow/api.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "nunatak/read/changed_rows.h"
#include "nunatak/read/row_key.h"
#include "nunatak/table/schema.h"

namespace nunatak {

/// Changed rows of two columns, `k` (text) and `id` (a row id or null), written as
/// `{"+", 0, "a", 1}`: type, snapshot, k, id.
struct ChangedRow {
  char type;  // '+' or '-'.
  int32_t snapshot;
  std::string k;
  int64_t id = -1;  // −1 for null.
};

inline std::vector<Field> RowFields() {
  Field k, id;
  k.id = 1;
  k.name = "k";
  k.type = TypeId::kString;
  id.id = 2;
  id.name = "id";
  id.type = TypeId::kLong;
  return {k, id};
}

inline ChangedRows BatchOf(const std::vector<ChangedRow>& rows) {
  arrow::StringBuilder k;
  arrow::Int64Builder id;
  ChangedRows batch;
  for (const ChangedRow& row : rows) {
    EXPECT_TRUE(k.Append(row.k).ok());
    EXPECT_TRUE((row.id < 0 ? id.AppendNull() : id.Append(row.id)).ok());
    batch.marks.push_back({.type = row.type == '+' ? ChangeType::kInsert : ChangeType::kDelete,
                           .snapshot = row.snapshot});
  }
  const auto schema =
      arrow::schema({arrow::field("k", arrow::utf8()), arrow::field("id", arrow::int64())});
  batch.batch = arrow::RecordBatch::Make(schema, static_cast<int64_t>(rows.size()),
                                         {*k.Finish(), *id.Finish()});
  return batch;
}

inline RowKey KeyOf(int32_t id) {
  return MakeRowKey(Schema(0, RowFields()), std::vector<int32_t>{id}, RowFields());
}

/// "+0 a 1" for each row; "-" in the place of a null id; "<" and ">" for what an update was and
/// became.
inline std::vector<std::string> TextsOf(const ChangedRows& rows) {
  std::vector<std::string> texts;
  const auto& k = static_cast<const arrow::StringArray&>(*rows.batch->column(0));
  const auto& id = static_cast<const arrow::Int64Array&>(*rows.batch->column(1));
  for (int64_t i = 0; i < rows.batch->num_rows(); ++i) {
    const RowMark& mark = rows.marks[static_cast<size_t>(i)];
    texts.push_back("+-<>"[static_cast<size_t>(mark.type)] + std::to_string(mark.snapshot) + " " +
                    std::string(k.GetView(i)) + " " +
                    (id.IsNull(i) ? "-" : std::to_string(id.Value(i))));
  }
  return texts;
}

}  // namespace nunatak
