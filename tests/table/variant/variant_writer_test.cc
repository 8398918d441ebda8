#include "nunatak/table/variant/variant_writer.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "table/variant/variant_bytes.h"

namespace nunatak {
namespace {

TEST(VariantWriter, WritesTheBytesOfTheEncoding) {
  struct Case {
    std::function<void(VariantWriter&)> write;
    VariantBytes bytes;
  };
  const std::vector<Case> cases = {
      {[](auto& w) { w.Null(); }, {0}},
      {[](auto& w) { w.Boolean(true); }, {1 << 2}},
      {[](auto& w) { w.Boolean(false); }, {2 << 2}},
      {[](auto& w) { w.Integer(VariantType::kInt8, -1); }, {3 << 2, 0xFF}},
      {[](auto& w) { w.Integer(VariantType::kInt16, 0x1234); }, {4 << 2, 0x34, 0x12}},
      {[](auto& w) { w.Integer(VariantType::kDate, -2); }, {11 << 2, 0xFE, 0xFF, 0xFF, 0xFF}},
      {[](auto& w) { w.Integer(VariantType::kTime, 1); }, {17 << 2, 1, 0, 0, 0, 0, 0, 0, 0}},
      {[](auto& w) { w.Real(VariantType::kFloat, 1); }, {14 << 2, 0, 0, 0x80, 0x3F}},
      {[](auto& w) { w.Real(VariantType::kDouble, 1); }, {7 << 2, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F}},
      {[](auto& w) { w.Decimal(VariantType::kDecimal4, -1, 3); },
       {8 << 2, 3, 0xFF, 0xFF, 0xFF, 0xFF}},
      {[](auto& w) { w.Decimal(VariantType::kDecimal16, Int128{1} << 64, 0); },
       VariantBytes({10 << 2, 0}).Bytes({0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0})},
      {[](auto& w) { w.Bytes(VariantType::kString, AsBytes("n/a")); },
       VariantBytes({13}).Text("n/a")},
      {[](auto& w) { w.Bytes(VariantType::kString, AsBytes(std::string(64, 'x'))); },
       VariantBytes({16 << 2, 64, 0, 0, 0}).Text(std::string(64, 'x'))},
      {[](auto& w) { w.Bytes(VariantType::kBinary, AsBytes("b")); }, {15 << 2, 1, 0, 0, 0, 'b'}},
      {[](auto& w) { w.Bytes(VariantType::kUuid, AsBytes("0123456789abcdef")); },
       VariantBytes({20 << 2}).Text("0123456789abcdef")},
      {[](auto& w) { w.FinishArray(w.position(), {}); }, {3, 0, 0}},
      {[](auto& w) { w.FinishObject(w.position(), {}); }, {2, 0, 0}},
  };
  for (const Case& c : cases) {
    std::string out;
    VariantWriter writer(&out);
    c.write(writer);
    EXPECT_EQ(ToHex(AsBytes(out)), ToHex(c.bytes.span()));
  }
}

TEST(VariantWriter, NestedValuesAreWrittenFromTheInsideOut) {
  std::string out;
  VariantWriter writer(&out);
  const size_t start = writer.position();
  const size_t b = writer.position();
  writer.Boolean(true);
  const size_t a = writer.position();
  const std::vector<size_t> elements = {writer.position()};
  writer.Null();
  writer.FinishArray(a, elements);
  const std::vector<VariantWriter::Field> fields = {{.id = 256, .start = a}, {.id = 0, .start = b}};
  writer.FinishObject(start, fields);
  // Ids take two bytes, offsets one; the value of "a" comes second.
  const VariantBytes expected = {1 << 4 | 2, 2, 0, 1, 0, 0, 1, 0, 6, 1 << 2, 3, 1, 0, 1, 0};
  EXPECT_EQ(ToHex(AsBytes(out)), ToHex(expected.span()));
}

TEST(VariantWriter, WidthsGrowWithWhatTheyHold) {
  std::string out;
  VariantWriter writer(&out);
  std::vector<size_t> starts;
  for (int i = 0; i < 256; ++i) {
    starts.push_back(writer.position());
    writer.Null();
  }
  writer.FinishArray(0, starts);
  // is_large and offsets of two bytes: 4 of count, 257 offsets, 256 nulls.
  EXPECT_EQ(static_cast<uint8_t>(out[0]), (1 << 2 | 1) << 2 | 3);
  EXPECT_EQ(out.size(), size_t{1 + 4 + 257 * 2 + 256});
  EXPECT_EQ(VariantView(AsBytes(out)).size(), 256U);
}

}  // namespace
}  // namespace nunatak
