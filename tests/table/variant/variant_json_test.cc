#include "nunatak/table/variant/variant_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "nunatak/base/error.h"
#include "table/variant/variant_bytes.h"

namespace nunatak {
namespace {

/// Bytes are spelled out by hand from "Variant Binary Encoding"; type names and values are those of
/// the reference engine.
struct Case {
  VariantBytes value;
  std::string json;
};

std::string ToJson(const VariantBytes& metadata, const VariantBytes& value) {
  return VariantToJson(metadata.span(), value.span()).dump();
}

TEST(VariantToJson, EveryPrimitiveType) {
  const std::vector<Case> cases = {
      {{0 << 2}, R"({"$type":"NULL","$value":null})"},
      {{1 << 2}, "true"},
      {{2 << 2}, "false"},
      {{3 << 2, 0x80}, R"({"$type":"INT8","$value":-128})"},
      {{4 << 2, 0x34, 0x12}, R"({"$type":"INT16","$value":4660})"},
      {{5 << 2, 0xFF, 0xFF, 0xFF, 0x7F}, R"({"$type":"INT32","$value":2147483647})"},
      {{6 << 2, 0, 0, 0, 0, 0, 0, 0, 0x80}, R"({"$type":"INT64","$value":-9223372036854775808})"},
      {{7 << 2, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F}, R"({"$type":"DOUBLE","$value":1.0})"},
      {{7 << 2, 0, 0, 0, 0, 0, 0, 0xF8, 0x7F}, R"({"$type":"DOUBLE","$value":"NaN"})"},
      {{8 << 2, 2, 0xD2, 0x04, 0, 0}, R"({"$type":"DECIMAL4","$value":"12.34"})"},
      {{9 << 2, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF},
       R"({"$type":"DECIMAL8","$value":"-1"})"},
      {VariantBytes({10 << 2, 38}).Bytes({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40}),
       R"({"$type":"DECIMAL16","$value":"0.85070591730234615865843651857942052864"})"},
      {{11 << 2, 0xFF, 0xFF, 0xFF, 0xFF}, R"({"$type":"DATE","$value":"1969-12-31"})"},
      {{12 << 2, 0x40, 0x42, 0x0F, 0, 0, 0, 0, 0},
       R"({"$type":"TIMESTAMPTZ","$value":"1970-01-01T00:00:01+00:00"})"},
      {{13 << 2, 1, 0, 0, 0, 0, 0, 0, 0},
       R"({"$type":"TIMESTAMPNTZ","$value":"1970-01-01T00:00:00.000001"})"},
      {{14 << 2, 0xCD, 0xCC, 0xCC, 0x3D}, R"({"$type":"FLOAT","$value":0.1})"},
      {{15 << 2, 3, 0, 0, 0, 0x0A, 0xFF, 0x00}, R"({"$type":"BINARY","$value":"0AFF00"})"},
      {VariantBytes({16 << 2, 2, 0, 0, 0}).Text("hi"), R"("hi")"},
      {{17 << 2, 0x40, 0x42, 0x0F, 0, 0, 0, 0, 0}, R"({"$type":"TIME","$value":"00:00:01"})"},
      {{18 << 2, 1, 0, 0, 0, 0, 0, 0, 0},
       R"({"$type":"TIMESTAMPTZ_NANOS","$value":"1970-01-01T00:00:00.000000001+00:00"})"},
      {{19 << 2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF},
       R"({"$type":"TIMESTAMPNTZ_NANOS","$value":"1969-12-31T23:59:59.999999999"})"},
      {VariantBytes({20 << 2}).Text("0123456789abcdef"),
       R"({"$type":"UUID","$value":"30313233-3435-3637-3839-616263646566"})"},
      // A short string has its length in the header.
      {{0 << 2 | 1}, R"("")"},
      {VariantBytes({3 << 2 | 1}).Text("n/a"), R"("n/a")"},
      {VariantBytes({63 << 2 | 1}).Text(std::string(63, 'x')), '"' + std::string(63, 'x') + '"'},
  };
  for (const Case& c : cases) EXPECT_EQ(ToJson(kNoNames, c.value), c.json);
}

TEST(VariantToJson, Arrays) {
  const std::vector<Case> cases = {
      {{3, 0, 0}, "[]"},
      {{3, 2, 0, 1, 3, /*values*/ 1 << 2, 3 << 2, 7}, R"([true,{"$type":"INT8","$value":7}])"},
      // A null inside is plain.
      {{3, 1, 0, 1, 0}, "[null]"},
      // Four bytes of count and of each offset.
      {{(1 << 2 | 3) << 2 | 3, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2 << 2}, "[false]"},
      {{3, 1, 0, 6, /*values*/ 3, 1, 0, 2, 1 << 2 | 1, 'x'}, R"([["x"]])"},
  };
  for (const Case& c : cases) EXPECT_EQ(ToJson(kNoNames, c.value), c.json);
}

TEST(VariantToJson, Objects) {
  // The names "a", "b" and "": not sorted, so the header does not say so.
  const VariantBytes metadata = {0x01, 3, 0, 1, 2, 2, 'a', 'b'};
  const std::vector<Case> cases = {
      {{2, 0, 0}, "{}"},
      {{2, 1, /*id*/ 1, 0, 1, 1 << 2}, R"({"b":true})"},
      // Fields are in the order of their names; their values need not be.
      {{2, 2, /*ids*/ 0, 1, /*offsets*/ 1, 0, 2, 1 << 2, 2 << 2}, R"({"a":false,"b":true})"},
      {{2, 1, /*id*/ 2, 0, 1, 0}, R"({"":null})"},
      // is_large, ids of three bytes, offsets of two.
      {{(1 << 4 | 2 << 2 | 1) << 2 | 2, 1, 0, 0, 0, /*id*/ 0, 0, 0, /*offsets*/ 0, 0, 1, 0, 4},
       R"({"a":true})"},
      {{2, 1, 0, 0, 6, /*nested*/ 2, 1, 1, 0, 1, 0}, R"({"a":{"b":null}})"},
  };
  for (const Case& c : cases) EXPECT_EQ(ToJson(metadata, c.value), c.json);
}

TEST(VariantToJson, MetadataWithWideOffsetsAndSortedNames) {
  const VariantBytes metadata = VariantBytes({0x01 | 1 << 4 | 3 << 6, 2, 0, 0, 0})
                                    .Bytes({0, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0})
                                    .Text("abcd");
  EXPECT_EQ(ToJson(metadata, {2, 2, 0, 1, 0, 1, 2, 4, 8}), R"({"a":true,"bcd":false})");
}

TEST(VariantToJson, NamesOutOfOrderAreReadNamesTwiceAreNot) {
  const VariantBytes metadata = {0x01, 3, 0, 1, 2, 3, 'a', 'b', 'a'};
  EXPECT_EQ(ToJson(metadata, {2, 2, 1, 0, 0, 1, 2, 4, 8}), R"({"b":true,"a":false})");
  for (const VariantBytes& twice :
       {VariantBytes{2, 2, 0, 0, 0, 1, 2, 4, 8}, VariantBytes{2, 2, 0, 2, 0, 1, 2, 4, 8}}) {
    try {
      VariantToJson(metadata.span(), twice.span());
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalid);
      EXPECT_EQ(error.message(), "malformed variant: an object has the field 'a' twice");
    }
  }
}

/// Many objects with the same long name: a text of gigabytes, from a megabyte.
TEST(VariantToJson, SharedNamesDoNotMultiplyWithoutBound) {
  constexpr uint32_t kName = 1 << 19;
  constexpr uint32_t kObjects = 1 << 16;
  VariantBytes metadata = {0x01 | 2 << 6, 1, 0, 0, 0, 0, 0, 0, 0, 8};
  metadata.Text(std::string(kName, 'n'));
  std::string value = {static_cast<char>((1 << 2 | 3) << 2 | 3), 0, 0, 1, 0};
  const std::string object = {2, 1, 0, 0, 1, 0};
  for (uint32_t i = 0; i <= kObjects; ++i) {
    const uint32_t offset = i * static_cast<uint32_t>(object.size());
    for (int byte = 0; byte < 4; ++byte) value += static_cast<char>(offset >> (8 * byte));
  }
  for (uint32_t i = 0; i < kObjects; ++i) value += object;
  EXPECT_THROW(VariantToJson(metadata.span(), AsBytes(value)), Error);
}

}  // namespace
}  // namespace nunatak
