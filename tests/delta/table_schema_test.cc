#include "nunatak/delta/table_schema.h"

#include <gtest/gtest.h>

#include "delta/log_fixture.h"
#include "nunatak/delta/schema_json.h"
#include "nunatak/delta/type_change.h"

namespace nunatak::delta {
namespace {

std::string StructJson(const std::vector<std::string>& fields) {
  return fmt::format(R"({{"type":"struct","fields":[{}]}})", fmt::join(fields, ","));
}

TEST(TypeNames, EachPrimitiveType) {
  const std::pair<const char*, const char*> cases[] = {{"string", "string"},
                                                       {"long", "long"},
                                                       {"integer", "int"},
                                                       {"short", "int"},
                                                       {"byte", "int"},
                                                       {"float", "float"},
                                                       {"double", "double"},
                                                       {"boolean", "boolean"},
                                                       {"binary", "binary"},
                                                       {"date", "date"},
                                                       {"timestamp", "timestamptz"},
                                                       {"timestamp_ntz", "timestamp"},
                                                       {"variant", "variant"},
                                                       {"void", "unknown"},
                                                       {"decimal(38,18)", "decimal(38, 18)"},
                                                       {"decimal", "decimal(10, 0)"},
                                                       {"varchar(10)", "string"},
                                                       {"char(3)", "string"}};
  for (const auto& [name, type] : cases) EXPECT_EQ(TypeOfName(name).ToString(), type) << name;
  EXPECT_NE(
      ErrorOf(ErrorCode::kUnsupported, [] { TypeOfName("interval day"); }).find("interval day"),
      std::string::npos);
  ErrorOf(ErrorCode::kInvalid, [] { TypeOfName("decimal(39,0)"); });
}

TEST(SchemaString, NestedTypesGetIdsOfTheirOwn) {
  const std::string list = R"({"type":"array","elementType":"integer","containsNull":false})";
  const std::string map =
      R"({"type":"map","keyType":"string","valueType":"double","valueContainsNull":true})";
  const ParsedSchema parsed = ParseSchemaString(
      StructJson(
          {FieldJson("l", list), FieldJson("m", map),
           FieldJson("s", StructJson({FieldJson("x", R"("long")")}), R"({"comment":"why"})")}),
      /*mapped=*/false);
  const Schema& schema = parsed.schema;
  const std::pair<const char*, int32_t> ids[] = {
      {"l", 1}, {"l.element", 2}, {"m", 3}, {"m.key", 4}, {"m.value", 5}, {"s", 6}, {"s.x", 7}};
  for (const auto& [name, id] : ids) EXPECT_EQ(schema.FindField(name)->id, id) << name;
  EXPECT_TRUE(schema.FindField("l.element")->required);
  EXPECT_FALSE(schema.FindField("l")->required);
  EXPECT_TRUE(schema.FindField("m.key")->required);
  EXPECT_FALSE(schema.FindField("m.value")->required);
  EXPECT_EQ(parsed.schema.FindField("s")->doc, "why");
  EXPECT_EQ(parsed.last_id, 7);
}

TEST(SchemaString, MappedColumnsHaveTheIdsOfTheMapping) {
  const std::string list = R"({"type":"array","elementType":"integer","containsNull":true})";
  const auto mapped = [](int id, const char* name) {
    return fmt::format(R"({{"delta.columnMapping.id":{},"delta.columnMapping.physicalName":"{}"}})",
                       id, name);
  };
  const std::string text = StructJson(
      {FieldJson("a", list, mapped(7, "col-a")), FieldJson("b", R"("long")", mapped(20, "col-b"))});
  const ParsedSchema parsed = ParseSchemaString(text, /*mapped=*/true);
  EXPECT_EQ(parsed.schema.FindField("a")->id, 7);
  EXPECT_EQ(parsed.schema.FindField("b")->id, 20);
  EXPECT_EQ(parsed.schema.FindField("a.element")->id, 21);
  EXPECT_EQ(parsed.physical_names.at(7), "col-a");
  // Where nothing is mapped, such marks are left over from a table that was.
  const ParsedSchema plain = ParseSchemaString(text, /*mapped=*/false);
  EXPECT_EQ(plain.schema.FindField("b")->id, 3);
  EXPECT_EQ(plain.physical_names.at(1), "a");
}

TEST(SchemaString, Malformed) {
  const std::pair<std::string, ErrorCode> cases[] = {
      {"{", ErrorCode::kInvalid},
      {R"({"type":"struct","fields":[{}]})", ErrorCode::kInvalid},
      {StructJson({FieldJson("a", R"("long")"), FieldJson("A", R"("long")")}), ErrorCode::kInvalid},
      {StructJson({FieldJson("a", R"({"type":"array"})")}), ErrorCode::kInvalid},
      {StructJson({FieldJson("a", R"({"type":"udt"})")}), ErrorCode::kUnsupported},
      {StructJson({FieldJson("a", R"("interval")")}), ErrorCode::kUnsupported},
      {StructJson(
           {FieldJson("a", R"("string")",
                      R"({"delta.typeChanges":[{"fromType":"integer","toType":"string"}]})")}),
       ErrorCode::kUnsupported},
  };
  for (const auto& [text, code] : cases) {
    ErrorOf(code, [&, t = text] { ParseSchemaString(t, /*mapped=*/false); });
  }
  const std::string error = ErrorOf(ErrorCode::kInvalid, [] {
    ParseSchemaString(StructJson({FieldJson("a", R"("long")")}), /*mapped=*/true);
  });
  EXPECT_NE(error.find("schemaString: fields[0]: column a"), std::string::npos) << error;
}

TEST(TypeChange, TheWideningsOfTheSpecification) {
  const std::pair<const char*, const char*> widenings[] = {{"byte", "short"},
                                                           {"short", "integer"},
                                                           {"integer", "long"},
                                                           {"float", "double"},
                                                           {"byte", "double"},
                                                           {"integer", "double"},
                                                           {"date", "timestamp_ntz"},
                                                           {"decimal(5,2)", "decimal(5,2)"},
                                                           {"decimal(5,2)", "decimal(10,4)"},
                                                           {"integer", "decimal(10,0)"},
                                                           {"integer", "decimal(12,2)"},
                                                           {"long", "decimal(20,0)"},
                                                           {"void", "string"}};
  for (const auto& [from, to] : widenings) {
    EXPECT_TRUE(IsWidening(TypeOfName(from), TypeOfName(to))) << from << " to " << to;
  }
  const std::pair<const char*, const char*> others[] = {{"long", "integer"},
                                                        {"long", "double"},
                                                        {"double", "float"},
                                                        {"date", "timestamp"},
                                                        {"decimal(10,4)", "decimal(11,6)"},
                                                        {"integer", "decimal(9,0)"},
                                                        {"integer", "decimal(11,2)"},
                                                        {"long", "decimal(19,0)"},
                                                        {"integer", "string"}};
  for (const auto& [from, to] : others) {
    EXPECT_FALSE(IsWidening(TypeOfName(from), TypeOfName(to))) << from << " to " << to;
  }
}

Metadata TableOf(const std::string& schema, std::vector<std::string> partition_columns,
                 const std::string& mode) {
  Metadata metadata{.id = "m", .schema_string = schema};
  metadata.partition_columns = std::move(partition_columns);
  if (!mode.empty()) metadata.configuration["delta.columnMapping.mode"] = mode;
  return metadata;
}

TEST(TableSchema, APartitionColumnMustExist) {
  const std::string schema = StructJson({FieldJson("a", R"("long")")});
  const TableSchema table = MakeTableSchema({}, TableOf(schema, {"a"}, ""));
  ASSERT_EQ(table.spec.fields.size(), 1U);
  EXPECT_EQ(table.spec.fields[0].source_id(), 1);
  const std::string error =
      ErrorOf(ErrorCode::kInvalid, [&] { MakeTableSchema({}, TableOf(schema, {"b"}, "")); });
  EXPECT_NE(error.find("partitionColumns: the schema has no column 'b'"), std::string::npos)
      << error;
}

TEST(TableSchema, TheMappingModeCountsOnlyWithTheFeature) {
  const std::string schema = StructJson(
      {FieldJson("a", R"("long")",
                 R"({"delta.columnMapping.id":5,"delta.columnMapping.physicalName":"col-a"})")});
  const auto mapping = [&](const Protocol& protocol, const std::string& mode) {
    return MakeTableSchema(protocol, TableOf(schema, {}, mode)).mapping;
  };
  EXPECT_EQ(mapping({.min_reader_version = 2}, "name"), ColumnMapping::kName);
  EXPECT_EQ(mapping({.min_reader_version = 2}, "id"), ColumnMapping::kId);
  EXPECT_EQ(mapping({.min_reader_version = 2}, "none"), ColumnMapping::kNone);
  EXPECT_EQ(mapping({.min_reader_version = 2}, ""), ColumnMapping::kNone);
  EXPECT_EQ(mapping({.min_reader_version = 1}, "name"), ColumnMapping::kNone);
  EXPECT_EQ(mapping({.min_reader_version = 3, .writer_features = {"columnMapping"}}, "name"),
            ColumnMapping::kNone);
  ErrorOf(ErrorCode::kUnsupported, [&] { mapping({.min_reader_version = 2}, "mood"); });
}

}  // namespace
}  // namespace nunatak::delta
