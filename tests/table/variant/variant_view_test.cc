#include "nunatak/table/variant/variant_view.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/table/variant/variant_json.h"
#include "table/variant/variant_bytes.h"

namespace nunatak {
namespace {

struct Malformed {
  const char* what;
  VariantBytes metadata;
  VariantBytes value;
  std::string message;
  ErrorCode code = ErrorCode::kInvalid;
};

TEST(ValidateVariant, WhatIsMalformedIsSaid) {
  const VariantBytes names = {0x01, 2, 0, 1, 2, 'a', 'b'};
  const std::vector<Malformed> cases = {
      {"no metadata", {}, {0}, "malformed variant: its metadata is empty"},
      {"another version",
       {0x02, 0, 0},
       {0},
       "variant of encoding version 2",
       ErrorCode::kUnsupported},
      {"no dictionary size",
       {0xC1, 0, 0},
       {0},
       "malformed variant: the size of its dictionary takes 5 bytes, and has 3"},
      {"a dictionary beyond the bytes",
       {0x01, 200, 0},
       {0},
       "malformed variant: its dictionary takes 203 bytes, and has 3"},
      {"a dictionary of four gigabytes",
       {0xC1, 255, 255, 255, 255},
       {0},
       "malformed variant: its dictionary takes 17179869189 bytes, and has 5"},
      {"offsets that fall",
       {0x01, 2, 0, 2, 1, 'a', 'b'},
       {0},
       "malformed variant: name 2 begins at byte offset 1"},
      {"a first offset that is not 0",
       {0x01, 1, 1, 1, 'a'},
       {0},
       "malformed variant: name 0 begins at byte offset 1"},
      {"names beyond the bytes",
       {0x01, 1, 0, 3, 'a'},
       {0},
       "malformed variant: metadata takes 7 bytes, and has 5"},
      {"bytes after the names",
       {0x01, 1, 0, 1, 'a', 'b'},
       {0},
       "malformed variant: metadata takes 5 bytes, and has 6"},
      {"no value", kNoNames, {}, "malformed variant: a value has no bytes"},
      {"a type of the future",
       kNoNames,
       {21 << 2},
       "variant value of the primitive type 21",
       ErrorCode::kUnsupported},
      {"half a number",
       kNoNames,
       {6 << 2, 1, 2},
       "malformed variant: a value takes 9 bytes, and has 3"},
      {"half a length",
       kNoNames,
       {16 << 2, 1, 0},
       "malformed variant: a length takes 5 bytes, and has 3"},
      {"a long text",
       kNoNames,
       {16 << 2, 255, 255, 255, 255, 'x'},
       "malformed variant: a value takes 4294967300 bytes, and has 6"},
      {"half a short text",
       kNoNames,
       {9 << 2 | 1, 'x'},
       "malformed variant: a value takes 10 bytes, and has 2"},
      {"a scale beyond 38",
       kNoNames,
       {8 << 2, 39, 0, 0, 0, 0},
       "malformed variant: decimal of scale 39"},
      {"bytes after the value",
       kNoNames,
       {1 << 2, 0},
       "malformed variant: a value of 1 bytes is followed by 1 others"},
      {"an array without a size",
       kNoNames,
       {3},
       "malformed variant: the size of a nested value takes 2 bytes, and has 1"},
      {"an array of more than there is",
       kNoNames,
       {3, 9, 0, 1},
       "malformed variant: a nested value of 9 parts takes 12 bytes, and has 4"},
      {"an array of four billion",
       kNoNames,
       {1 << 4 | 3, 255, 255, 255, 255, 0},
       "malformed variant: a nested value of 4294967295 parts takes 4294967301 bytes, and has 6"},
      {"values beyond the bytes",
       kNoNames,
       {3, 1, 0, 9, 0},
       "malformed variant: a value takes 13 bytes, and has 5"},
      {"an element beyond the values",
       kNoNames,
       {3, 1, 7, 1, 0},
       "malformed variant: a nested value takes 7 bytes, and has 1"},
      {"an element that ends beyond the values",
       kNoNames,
       {3, 1, 0, 1, 3 << 2},
       "malformed variant: a value takes 2 bytes, and has 1"},
      {"two elements in one place",
       kNoNames,
       {3, 2, 0, 0, 1, 0},
       "malformed variant: nested values share bytes"},
      {"an id beyond the dictionary",
       names,
       {2, 1, 2, 0, 1, 0},
       "malformed variant: field id 2 in a dictionary of 2 names"},
  };
  for (const Malformed& c : cases) {
    SCOPED_TRACE(c.what);
    try {
      ValidateVariant(VariantMetadata(c.metadata.span()), c.value.span());
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), c.message);
      EXPECT_EQ(error.code(), c.code);
    }
  }
}

/// `depth` arrays around a null. Each has a count of 1, offsets of 4 bytes.
std::string NestedArrays(int depth) {
  std::string value(1, '\0');
  for (int i = 0; i < depth; ++i) {
    const auto size = static_cast<uint32_t>(value.size());
    std::string header = {3 << 2 | 3, 1, 0, 0, 0, 0};
    for (int byte = 0; byte < 4; ++byte) header += static_cast<char>(size >> (8 * byte));
    value = header + value;
  }
  return value;
}

TEST(ValidateVariant, DepthIsBounded) {
  const VariantMetadata metadata(kNoNames.span());
  const std::string deepest = NestedArrays(kMaxVariantDepth);
  ValidateVariant(metadata, AsBytes(deepest));
  EXPECT_EQ(VariantToJson(kNoNames.span(), AsBytes(deepest)).dump(),
            std::string(kMaxVariantDepth, '[') + "null" + std::string(kMaxVariantDepth, ']'));
  const std::string deeper = NestedArrays(kMaxVariantDepth + 1);
  EXPECT_THROW(ValidateVariant(metadata, AsBytes(deeper)), Error);
}

/// Every level refers to the next one 200 times: 200^30 values, if anyone went to look.
TEST(ValidateVariant, SharedBytesDoNotMultiply) {
  std::string value(1, '\0');
  for (int i = 0; i < 30; ++i) {
    const auto size = static_cast<uint32_t>(value.size());
    std::string header = {static_cast<char>(3 << 2 | 3), static_cast<char>(200)};
    header.append(200 * 4, '\0');
    for (int byte = 0; byte < 4; ++byte) header += static_cast<char>(size >> (8 * byte));
    value = header + value;
  }
  EXPECT_THROW(ValidateVariant(VariantMetadata(kNoNames.span()), AsBytes(value)), Error);
}

}  // namespace
}  // namespace nunatak
