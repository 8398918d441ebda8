#include "nunatak/table/type.h"

#include <gtest/gtest.h>

#include "nunatak/table/schema.h"
#include "table/thrown_error.h"

namespace nunatak {
namespace {

Field MakeField(int32_t id, std::string name, bool required, Type type) {
  Field field;
  field.id = id;
  field.name = std::move(name);
  field.required = required;
  field.type = std::move(type);
  return field;
}

struct NamedType {
  std::string_view name;
  Type type;
};

// Every type of v1 to v3 that a name alone describes, as the specification's Appendix C spells it.
const std::vector<NamedType>& NamedTypes() {
  static const std::vector<NamedType> types = {
      {"unknown", TypeId::kUnknown},
      {"boolean", TypeId::kBoolean},
      {"int", TypeId::kInt},
      {"long", TypeId::kLong},
      {"float", TypeId::kFloat},
      {"double", TypeId::kDouble},
      {"decimal(9, 2)", Type::Decimal(9, 2)},
      {"decimal(38, 38)", Type::Decimal(38, 38)},
      {"date", TypeId::kDate},
      {"time", TypeId::kTime},
      {"timestamp", TypeId::kTimestamp},
      {"timestamptz", TypeId::kTimestampTz},
      {"timestamp_ns", TypeId::kTimestampNs},
      {"timestamptz_ns", TypeId::kTimestampTzNs},
      {"string", TypeId::kString},
      {"uuid", TypeId::kUuid},
      {"fixed[16]", Type::Fixed(16)},
      {"fixed[0]", Type::Fixed(0)},
      {"binary", TypeId::kBinary},
      {"variant", TypeId::kVariant},
      {"geometry(srid:4326)", Type::Geometry("srid:4326")},
      {"geography(srid:4326, karney)", Type::Geography("srid:4326", "karney")},
  };
  return types;
}

TEST(TypeNames, RoundTrip) {
  for (const NamedType& named : NamedTypes()) {
    EXPECT_EQ(ParsePrimitiveType(named.name), named.type) << named.name;
    EXPECT_EQ(named.type.ToString(), named.name);
  }
}

TEST(TypeNames, DifferentTypesAreDifferent) {
  for (const NamedType& a : NamedTypes()) {
    for (const NamedType& b : NamedTypes()) {
      EXPECT_EQ(a.type == b.type, a.name == b.name) << a.name << " and " << b.name;
    }
  }
}

// "Readers should accept optional whitespace around parameters and separators".
TEST(TypeNames, AreMatchedWithoutCaseAndWithFreeBlanks) {
  const std::vector<NamedType> cases = {
      {"INT", TypeId::kInt},
      {"TimestampTZ_ns", TypeId::kTimestampTzNs},
      {"decimal(9,2)", Type::Decimal(9, 2)},
      {" Decimal ( 9 ,\t2 ) ", Type::Decimal(9, 2)},
      {"FIXED[ 16 ]", Type::Fixed(16)},
      {"geometry", Type::Geometry("OGC:CRS84")},
      {"Geometry( EPSG:3857 )", Type::Geometry("EPSG:3857")},
      {"geography", Type::Geography("OGC:CRS84", "spherical")},
      {"geography(EPSG:4326)", Type::Geography("EPSG:4326", "spherical")},
      {"geography(EPSG:4326,Vincenty)", Type::Geography("EPSG:4326", "vincenty")},
  };
  for (const NamedType& named : cases) {
    EXPECT_EQ(ParsePrimitiveType(named.name), named.type) << named.name;
  }
}

TEST(TypeNames, OfNoKnownTypeAreRefusedByName) {
  for (const char* name : {"timestamp_ps", "interval", "", "varchar(10)"}) {
    EXPECT_ERROR(ParsePrimitiveType(name), ErrorCode::kUnsupported, std::string("'") + name + "'");
  }
  EXPECT_ERROR(ParsePrimitiveType("geography(OGC:CRS84, flat)"), ErrorCode::kUnsupported, "'flat'");
}

TEST(TypeNames, WithMalformedParametersAreInvalid) {
  for (const char* name : {"decimal",
                           "decimal()",
                           "decimal(9)",
                           "decimal(9,2,1)",
                           "decimal(39, 2)",
                           "decimal(0, 0)",
                           "decimal(9, -2)",
                           "decimal(9, 10)",
                           "decimal(9, 2",
                           "decimal(9, 2) x",
                           "decimal[9, 2]",
                           "decimal(99999999999, 2)",
                           "decimal(9, two)",
                           "fixed",
                           "fixed[]",
                           "fixed[-1]",
                           "fixed[4294967296]",
                           "fixed(16)",
                           "geometry()",
                           "geometry(a, b)",
                           "geometry[a]",
                           "geography(a, spherical, b)",
                           "geography(, spherical)",
                           "int(4)",
                           "string[]",
                           "struct",
                           "list",
                           "map"}) {
    EXPECT_ERROR(ParsePrimitiveType(name), ErrorCode::kInvalid, "") << name;
  }
}

TEST(Type, FactoriesCheckTheirParameters) {
  EXPECT_ERROR(Type::Decimal(39, 0), ErrorCode::kInvalid, "precision");
  EXPECT_ERROR(Type::Decimal(9, 10), ErrorCode::kInvalid, "scale");
  EXPECT_ERROR(Type::Fixed(-1), ErrorCode::kInvalid, "length");
}

TEST(Type, NestedTypesPrintTheirParts) {
  const Type list = Type::List(MakeField(3, "element", true, TypeId::kString));
  const Type map = Type::Map(MakeField(4, "key", true, TypeId::kString),
                             MakeField(5, "value", false, TypeId::kDouble));
  const Type row =
      Type::Struct({MakeField(1, "a", true, TypeId::kInt), MakeField(2, "b", false, list)});
  EXPECT_EQ(list.ToString(), "list<string>");
  EXPECT_EQ(map.ToString(), "map<string, double>");
  EXPECT_EQ(row.ToString(), "struct<1: a: required int, 2: b: optional list<string>>");
  EXPECT_EQ(Type::Struct({}).ToString(), "struct<>");
  EXPECT_EQ(map.key().id, 4);
  EXPECT_EQ(map.value().id, 5);
  EXPECT_EQ(list.element().name, "element");
}

TEST(Type, EqualityLooksAtEveryPartOfAField) {
  const Field base = MakeField(1, "a", false, TypeId::kInt);
  const Type type = Type::Struct({base});
  EXPECT_EQ(type, Type::Struct({base}));
  std::vector<Field> others(7, base);
  others[0].id = 2;
  others[1].name = "b";
  others[2].required = true;
  others[3].type = TypeId::kLong;
  others[4].doc = "text";
  others[5].initial_default = Value::Integer(1);
  others[6].write_default = Value::Integer(1);
  for (const Field& other : others) EXPECT_FALSE(type == Type::Struct({other}));
  EXPECT_FALSE(type == Type::Struct({base, base}));
  EXPECT_FALSE(type == Type::List(base));
}

TEST(Type, OnlyPrimitiveTypesWithAnOrderAreComparable) {
  for (const NamedType& named : NamedTypes()) {
    const TypeId id = named.type.id();
    const bool excluded = id == TypeId::kUnknown || id == TypeId::kVariant ||
                          id == TypeId::kGeometry || id == TypeId::kGeography;
    EXPECT_EQ(named.type.is_comparable(), !excluded) << named.name;
    EXPECT_FALSE(named.type.is_nested()) << named.name;
  }
  EXPECT_FALSE(Type::Struct({}).is_comparable());
  EXPECT_TRUE(Type::Struct({}).is_nested());
}

}  // namespace
}  // namespace nunatak
