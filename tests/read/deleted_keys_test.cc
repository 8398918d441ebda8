#include "nunatak/read/deleted_keys.h"

#include <arrow/api.h>

#include <bit>

#include "nunatak/expr/bound_filter.h"
#include "nunatak/read/count_rows.h"
#include "nunatak/read/read_data_file.h"
#include "nunatak/read/select_fields.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

using arrow::FieldVector;

class DeletedKeysTest : public ScanTest {
 protected:
  FileScanTask With(FileScanTask task, std::vector<std::shared_ptr<const DeleteFile>> deletes) {
    task.deletes.insert(task.deletes.end(), deletes.begin(), deletes.end());
    return task;
  }

  const Schema table_ =
      TableOf({TableColumn(1, "id", TypeId::kLong), TableColumn(2, "k", TypeId::kString)});
  const FieldVector columns_ = {FileColumn(1, "id", arrow::int64()),
                                FileColumn(2, "k", arrow::utf8())};
  ReadRequest Ids() {
    ReadRequest request = RequestFor(table_);
    request.projection = SelectFields(table_, std::vector<std::string>{"id"});
    return request;
  }
  std::shared_ptr<const DeleteFile> DeleteIds(const std::string& rows) {
    return WriteKeys({1}, {columns_[0]}, rows);
  }
};

// One column of values against a delete file that has some of them: which stay?

struct ValueCase {
  const char* what;
  Type type;
  std::shared_ptr<arrow::DataType> data_type;
  const char* data;
  std::shared_ptr<arrow::DataType> delete_type;
  const char* deletes;
  const char* expected;
};

TEST_F(DeletedKeysTest, ValuesAreEqualByTheSpecification) {
  const auto f = arrow::float32();
  const auto d = arrow::float64();
  const auto us = arrow::timestamp(arrow::TimeUnit::MICRO);
  const auto ns = arrow::timestamp(arrow::TimeUnit::NANO);
  const auto utc = arrow::timestamp(arrow::TimeUnit::MICRO, "UTC");
  const ValueCase cases[] = {
      {"null is equal to null, and to nothing else", TypeId::kInt, arrow::int32(),
       "[[0], [null], [1]]", arrow::int32(), "[[null]]", "0 1"},
      {"a value is not equal to null", TypeId::kString, arrow::utf8(), R"([["a"], [null], [""]])",
       arrow::utf8(), R"([["a"], [""]])", "null"},
      {"NaN is equal to NaN", TypeId::kDouble, d, "[[NaN], [1.0], [null]]", d, "[[NaN]]",
       "1.0 null"},
      {"-0.0 is not 0.0", TypeId::kDouble, d, "[[0.0], [-0.0], [1.0]]", d, "[[0.0]]", "-0.0 1.0"},
      {"0.0 is not -0.0", TypeId::kFloat, f, "[[0.0], [-0.0], [1.0]]", f, "[[-0.0]]", "0.0 1.0"},
      {"infinities", TypeId::kFloat, f, "[[Infinity], [-Infinity], [NaN]]", f, "[[Infinity]]",
       "\"-Infinity\" \"NaN\""},
      {"boolean", TypeId::kBoolean, arrow::boolean(), "[[true], [false], [null]]", arrow::boolean(),
       "[[false]]", "true null"},
      {"extreme ints", TypeId::kInt, arrow::int32(), "[[-2147483648], [2147483647], [-1], [0]]",
       arrow::int32(), "[[-2147483648], [-1]]", "2147483647 0"},
      {"extreme longs", TypeId::kLong, arrow::int64(),
       "[[-9223372036854775808], [9223372036854775807], [0]]", arrow::int64(),
       "[[9223372036854775807]]", "-9223372036854775808 0"},
      {"the data was int", TypeId::kLong, arrow::int32(), "[[-1], [7], [8]]", arrow::int64(),
       "[[-1], [4294967303]]", "7 8"},
      {"the deletes were int", TypeId::kLong, arrow::int64(), "[[-1], [7], [4294967303]]",
       arrow::int32(), "[[-1], [7]]", "4294967303"},
      {"the data was float", TypeId::kDouble, f, "[[0.5], [0.1]]", d, "[[0.5], [0.1]]",
       "0.10000000149011612"},
      {"the deletes were float", TypeId::kDouble, d, "[[0.5], [0.1], [0.10000000149011612]]", f,
       "[[0.5], [0.1]]", "0.1"},
      {"the data was a narrower decimal", Type::Decimal(18, 2), arrow::decimal128(9, 2),
       R"([["1.50"], ["-1.50"]])", arrow::decimal128(18, 2), R"([["1.50"], ["99999999999.00"]])",
       "\"-1.50\""},
      {"the deletes were a narrower decimal", Type::Decimal(38, 2), arrow::decimal128(38, 2),
       R"([["-1.50"], ["99999999999999999999.00"]])", arrow::decimal128(4, 2), R"([["-1.50"]])",
       "\"99999999999999999999.00\""},
      {"the data was a date", TypeId::kTimestamp, arrow::date32(), "[[1], [-1]]", us,
       "[[86400000000], [-1]]", "\"1969-12-31T00:00:00\""},
      {"the deletes were dates", TypeId::kTimestampNs, ns, "[[86400000000000], [1]]",
       arrow::date32(), "[[1]]", "\"1970-01-01T00:00:00.000000001\""},
      {"date", TypeId::kDate, arrow::date32(), "[[-1], [0]]", arrow::date32(), "[[-1]]",
       "\"1970-01-01\""},
      {"time", TypeId::kTime, arrow::time64(arrow::TimeUnit::MICRO), "[[0], [86399999999]]",
       arrow::time64(arrow::TimeUnit::MICRO), "[[86399999999]]", "\"00:00:00\""},
      {"timestamptz", TypeId::kTimestampTz, utc, "[[-1], [0]]", utc, "[[0]]",
       "\"1969-12-31T23:59:59.999999+00:00\""},
      {"strings, one the beginning of another", TypeId::kString, arrow::utf8(),
       R"([["a"], ["ab"], ["A"], ["a "]])", arrow::utf8(), R"([["ab"], ["A"]])", R"("a" "a ")"},
      {"binary", TypeId::kBinary, arrow::binary(), R"([["a"], [""], ["b"]])", arrow::binary(),
       R"([["a"], [""]])", "\"62\""},
      {"uuid", TypeId::kUuid, arrow::fixed_size_binary(16),
       R"([["0123456789abcdef"], ["fedcba9876543210"]])", arrow::fixed_size_binary(16),
       R"([["0123456789abcdef"]])", "\"66656463-6261-3938-3736-353433323130\""},
      {"fixed", Type::Fixed(2), arrow::fixed_size_binary(2), R"([["aa"], ["ab"], [null]])",
       arrow::fixed_size_binary(2), R"([["ab"]])", "\"6161\" null"},
      {"unknown is always null", TypeId::kUnknown, arrow::int32(), "[[1], [null]]", arrow::int32(),
       "[[2]]", ""},
  };
  for (const ValueCase& c : cases) {
    for (const bool decimals_as_integers : {false, true}) {
      const FileOptions options{.decimals_as_integers = decimals_as_integers};
      const FileScanTask task =
          With(TaskFor(Write({FileColumn(1, "v", c.data_type)}, c.data, options)),
               {WriteKeys({1}, {FileColumn(1, "v", c.delete_type)}, c.deletes)});
      EXPECT_EQ(ReadColumn(RequestFor(TableOf({TableColumn(1, "v", c.type)})), task), c.expected)
          << c.what;
    }
  }
}

TEST_F(DeletedKeysTest, NanIsEqualToNanWhateverItsBits) {
  const auto write = [&](std::vector<uint64_t> bits) {
    arrow::DoubleBuilder builder;
    for (const uint64_t value : bits)
      EXPECT_TRUE(builder.Append(std::bit_cast<double>(value)).ok());
    return WriteTable(*arrow::Table::Make(arrow::schema({FileColumn(1, "v", arrow::float64())}),
                                          {builder.Finish().ValueOrDie()}));
  };
  FileScanTask task = TaskFor(write({0x7ff8000000000001, 0xfff8000000000000, 0x7ff0000000000000}));
  DeleteFile deletes;
  deletes.file = *TaskFor(write({0x7ff8000000000000})).data_file;
  deletes.file.content = FileContent::kEqualityDeletes;
  deletes.file.equality_ids = {1};
  task.deletes.push_back(std::make_shared<DeleteFile>(deletes));
  const ReadRequest request = RequestFor(TableOf({TableColumn(1, "v", TypeId::kDouble)}));
  EXPECT_EQ(ReadColumn(request, task), "\"Infinity\"");
}

TEST_F(DeletedKeysTest, AllColumnsOfAKeyMustBeEqual) {
  const FileScanTask task = With(
      TaskFor(Write(columns_, R"([[1, null], [2, null], [3, "toys"], [null, "toys"], [4, "x"]])")),
      {WriteKeys({1, 2}, columns_, R"([[1, null], [2, "toys"], [null, "toys"], [4, "y"]])")});
  EXPECT_EQ(ReadColumn(Ids(), task), "2 3 4");
}

TEST_F(DeletedKeysTest, NeighbouringTextsDoNotRunIntoEachOther) {
  const Schema table =
      TableOf({TableColumn(1, "a", TypeId::kString), TableColumn(2, "b", TypeId::kString)});
  const FieldVector columns = {FileColumn(1, "a", arrow::utf8()),
                               FileColumn(2, "b", arrow::utf8())};
  const FileScanTask task = With(TaskFor(Write(columns, R"([["a", "bc"], ["ab", "c"]])")),
                                 {WriteKeys({1, 2}, columns, R"([["ab", "c"]])")});
  EXPECT_EQ(Read(RequestFor(table), task), R"([{"a":"a","b":"bc"}])");
}

TEST_F(DeletedKeysTest, SeveralSetsOfColumnsAddUp) {
  const FileScanTask task =
      With(TaskFor(Write(columns_, R"([[1, "a"], [2, "b"], [null, "c"], [4, null], [5, "e"]])")),
           {DeleteIds("[[1]]"), DeleteIds("[[null]]"), WriteKeys({2}, {columns_[1]}, "[[null]]"),
            WriteKeys({2, 1}, columns_, R"([[2, "e"], [5, "b"]])"),
            WriteKeys({1, 2, 1}, columns_, R"([[2, "b"]])")});
  EXPECT_EQ(ReadColumn(Ids(), task), "5");
}

TEST_F(DeletedKeysTest, OtherColumnsOfADeleteFileDoNotMatter) {
  const FileScanTask task = With(TaskFor(Write(columns_, R"([[1, "a"], [2, "b"]])")),
                                 {WriteKeys({1}, columns_, R"([[1, "other"]])")});
  EXPECT_EQ(ReadColumn(Ids(), task), "2");
}

TEST_F(DeletedKeysTest, WhatOnlyTheDeletesNeedIsReadAndDoesNotComeOut) {
  const FileScanTask task = With(TaskFor(Write(columns_, R"([[1, "a"], [2, "b"]])")),
                                 {WriteKeys({2}, {columns_[1]}, R"([["a"]])")});
  EXPECT_EQ(Read(Ids(), task), R"([{"id":2}])");
  ReadRequest nothing = Ids();
  nothing.projection = Schema();
  EXPECT_EQ(Read(nothing, task), "[{}]");
}

TEST_F(DeletedKeysTest, DeletesAndFilterLookAtOneColumn) {
  FileScanTask task = With(
      TaskFor(Write(columns_, R"([[1, "a"], [2, "b"], [3, "c"], [4, "c"]])")),
      {WriteKeys({2}, {columns_[1]}, R"([["a"]])"), WriteKeys({1, 2}, columns_, R"([[4, "c"]])")});
  task.residual = std::make_shared<BoundFilter>(BindFilter("k != 'b'", table_));
  EXPECT_EQ(ReadColumn(Ids(), task), "3");
}

TEST_F(DeletedKeysTest, AFieldOfAStruct) {
  const Type type =
      Type::Struct({TableColumn(2, "x", TypeId::kLong), TableColumn(3, "y", TypeId::kLong)});
  const Schema table = TableOf({TableColumn(1, "s", type)});
  const auto file_type =
      arrow::struct_({FileColumn(3, "y", arrow::int64()), FileColumn(2, "x", arrow::int64())});
  const std::string data = Write({FileColumn(1, "s", file_type)},
                                 "[[[1, 1]], [[2, 2]], [null], [[3, null]], [[null, 4]]]");
  const auto key = [&](const char* rows) {
    return WriteKeys(
        {2}, {FileColumn(1, "s", arrow::struct_({FileColumn(2, "x", arrow::int64())}))}, rows);
  };
  const auto y_of = [&](std::vector<std::shared_ptr<const DeleteFile>> deletes) {
    ReadRequest request = RequestFor(table);
    request.projection = SelectFields(table, std::vector<std::string>{"s.y"});
    return Read(request, With(TaskFor(data), std::move(deletes)));
  };
  EXPECT_EQ(y_of({key("[[[2]]]")}), R"([{"s":{"y":1}},{"s":null},{"s":{"y":3}},{"s":{"y":null}}])");
  // The field of a null struct is null, in the data as in the deletes.
  EXPECT_EQ(y_of({key("[[[null]]]")}), R"([{"s":{"y":1}},{"s":{"y":2}},{"s":{"y":null}}])");
  EXPECT_EQ(y_of({key("[[null]]")}), R"([{"s":{"y":1}},{"s":{"y":2}},{"s":{"y":null}}])");
  const auto both = WriteKeys({2, 3}, {FileColumn(1, "s", file_type)}, "[[[1, 1]], [[4, 2]]]");
  EXPECT_EQ(y_of({both}), R"([{"s":{"y":2}},{"s":null},{"s":{"y":3}},{"s":{"y":null}}])");
}

TEST_F(DeletedKeysTest, RenamedColumnsAreFoundById) {
  const FileScanTask task =
      With(TaskFor(Write({FileColumn(1, "before", arrow::int64())}, "[[1], [2]]")),
           {WriteKeys({1}, {FileColumn(1, "even earlier", arrow::int64())}, "[[1]]")});
  EXPECT_EQ(ReadColumn(RequestFor(TableOf({TableColumn(1, "now", TypeId::kLong)})), task), "2");
}

TEST_F(DeletedKeysTest, DeletesStillCompareByADroppedColumn) {
  ReadRequest request = RequestFor(TableOf({TableColumn(1, "id", TypeId::kLong)}));
  const FileScanTask task = With(TaskFor(Write({columns_[0], FileColumn(2, "k", arrow::int32())},
                                               "[[1, 7], [2, null], [3, 8]]")),
                                 {WriteKeys({2}, {FileColumn(2, "k", arrow::int64())}, "[[7]]")});
  // Promoted before it was dropped: the newest schema that has it tells.
  request.past_schema = FirstSchemaOf({TableOf({TableColumn(1, "id", TypeId::kLong)}),
                                       TableOf({TableColumn(2, "k", TypeId::kLong, true)}),
                                       TableOf({TableColumn(2, "k", TypeId::kInt)})});
  EXPECT_EQ(ReadColumn(request, task), "2 3");
  // A file that was written after the drop has no value.
  const FileScanTask later =
      With(TaskFor(Write({columns_[0]}, "[[4]]")),
           {task.deletes[0],
            WriteKeys({2, 1}, {columns_[0], FileColumn(2, "k", arrow::int64())}, "[[5, null]]")});
  EXPECT_EQ(ReadColumn(request, {task, later}), "2 3 4");
  EXPECT_EQ(
      ReadColumn(request,
                 With(later, {WriteKeys({2}, {FileColumn(2, "k", arrow::int64())}, "[[null]]")})),
      "");
}

TEST_F(DeletedKeysTest, ADroppedFieldMayHaveLeftItsNameToAnother) {
  const auto s = [](std::vector<Field> fields) {
    return TableOf({TableColumn(1, "s", Type::Struct(std::move(fields)))});
  };
  ReadRequest request = RequestFor(s({TableColumn(3, "x", TypeId::kLong)}));
  request.past_schema =
      FirstSchemaOf({s({TableColumn(2, "x", TypeId::kLong), TableColumn(3, "y", TypeId::kLong)})});
  const auto file_type =
      arrow::struct_({FileColumn(2, "x", arrow::int64()), FileColumn(3, "y", arrow::int64())});
  const FileScanTask task =
      With(TaskFor(Write({FileColumn(1, "s", file_type)}, "[[[1, 10]], [[2, 20]], [[3, 30]]]")),
           {WriteKeys({2}, {FileColumn(1, "s", file_type)}, "[[[1, 0]]]"),
            WriteKeys({2, 3}, {FileColumn(1, "s", file_type)}, "[[[2, 20]], [[3, 20]]]")});
  EXPECT_EQ(Read(request, task), R"([{"s":{"x":30}}])");
}

TEST_F(DeletedKeysTest, AFileWithoutTheColumnHasItsDefault) {
  const Schema table = TableOf({TableColumn(1, "id", TypeId::kLong),
                                TableColumn(2, "k", TypeId::kString, Value::Bytes("new"))});
  ReadRequest request = RequestFor(table);
  request.projection = SelectFields(table, std::vector<std::string>{"id"});
  const FileScanTask old = TaskFor(Write({columns_[0]}, "[[1], [2]]"));
  const auto key = [&](const char* rows) { return WriteKeys({2}, {columns_[1]}, rows); };
  EXPECT_EQ(ReadColumn(request, With(old, {key(R"([["new"]])")})), "");
  EXPECT_EQ(ReadColumn(request, With(old, {key("[[null]]")})), "1 2");
  EXPECT_EQ(ReadColumn(Ids(), With(old, {key("[[null]]")})), "");
  EXPECT_EQ(ReadColumn(Ids(), With(old, {key(R"([["new"]])")})), "1 2");
}

TEST_F(DeletedKeysTest, AFileWithoutAnIdentityPartitionColumnHasItsValue) {
  auto spec = std::make_shared<PartitionSpec>();
  spec->fields = {{.source_ids = {2}, .field_id = 1000, .name = "k", .transform = Transform()}};
  FileScanTask task = TaskFor(Write({columns_[0]}, "[[1], [2]]"));
  DataFile file = *task.data_file;
  file.partition = {Value::Bytes("p")};
  task.data_file = std::make_shared<DataFile>(file);
  task.spec = spec;
  const auto in_partition = [](const std::shared_ptr<const DeleteFile>& deletes) {
    auto copy = std::make_shared<DeleteFile>(*deletes);
    copy->file.partition = {Value::Bytes("p")};
    return copy;
  };
  const auto key = WriteKeys({1, 2}, columns_, R"([[1, "p"], [2, "q"]])");
  EXPECT_EQ(ReadColumn(Ids(), With(task, {in_partition(key)})), "2");
  // The delete file may lack it too.
  const auto lacking = WriteKeys({1, 2}, {columns_[0]}, "[[2]]");
  EXPECT_EQ(ReadColumn(Ids(), With(task, {in_partition(lacking)})), "1");
}

TEST_F(DeletedKeysTest, DeleteFilesWithoutFieldIdsAreKnownByTheTablesMapping) {
  ReadRequest request = Ids();
  request.name_mapping = NameMapping{{{.field_id = 1, .names = {"number"}, .fields = {}}}};
  const FileScanTask task = With(
      TaskFor(Write({columns_[0]}, "[[1], [2]]")),
      {WriteKeys({1}, {FileColumn(0, "x", arrow::utf8()), FileColumn(0, "number", arrow::int64())},
                 R"([["x", 2]])")});
  EXPECT_EQ(ReadColumn(request, task), "1");
}

TEST_F(DeletedKeysTest, DeletesOfBothKindsAddUp) {
  FileScanTask task = With(TaskFor(WriteCounting(6)), {DeleteIds("[[1], [4]]")});
  DeletePositions(task, {task.data_file->file_path, task.data_file->file_path}, {0, 4});
  EXPECT_EQ(ReadColumn(Ids(), task), "2 3 5");
}

TEST_F(DeletedKeysTest, AFileThatOnlySomeTasksHaveIsConsultedByThemAlone) {
  const std::string data = WriteCounting(4);
  const auto zero = DeleteIds("[[0]]");
  const auto one = DeleteIds("[[1], [0]]");
  const auto two = DeleteIds("[[2]]");
  const std::vector<FileScanTask> tasks = {
      With(TaskFor(data), {zero}), With(TaskFor(data), {one, two}), TaskFor(data),
      With(TaskFor(data), {two}), With(TaskFor(data), {zero, one, two})};
  const std::string expected = "1 2 3 3 0 1 2 3 0 1 3 3";
  EXPECT_EQ(ReadColumn(Ids(), tasks), expected);
  EXPECT_EQ(ReadColumn(Ids(), tasks, Context{.executor = MakeThreadPool(3)}), expected);
}

TEST_F(DeletedKeysTest, EachDeleteFileIsReadOnce) {
  std::vector<FileScanTask> tasks;
  const std::string data = WriteCounting(3);
  for (int i = 0; i < 50; ++i) tasks.push_back(TaskFor(data));
  const auto requests = [&] {
    const int64_t before = io_->counters().requests;
    ReadColumn(Ids(), tasks);
    return io_->counters().requests - before;
  };
  const int64_t without_deletes = requests();
  const std::vector<std::shared_ptr<const DeleteFile>> deletes = {DeleteIds("[[0]]"),
                                                                  DeleteIds("[[1]]")};
  for (FileScanTask& task : tasks) task = With(task, deletes);
  // What was written down and read back is shared no more, but still one file.
  tasks[7].deletes[0] = std::make_shared<DeleteFile>(*deletes[0]);
  EXPECT_EQ(requests(), without_deletes + 2);
}

TEST_F(DeletedKeysTest, PartitionsAreLoadedWhenTheyAreReadAndGivenUpWhenMemoryIsShort) {
  std::vector<FileScanTask> tasks;
  for (int i = 0; i < 3; ++i) {
    auto deletes = std::make_shared<DeleteFile>(*DeleteIds("[[" + std::to_string(i) + "]]"));
    deletes->file.partition = {Value::Integer(i)};
    tasks.push_back(With(TaskFor(WriteCounting(2)), {deletes}));
  }
  for (const bool short_of_memory : {false, true}) {
    const Context context{.memory_budget = short_of_memory ? 1 : 1 << 20};
    DeletedKeys keys(io_, context, Ids());
    const int64_t before = io_->counters().requests;
    const auto requests_for = [&](size_t task) {
      keys.For(tasks[task]);
      return io_->counters().requests - before;
    };
    EXPECT_EQ(requests_for(0), 1);
    EXPECT_EQ(requests_for(0), 1);
    EXPECT_EQ(requests_for(1), 2);
    const std::vector<KeyDeletes> held = keys.For(tasks[1]);
    EXPECT_EQ(requests_for(2), 3);
    EXPECT_EQ(requests_for(1), 3);
    EXPECT_EQ(requests_for(0), short_of_memory ? 4 : 3);
  }
}

TEST_F(DeletedKeysTest, ATableGrowsWithTheTasksThatBringMoreFiles) {
  const std::string data = WriteCounting(6);
  std::vector<std::shared_ptr<const DeleteFile>> deletes;
  std::vector<FileScanTask> tasks;
  std::string expected;
  for (int i = 0; i < 5; ++i) {
    deletes.push_back(DeleteIds("[[" + std::to_string(i) + "]]"));
    tasks.push_back(With(TaskFor(data), deletes));
    for (int id = i + 1; id < 6; ++id)
      expected += (expected.empty() ? "" : " ") + std::to_string(id);
  }
  EXPECT_EQ(ReadColumn(Ids(), tasks), expected);
}

TEST_F(DeletedKeysTest, FiftyThousandDeletesLeaveFiveRows) {
  arrow::Int64Builder builder;
  for (int64_t i = 0; i < 50000; ++i) ASSERT_TRUE(builder.Append(i * 7919 % 50000).ok());
  auto deletes = std::make_shared<DeleteFile>();
  deletes->file = *TaskFor(WriteTable(*arrow::Table::Make(arrow::schema({columns_[0]}),
                                                          {builder.Finish().ValueOrDie()}),
                                      {.rows_per_group = 999}))
                       .data_file;
  deletes->file.content = FileContent::kEqualityDeletes;
  deletes->file.equality_ids = {1};
  const FileScanTask task = With(TaskFor(WriteCounting(50005, {.rows_per_group = 777})), {deletes});
  EXPECT_EQ(ReadColumn(Ids(), task), "50000 50001 50002 50003 50004");
  EXPECT_EQ(CountRows(io_, Context{}, Ids(), std::span(&task, 1)), 5);
}

TEST_F(DeletedKeysTest, ATableBeyondHalfOfTheBudgetIsAnErrorThatSaysSo) {
  std::string rows = "[[0]";
  for (int i = 1; i < 5000; ++i) rows += ",[" + std::to_string(i) + "]";
  const auto deletes = DeleteIds(rows + "]");
  const FileScanTask task = With(TaskFor(WriteCounting(5001)), {deletes});
  EXPECT_EQ(ReadColumn(Ids(), {task}, Context{.memory_budget = 1 << 20}), "5000");
  const Error error =
      ErrorFrom([&] { ReadColumn(Ids(), {task}, Context{.memory_budget = 1 << 14}); });
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_TRUE(error.message().starts_with(deletes->file.file_path)) << error.message();
  EXPECT_NE(error.hint().find("--memory"), std::string::npos);
}

TEST_F(DeletedKeysTest, CountingReadsRows) {
  const FileScanTask task = With(TaskFor(WriteCounting(10), 10), {DeleteIds("[[1], [99]]")});
  EXPECT_EQ(CountRows(io_, Context{}, Ids(), std::span(&task, 1)), 9);
}

TEST_F(DeletedKeysTest, OneTaskReadsWithItsDeletes) {
  const FileScanTask task = With(TaskFor(WriteCounting(4)), {DeleteIds("[[1]]")});
  int64_t rows = 0;
  ReadDataFile(io_, Context{}, Ids(), task, [&](const std::shared_ptr<arrow::RecordBatch>& batch) {
    rows += batch->num_rows();
    return true;
  });
  EXPECT_EQ(rows, 3);
}

TEST_F(DeletedKeysTest, SplitsOfAFileShareItsDeletes) {
  FileScanTask task = With(TaskFor(WriteCounting(300, {.rows_per_group = 100})),
                           {DeleteIds("[[0], [150], [299]]")});
  std::vector<FileScanTask> tasks;
  const int64_t size = task.data_file->file_size_in_bytes;
  for (int64_t i = 0; i < 5; ++i) {
    task.start = size * i / 5;
    task.length = size * (i + 1) / 5 - task.start;
    tasks.push_back(task);
  }
  EXPECT_EQ(CountRows(io_, Context{.executor = MakeThreadPool(2)}, Ids(), tasks), 297);
}

TEST_F(DeletedKeysTest, SixteenThreadsShareTheTables) {
  std::vector<std::shared_ptr<const DeleteFile>> deletes;
  for (int i = 0; i < 20; ++i) {
    deletes.push_back(DeleteIds("[[" + std::to_string(i) + "], [" + std::to_string(i + 1) + "]]"));
  }
  const std::string data = WriteCounting(40);
  std::vector<FileScanTask> tasks;
  std::string expected;
  for (int i = 0; i < 100; ++i) {
    tasks.push_back(With(TaskFor(data), {deletes[static_cast<size_t>(i % 20)]}));
    for (int id = 0; id < 40; ++id) {
      if (id == i % 20 || id == i % 20 + 1) continue;
      expected += (expected.empty() ? "" : " ") + std::to_string(id);
    }
  }
  EXPECT_EQ(ReadColumn(Ids(), tasks, Context{.executor = MakeThreadPool(16)}), expected);
}

TEST_F(DeletedKeysTest, WhatCannotBeComparedIsAnError) {
  const Schema table =
      TableOf({TableColumn(1, "id", TypeId::kLong),
               TableColumn(2, "l", Type::List(TableColumn(3, "element", TypeId::kLong)))});
  const auto error = [&](std::optional<std::vector<int32_t>> ids) {
    auto deletes = std::make_shared<DeleteFile>(*DeleteIds("[[1]]"));
    deletes->file.equality_ids = std::move(ids);
    const FileScanTask task = With(TaskFor(WriteCounting(1)), {deletes});
    const Error thrown = ErrorFrom([&] { Read(RequestFor(table), task); });
    EXPECT_NE(thrown.message().find(deletes->file.file_path), std::string::npos)
        << thrown.message();
    return thrown.code();
  };
  EXPECT_EQ(error({{2}}), ErrorCode::kUnsupported);
  EXPECT_EQ(error({{1, 3}}), ErrorCode::kUnsupported);
  EXPECT_EQ(error({{17}}), ErrorCode::kInvalid);
  EXPECT_EQ(error(std::vector<int32_t>{}), ErrorCode::kInvalid);
  EXPECT_EQ(error(std::nullopt), ErrorCode::kInvalid);
}

TEST_F(DeletedKeysTest, AnErrorInADeleteFileNamesIt) {
  auto broken = std::make_shared<DeleteFile>(*DeleteIds("[[1]]"));
  broken->file.file_path = WriteBytes("broken.parquet", "not Parquet at all");
  const FileScanTask task = With(TaskFor(WriteCounting(1)), {broken});
  const Error error = ErrorFrom([&] { ReadColumn(Ids(), {task, task}); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalid);
  EXPECT_NE(error.message().find("broken.parquet"), std::string::npos) << error.message();
}

}  // namespace
}  // namespace nunatak
