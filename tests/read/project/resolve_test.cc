#include "nunatak/read/project/resolve.h"

#include <arrow/api.h>

#include "nunatak/read/select_fields.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

/// Column projection: which column of a file, or which constant, a field of the table becomes.
class ResolveTest : public ScanTest {
 protected:
  static FileScanTask WithPartition(FileScanTask task, std::vector<PartitionField> fields,
                                    std::vector<Value> values) {
    PartitionSpec spec;
    spec.fields = std::move(fields);
    task.spec = std::make_shared<PartitionSpec>(std::move(spec));
    DataFile file = *task.data_file;
    file.partition = std::move(values);
    task.data_file = std::make_shared<DataFile>(std::move(file));
    return task;
  }
  static PartitionField Identity(int32_t source_id) {
    return {{source_id}, 1000, "p", TransformId::kIdentity};
  }
};

TEST_F(ResolveTest, ByFieldIdWhateverTheNameAndOrder) {
  const std::string path =
      Write({FileColumn(1, "a", arrow::int32()), FileColumn(2, "b", arrow::utf8()),
             FileColumn(3, "c", arrow::float64())},
            R"([[1, "x", 0.5]])");
  const Schema table =
      TableOf({TableColumn(3, "measurement", TypeId::kDouble),
               TableColumn(2, "name", TypeId::kString), TableColumn(4, "a", TypeId::kInt)});
  EXPECT_EQ(Read(RequestFor(table), TaskFor(path)), R"([{"measurement":0.5,"name":"x","a":null}])");
}

TEST_F(ResolveTest, ADroppedAndReaddedNameIsAnotherColumn) {
  const std::string path = Write({FileColumn(1, "x", arrow::int32())}, "[[1]]");
  EXPECT_EQ(Read(RequestFor(TableOf({TableColumn(2, "x", TypeId::kInt)})), TaskFor(path)),
            R"([{"x":null}])");
}

TEST_F(ResolveTest, InitialDefaultThenNull) {
  const std::string path = Write({FileColumn(1, "id", arrow::int32())}, "[[1], [2]]");
  const Schema table = TableOf(
      {TableColumn(2, "d", TypeId::kInt, Value::Integer(42)), TableColumn(3, "n", TypeId::kInt)});
  EXPECT_EQ(Read(RequestFor(table), TaskFor(path)), R"([{"d":42,"n":null},{"d":42,"n":null}])");
}

TEST_F(ResolveTest, ARequiredColumnWithoutAValueNamesColumnAndFile) {
  const std::string path = Write({FileColumn(1, "id", arrow::int32())}, "[[1]]");
  const Schema table = TableOf({TableColumn(2, "needed", TypeId::kInt, /*required=*/true)});
  const Error error = ErrorFrom([&] { Read(RequestFor(table), TaskFor(path)); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalid);
  EXPECT_NE(error.message().find("needed"), std::string::npos) << error.message();
  EXPECT_NE(error.message().find(path), std::string::npos) << error.message();
  Field with_default = TableColumn(2, "needed", TypeId::kInt, Value::Integer(7));
  with_default.required = true;
  EXPECT_EQ(Read(RequestFor(TableOf({with_default})), TaskFor(path)), R"([{"needed":7}])");
}

TEST_F(ResolveTest, AColumnOfAnotherTypeNamesColumnAndFile) {
  const std::string path = Write({FileColumn(1, "s", arrow::utf8())}, R"([["x"]])");
  const Error error = ErrorFrom(
      [&] { Read(RequestFor(TableOf({TableColumn(1, "s", TypeId::kInt)})), TaskFor(path)); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalid);
  EXPECT_NE(error.message().find(path + ": column s"), std::string::npos) << error.message();
}

TEST_F(ResolveTest, AnIdentityPartitionValueFillsAMissingColumn) {
  const std::string path = Write({FileColumn(1, "x", arrow::int32())}, "[[1], [2], [3]]");
  const Schema table = TableOf({TableColumn(1, "x", TypeId::kInt),
                                TableColumn(2, "p", TypeId::kString, Value::Bytes("unused"))});
  EXPECT_EQ(
      Read(RequestFor(table), WithPartition(TaskFor(path), {Identity(2)}, {Value::Bytes("a")})),
      R"([{"x":1,"p":"a"},{"x":2,"p":"a"},{"x":3,"p":"a"}])");
  // Null is a value of the tuple, not the lack of one.
  EXPECT_EQ(Read(RequestFor(table), WithPartition(TaskFor(path), {Identity(2)}, {Value::Null()})),
            R"([{"x":1,"p":null},{"x":2,"p":null},{"x":3,"p":null}])");
  // Only identity keeps the column's own value.
  const PartitionField bucket{{2}, 1000, "p_bucket", Transform(TransformId::kTruncate, 1)};
  EXPECT_EQ(Read(RequestFor(table), WithPartition(TaskFor(path), {bucket}, {Value::Bytes("a")})),
            R"([{"x":1,"p":"unused"},{"x":2,"p":"unused"},{"x":3,"p":"unused"}])");
}

TEST_F(ResolveTest, TheFilesOwnColumnComesBeforeThePartitionValue) {
  const std::string path = Write({FileColumn(2, "p", arrow::utf8())}, R"([["own"]])");
  const Schema table = TableOf({TableColumn(2, "p", TypeId::kString)});
  EXPECT_EQ(
      Read(RequestFor(table), WithPartition(TaskFor(path), {Identity(2)}, {Value::Bytes("a")})),
      R"([{"p":"own"}])");
}

TEST_F(ResolveTest, AnIdentityPartitionValueOfANestedField) {
  const auto s = arrow::struct_({FileColumn(3, "y", arrow::int32())});
  const std::string path = Write({FileColumn(1, "s", s)}, "[[[7]], [null]]");
  const Schema table = TableOf({TableColumn(
      1, "s",
      Type::Struct({TableColumn(2, "x", TypeId::kLong), TableColumn(3, "y", TypeId::kInt)}))});
  EXPECT_EQ(
      Read(RequestFor(table), WithPartition(TaskFor(path), {Identity(2)}, {Value::Integer(5)})),
      R"([{"s":{"x":5,"y":7}},{"s":null}])");
}

TEST_F(ResolveTest, NameMappingForFilesWithoutIds) {
  const auto s = arrow::struct_({FileColumn(0, "inner", arrow::int32())});
  const std::string path = Write({FileColumn(0, "old", arrow::utf8()), FileColumn(0, "s", s),
                                  FileColumn(0, "l", arrow::list(FileColumn(0, "item", s))),
                                  FileColumn(0, "other", arrow::int32())},
                                 R"([["x", [1], [[2], null], 3]])");
  const Schema table =
      TableOf({TableColumn(1, "name", TypeId::kString),
               TableColumn(2, "s", Type::Struct({TableColumn(3, "i", TypeId::kInt)})),
               TableColumn(4, "l",
                           Type::List(TableColumn(
                               5, "element", Type::Struct({TableColumn(6, "j", TypeId::kInt)})))),
               TableColumn(7, "unmapped", TypeId::kInt)});
  ReadRequest request = RequestFor(table);
  request.name_mapping = NameMapping::Parse(R"([
      {"field-id": 1, "names": ["name", "old"]},
      {"field-id": 2, "names": ["s"], "fields": [{"field-id": 3, "names": ["inner"]}]},
      {"field-id": 4, "names": ["l"], "fields": [
          {"field-id": 5, "names": ["element"], "fields": [{"field-id": 6, "names": ["inner"]}]}]}])");
  EXPECT_EQ(Read(request, TaskFor(path)),
            R"([{"name":"x","s":{"i":1},"l":[{"j":2},null],"unmapped":null}])");
}

TEST_F(ResolveTest, ThePartitionValueComesBeforeAMappedColumn) {
  const std::string path = Write({FileColumn(0, "p", arrow::utf8())}, R"([["own"]])");
  ReadRequest request = RequestFor(TableOf({TableColumn(2, "p", TypeId::kString)}));
  request.name_mapping = NameMapping::Parse(R"([{"field-id": 2, "names": ["p"]}])");
  EXPECT_EQ(Read(request, TaskFor(path)), R"([{"p":"own"}])");
  EXPECT_EQ(Read(request, WithPartition(TaskFor(path), {Identity(2)}, {Value::Bytes("a")})),
            R"([{"p":"a"}])");
}

TEST_F(ResolveTest, NameMappingIsNotForFilesWithIds) {
  const std::string path =
      Write({FileColumn(1, "a", arrow::int32()), FileColumn(0, "b", arrow::int32())}, "[[1, 2]]");
  ReadRequest request =
      RequestFor(TableOf({TableColumn(1, "a", TypeId::kInt), TableColumn(2, "b", TypeId::kInt)}));
  request.name_mapping = NameMapping::Parse(R"([{"field-id": 2, "names": ["b"]}])");
  EXPECT_EQ(Read(request, TaskFor(path)), R"([{"a":1,"b":null}])");
}

TEST_F(ResolveTest, TwoColumnsForOneFieldAreAnError) {
  const std::string same_id =
      Write({FileColumn(1, "a", arrow::int64()), FileColumn(1, "b", arrow::int64())}, "[[1, 2]]");
  ReadRequest request = RequestFor(TableOf({TableColumn(1, "a", TypeId::kLong)}));
  EXPECT_NE(ErrorFrom([&] { Read(request, TaskFor(same_id)); })
                .message()
                .find("two columns of the file are the field with id 1: 'a' and 'b'"),
            std::string::npos);
  const std::string without_ids = Write(
      {FileColumn(0, "old", arrow::int64()), FileColumn(0, "new", arrow::int64())}, "[[1, 2]]");
  request.name_mapping = NameMapping::Parse(R"([{"field-id": 1, "names": ["old", "new"]}])");
  EXPECT_EQ(ErrorFrom([&] { Read(request, TaskFor(without_ids)); }).code(), ErrorCode::kInvalid);
}

TEST_F(ResolveTest, IdsOfFilesCountForNothingWhereNamesDo) {
  const std::string path = Write(
      {FileColumn(2, "a", arrow::int32()), FileColumn(1, "unmapped", arrow::int32())}, "[[7, 8]]");
  ReadRequest request =
      RequestFor(TableOf({TableColumn(1, "a", TypeId::kInt), TableColumn(2, "b", TypeId::kInt)}));
  request.name_mapping = NameMapping{{{1, {"a"}, {}}, {2, {"b"}, {}}}};
  request.ignore_file_ids = true;
  EXPECT_EQ(Read(request, TaskFor(path)), R"([{"a":7,"b":null}])");
}

TEST_F(ResolveTest, WithoutMappingTopLevelColumnsCountByPosition) {
  const auto s =
      arrow::struct_({FileColumn(0, "x", arrow::int32()), FileColumn(0, "y", arrow::int32())});
  const std::string path =
      Write({FileColumn(0, "s", s), FileColumn(0, "b", arrow::int64())}, "[[[1, 2], 3]]");
  // The struct counts as one column, not as its two leaves.
  EXPECT_EQ(Read(RequestFor(TableOf({TableColumn(2, "id", TypeId::kLong)})), TaskFor(path)),
            R"([{"id":3}])");
  const Schema nested =
      TableOf({TableColumn(1, "s", Type::Struct({TableColumn(3, "x", TypeId::kInt)}))});
  const Error error = ErrorFrom([&] { Read(RequestFor(nested), TaskFor(path)); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalid);
  EXPECT_NE(error.hint().find("schema.name-mapping.default"), std::string::npos);
}

TEST_F(ResolveTest, StructFieldsEvolveByIdWithTheirStructsNulls) {
  const auto s =
      arrow::struct_({FileColumn(2, "a", arrow::int32()), FileColumn(4, "c", arrow::int32())});
  const std::string path = Write({FileColumn(1, "s", s)}, "[[null], [[null, 1]], [[2, 3]]]");
  const Schema table =
      TableOf({TableColumn(1, "s",
                           Type::Struct({TableColumn(2, "renamed", TypeId::kLong),
                                         TableColumn(3, "b", TypeId::kInt, Value::Integer(9)),
                                         TableColumn(4, "c", TypeId::kInt)}))});
  EXPECT_EQ(Read(RequestFor(table), TaskFor(path)),
            R"([{"s":null},{"s":{"renamed":null,"b":9,"c":1}},{"s":{"renamed":2,"b":9,"c":3}}])");
}

TEST_F(ResolveTest, ANullStructStaysNullWhenTheFileHasNoneOfItsFields) {
  const auto s = arrow::struct_({FileColumn(2, "a", arrow::int32())});
  const std::string path = Write({FileColumn(1, "s", s)}, "[[null], [[null]], [[1]]]");
  const Schema table =
      TableOf({TableColumn(1, "s", Type::Struct({TableColumn(3, "b", TypeId::kInt)}))});
  EXPECT_EQ(Read(RequestFor(table), TaskFor(path)),
            R"([{"s":null},{"s":{"b":null}},{"s":{"b":null}}])");
  // The same deeper down, and where only a list can tell.
  const auto outer = arrow::struct_({FileColumn(5, "l", arrow::list(FileColumn(6, "element", s)))});
  const std::string deep =
      Write({FileColumn(4, "o", outer)}, "[[null], [[null]], [[[]]], [[[[1], null]]]]");
  const Schema lists =
      TableOf({TableColumn(4, "o", Type::Struct({TableColumn(7, "new", TypeId::kInt)}))});
  EXPECT_EQ(Read(RequestFor(lists), TaskFor(deep)),
            R"([{"o":null},{"o":{"new":null}},{"o":{"new":null}},{"o":{"new":null}}])");
}

TEST_F(ResolveTest, StructsInListsAndMapsEvolve) {
  const auto s =
      arrow::struct_({FileColumn(12, "a", arrow::int32()), FileColumn(14, "c", arrow::utf8())});
  const auto map = std::make_shared<arrow::MapType>(FileColumn(3, "key", arrow::utf8(), false),
                                                    FileColumn(4, "value", s));
  const std::string path =
      Write({FileColumn(1, "l", arrow::list(FileColumn(2, "element", s))), FileColumn(5, "m", map)},
            R"([[[[1, "x"], null, [null, null]], [["k", [2, "y"]], ["n", null]]],
                                     [null, null], [[], []]])");
  const Type evolved =
      Type::Struct({TableColumn(12, "a", TypeId::kLong), TableColumn(13, "b", TypeId::kInt),
                    TableColumn(14, "c", TypeId::kString)});
  const Schema table =
      TableOf({TableColumn(1, "l", Type::List(TableColumn(2, "element", evolved)))});
  EXPECT_EQ(
      Read(RequestFor(table), TaskFor(path)),
      R"([{"l":[{"a":1,"b":null,"c":"x"},null,{"a":null,"b":null,"c":null}]},{"l":null},{"l":[]}])");
  const Type replaced = Type::Struct({TableColumn(20, "z", TypeId::kInt)});
  const Schema maps = TableOf({TableColumn(
      5, "m",
      Type::Map(TableColumn(3, "key", TypeId::kString, true), TableColumn(4, "value", replaced)))});
  EXPECT_EQ(
      Read(RequestFor(maps), TaskFor(path)),
      R"([{"m":{"keys":["k","n"],"values":[{"z":null},null]}},{"m":null},{"m":{"keys":[],"values":[]}}])");
}

TEST_F(ResolveTest, MissingNestedColumnsAreNullOrTheirDefault) {
  const std::string path = Write({FileColumn(1, "id", arrow::int32())}, "[[1]]");
  const Type point = Type::Struct({TableColumn(3, "x", TypeId::kInt, Value::Integer(0)),
                                   TableColumn(4, "y", TypeId::kInt, /*required=*/true)});
  Field empty_default =
      TableColumn(5, "q", Type::Struct({TableColumn(6, "x", TypeId::kInt, Value::Integer(3))}),
                  Value::Nested({Value::Null()}));
  const Schema table = TableOf({TableColumn(2, "p", point), empty_default});
  EXPECT_EQ(Read(RequestFor(table), TaskFor(path)), R"([{"p":null,"q":{"x":3}}])");
}

TEST_F(ResolveTest, ADefaultIsTheSameWhicheverFieldsAreRead) {
  const std::string path = Write({FileColumn(1, "id", arrow::int64())}, "[[1]]");
  const Type point =
      Type::Struct({TableColumn(3, "x", TypeId::kInt), TableColumn(4, "y", TypeId::kInt),
                    TableColumn(5, "z", TypeId::kInt)});
  const Schema table =
      TableOf({TableColumn(1, "id", TypeId::kLong),
               TableColumn(2, "p", point,
                           Value::Nested({Value::Null(), Value::Integer(8), Value::Integer(9)}))});
  ReadRequest request = RequestFor(table);
  FileScanTask task = TaskFor(path);
  for (const auto& [filter, passes] :
       {std::pair("p.y = 8", true), std::pair("p.y = 9", false),
        std::pair("p.z = 9 AND p.y = 8", true), std::pair("p.x IS NULL", true)}) {
    task.residual = std::make_shared<BoundFilter>(BindFilter(filter, table));
    for (const char* const selected : {"id", "p.z", "p"}) {
      request.projection = SelectFields(table, std::vector<std::string>{selected});
      EXPECT_EQ(Read(request, task) != "[]", passes) << filter << " selecting " << selected;
    }
  }
  request.projection = SelectFields(table, std::vector<std::string>{"p.z"});
  EXPECT_EQ(Read(request, TaskFor(path)), R"([{"p":{"z":9}}])");
}

TEST_F(ResolveTest, UnknownColumnsAreNullEverywhere) {
  const std::string path =
      Write({FileColumn(1, "s", arrow::struct_({FileColumn(2, "a", arrow::int32())})),
             FileColumn(5, "l", arrow::list(FileColumn(6, "element", arrow::int32())))},
            "[[[1], [1, 2]], [null, null]]");
  const Schema table =
      TableOf({TableColumn(9, "u", TypeId::kUnknown),
               TableColumn(1, "s", Type::Struct({TableColumn(3, "u", TypeId::kUnknown)})),
               TableColumn(5, "l", Type::List(TableColumn(6, "element", TypeId::kUnknown)))});
  EXPECT_EQ(Read(RequestFor(table), TaskFor(path)),
            R"([{"u":null,"s":{"u":null},"l":[null,null]},{"u":null,"s":null,"l":null}])");
}

TEST_F(ResolveTest, SelectionDecodesWhatItNamesAlone) {
  const auto s =
      arrow::struct_({FileColumn(2, "a", arrow::int32()), FileColumn(3, "b", arrow::int32())});
  const std::string path =
      Write({FileColumn(1, "s", s), FileColumn(4, "c", arrow::int32())}, "[[[1, 2], 3]]");
  const Schema table = TableOf({TableColumn(1, "s",
                                            Type::Struct({TableColumn(2, "a", TypeId::kInt),
                                                          TableColumn(3, "b", TypeId::kInt)})),
                                TableColumn(4, "c", TypeId::kInt)});
  ReadRequest request = RequestFor(table);
  request.projection = SelectFields(table, std::vector<std::string>{"c", "s.b"});
  EXPECT_EQ(Read(request, TaskFor(path)), R"([{"c":3,"s":{"b":2}}])");
}

}  // namespace
}  // namespace nunatak
