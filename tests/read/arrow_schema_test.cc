#include "nunatak/read/arrow_schema.h"

#include <arrow/api.h>
#include <gtest/gtest.h>

#include "read/scan_fixture.h"

namespace nunatak {
namespace {

TEST(ArrowTypeOf, EveryTypeWithoutFields) {
  const std::vector<std::pair<Type, std::string>> expected = {
      {TypeId::kUnknown, "null"},
      {TypeId::kBoolean, "bool"},
      {TypeId::kInt, "int32"},
      {TypeId::kLong, "int64"},
      {TypeId::kFloat, "float"},
      {TypeId::kDouble, "double"},
      {Type::Decimal(9, 2), "decimal128(9, 2)"},
      {TypeId::kDate, "date32[day]"},
      {TypeId::kTime, "time64[us]"},
      {TypeId::kTimestamp, "timestamp[us]"},
      {TypeId::kTimestampTz, "timestamp[us, tz=UTC]"},
      {TypeId::kTimestampNs, "timestamp[ns]"},
      {TypeId::kTimestampTzNs, "timestamp[ns, tz=UTC]"},
      {TypeId::kString, "string"},
      {TypeId::kUuid, "fixed_size_binary[16]"},
      {Type::Fixed(4), "fixed_size_binary[4]"},
      {TypeId::kBinary, "binary"},
      {Type::Geometry("OGC:CRS84"), "binary"},
      {Type::Geography("OGC:CRS84", "spherical"), "binary"},
  };
  for (const auto& [type, name] : expected) {
    EXPECT_EQ(ArrowTypeOf(type)->ToString(), name) << type.ToString();
  }
}

TEST(ArrowTypeOf, NestedFieldsKeepNullabilityAndIds) {
  const Field field = TableColumn(
      1, "m",
      Type::Map(
          TableColumn(2, "key", TypeId::kString, true),
          TableColumn(3, "value", Type::List(TableColumn(4, "element", TypeId::kInt, true)))));
  const auto arrow_field = ArrowFieldOf(field);
  EXPECT_EQ(arrow_field->metadata()->Get("PARQUET:field_id").ValueOrDie(), "1");
  const auto& map = static_cast<const arrow::MapType&>(*arrow_field->type());
  EXPECT_EQ(map.key_field()->metadata()->Get("PARQUET:field_id").ValueOrDie(), "2");
  EXPECT_TRUE(map.item_field()->nullable());
  EXPECT_FALSE(map.item_type()->field(0)->nullable());
}

TEST(ArrowTypeOf, AVariantIsTheCanonicalExtension) {
  const auto type = ArrowTypeOf(TypeId::kVariant);
  const auto& extension = static_cast<const arrow::ExtensionType&>(*type);
  EXPECT_EQ(extension.extension_name(), "arrow.parquet.variant");
  EXPECT_EQ(extension.storage_type()->ToString(),
            "struct<metadata: binary not null, value: binary not null>");
}

}  // namespace
}  // namespace nunatak
