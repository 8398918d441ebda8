#include "nunatak/inspect/passing_rows.h"

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "nunatak/read/select_fields.h"

namespace nunatak {
namespace {

Field LongColumn(int32_t id, std::string name) {
  return {.id = id, .name = std::move(name), .required = true, .type = TypeId::kLong};
}

/// Rows 0, 1, 2, … whose columns all hold the row's number; it notes what is made.
class CountedRows final : public MetadataRows {
 public:
  explicit CountedRows(size_t size) : size_(size) {}

  size_t size() const override { return size_; }
  arrow::ArrayVector Columns(std::span<const Field> columns,
                             std::span<const uint32_t> wanted) const override {
    arrow::ArrayVector arrays;
    for (const Field& column : columns) {
      made_[column.name] += wanted.size();
      arrow::Int64Builder builder;
      for (const uint32_t row : wanted) EXPECT_TRUE(builder.Append(row).ok());
      arrays.push_back(builder.Finish().ValueOrDie());
    }
    return arrays;
  }

  /// How many values were made, by column.
  const std::map<std::string, size_t>& made() const { return made_; }

 private:
  size_t size_;
  mutable std::map<std::string, size_t> made_;
};

class RowSelectionTest : public testing::Test {
 protected:
  Schema schema_{0, {LongColumn(1, "cheap"), LongColumn(2, "dear"), LongColumn(3, "other")}};
  Schema projection_ = SelectFields(schema_, std::vector<std::string>{"dear"});

  PassingRows Selection(const char* filter) {
    return {schema_, projection_, BindFilter(filter, schema_)};
  }
};

TEST_F(RowSelectionTest, TheFilterIsEvaluatedBeforeTheOtherColumnsAreMade) {
  const CountedRows rows(100);
  const auto batch = Selection("cheap in (3, 98)").Apply(rows);
  ASSERT_EQ(batch->num_rows(), 2);
  ASSERT_EQ(batch->num_columns(), 1);
  EXPECT_EQ(static_cast<const arrow::Int64Array&>(*batch->column(0)).Value(1), 98);
  EXPECT_EQ(rows.made(), (std::map<std::string, size_t>{{"cheap", 100}, {"dear", 2}}));
}

TEST_F(RowSelectionTest, NothingElseIsMadeWhereNoRowPasses) {
  const CountedRows rows(100);
  EXPECT_EQ(Selection("cheap < 0").Apply(rows), nullptr);
  EXPECT_EQ(rows.made(), (std::map<std::string, size_t>{{"cheap", 100}}));
}

TEST_F(RowSelectionTest, WithoutAFilterOnlyTheProjectionIsMade) {
  const CountedRows rows(100);
  EXPECT_EQ(Selection("true").Apply(rows)->num_rows(), 100);
  EXPECT_EQ(rows.made(), (std::map<std::string, size_t>{{"dear", 100}}));
}

TEST_F(RowSelectionTest, NamesTheColumnsThatWillBeAskedFor) {
  std::vector<std::string> names;
  const PassingRows selection = Selection("other = 1 or cheap = 2");
  for (const Field& column : selection.columns()) names.push_back(column.name);
  EXPECT_EQ(names, (std::vector<std::string>{"dear", "other", "cheap"}));
}

}  // namespace
}  // namespace nunatak
