#include <arrow/io/file.h>
#include <parquet/column_writer.h>
#include <parquet/file_writer.h>
#include <parquet/schema.h>

#include <string>
#include <vector>

#include "read/scan_fixture.h"

namespace nunatak {
namespace {

using parquet::ConvertedType;
using parquet::LogicalType;
using parquet::Repetition;
using parquet::schema::GroupNode;
using parquet::schema::NodePtr;
using parquet::schema::NodeVector;
using parquet::schema::PrimitiveNode;

/// A column of 32-bit integers, as its levels say what its values belong to.
struct Levels {
  std::vector<int16_t> definition;
  std::vector<int16_t> repetition;
  std::vector<int32_t> values;
};

struct Case {
  const char* what;
  NodePtr column;
  std::vector<Levels> leaves;
  Type type;
  std::string expected;
};

NodePtr Leaf(const std::string& name, Repetition::type repetition, int id = -1) {
  return PrimitiveNode::Make(name, repetition, parquet::Type::INT32, ConvertedType::NONE, -1, -1,
                             -1, id);
}

NodePtr Repeated(const std::string& name, NodeVector children, int id = -1) {
  return GroupNode::Make(name, Repetition::REPEATED, std::move(children), ConvertedType::NONE, id);
}

/// Field 1, by the annotation that older writers know.
NodePtr Annotated(NodePtr child, ConvertedType::type annotation) {
  return GroupNode::Make("c", Repetition::OPTIONAL, {std::move(child)}, annotation, 1);
}

Type ListOf(Type element) { return Type::List(TableColumn(2, "element", std::move(element))); }

/// Nested columns whose groups are laid out and named as older writers did (Parquet's
/// "LogicalTypes", "Backward-compatibility rules").
class ParquetLevelsTest : public ScanTest {
 protected:
  std::string WriteLeaves(const Case& c) {
    const std::string path = Path("levels.parquet");
    const auto out = arrow::io::FileOutputStream::Open(path).ValueOrDie();
    const auto root = std::static_pointer_cast<GroupNode>(
        GroupNode::Make("table", Repetition::REQUIRED, {c.column}));
    const auto writer = parquet::ParquetFileWriter::Open(out, root);
    parquet::RowGroupWriter* group = writer->AppendRowGroup();
    for (const Levels& leaf : c.leaves) {
      static_cast<parquet::Int32Writer*>(group->NextColumn())
          ->WriteBatch(static_cast<int64_t>(leaf.definition.size()), leaf.definition.data(),
                       leaf.repetition.data(), leaf.values.data());
    }
    writer->Close();
    EXPECT_TRUE(out->Close().ok());
    return path;
  }
};

TEST_F(ParquetLevelsTest, ListsOfEveryLayout) {
  // [1, null], [], null, [3] where elements may be null, else [1, 2], [], null, [3].
  const Levels nullable = {{3, 2, 1, 0, 3}, {0, 1, 0, 0, 0}, {1, 3}};
  const Levels required = {{2, 2, 1, 0, 2}, {0, 1, 0, 0, 0}, {1, 2, 3}};
  const NodePtr item = Leaf("item", Repetition::OPTIONAL, 3);
  const Type of_struct = ListOf(Type::Struct({TableColumn(3, "item", TypeId::kInt)}));
  const std::string structs = R"([{"item":1},{"item":null}] [] null [{"item":3}])";
  const std::vector<Case> cases = {
      {"three levels",
       Annotated(Repeated("list", {Leaf("element", Repetition::OPTIONAL, 2)}), ConvertedType::LIST),
       {nullable},
       ListOf(TypeId::kInt),
       "[1,null] [] null [3]"},
      {"two levels",
       Annotated(Leaf("element", Repetition::REPEATED, 2), ConvertedType::LIST),
       {required},
       ListOf(TypeId::kInt),
       "[1,2] [] null [3]"},
      {"two levels, as parquet-avro names them",
       Annotated(Leaf("array", Repetition::REPEATED, 2), ConvertedType::LIST),
       {required},
       ListOf(TypeId::kLong),
       "[1,2] [] null [3]"},
      {"Hive's bag",
       Annotated(Repeated("bag", {Leaf("array_element", Repetition::OPTIONAL)}),
                 ConvertedType::LIST),
       {nullable},
       ListOf(TypeId::kInt),
       "[1,null] [] null [3]"},
      {"the element is the group: it is called array",
       Annotated(Repeated("array", {item}, 2), ConvertedType::LIST),
       {nullable},
       of_struct,
       structs},
      {"the element is the group: it is called after the list",
       Annotated(Repeated("c_tuple", {item}, 2), ConvertedType::LIST),
       {nullable},
       of_struct,
       structs},
      {"the element is the group: it has two fields",
       Annotated(Repeated("element", {item, Leaf("other", Repetition::REQUIRED, 4)}, 2),
                 ConvertedType::LIST),
       {nullable, {{2, 2, 1, 0, 2}, {0, 1, 0, 0, 0}, {7, 8, 9}}},
       ListOf(Type::Struct(
           {TableColumn(4, "other", TypeId::kInt), TableColumn(3, "item", TypeId::kInt)})),
       R"([{"other":7,"item":1},{"other":8,"item":null}] [] null [{"other":9,"item":3}])"},
      {"a repeated field without a list around it",
       Leaf("c", Repetition::REPEATED, 1),
       {{{1, 1, 0, 1}, {0, 1, 0, 0}, {1, 2, 3}}},
       ListOf(TypeId::kInt),
       "[1,2] [] [3]"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(
        ReadColumn(RequestFor(TableOf({TableColumn(1, "c", c.type)})), TaskFor(WriteLeaves(c))),
        c.expected)
        << c.what;
  }
}

TEST_F(ParquetLevelsTest, MapsOfEveryName) {
  const Levels keys = {{2, 2, 1, 0}, {0, 1, 0, 0}, {1, 2}};
  const Levels values = {{3, 2, 1, 0}, {0, 1, 0, 0}, {10}};
  const Type type =
      Type::Map(TableColumn(2, "key", TypeId::kInt, true), TableColumn(3, "value", TypeId::kInt));
  const std::vector<std::pair<std::string, ConvertedType::type>> layouts = {
      {"key_value", ConvertedType::MAP},
      {"map", ConvertedType::MAP},
      {"entries", ConvertedType::MAP},
      {"map", ConvertedType::MAP_KEY_VALUE},
  };
  for (const auto& [name, annotation] : layouts) {
    const Case c = {"",
                    Annotated(Repeated(name, {Leaf("k", Repetition::REQUIRED, 2),
                                              Leaf("v", Repetition::OPTIONAL, 3)}),
                              annotation),
                    {keys, values},
                    type,
                    R"({"keys":[1,2],"values":[10,null]} {"keys":[],"values":[]} null)"};
    EXPECT_EQ(
        ReadColumn(RequestFor(TableOf({TableColumn(1, "c", c.type)})), TaskFor(WriteLeaves(c))),
        c.expected)
        << name << " " << parquet::ConvertedTypeToString(annotation);
  }
}

}  // namespace
}  // namespace nunatak
