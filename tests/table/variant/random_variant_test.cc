#include "table/variant/random_variant.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "nunatak/base/error.h"
#include "nunatak/table/variant/variant_json.h"
#include "nunatak/table/variant/variant_view.h"
#include "nunatak/table/variant/variant_writer.h"

namespace nunatak {
namespace {

constexpr uint64_t kSeed = 20260114;
constexpr int kCases = 2000;

/// The value again, as `VariantWriter` encodes it.
void Rewrite(const VariantMetadata& metadata, const VariantView& value, VariantWriter& writer) {
  if (!value.is_nested()) return writer.Encoded(value.bytes());
  const size_t start = writer.position();
  std::vector<size_t> starts;
  std::vector<VariantWriter::Field> fields;
  for (uint32_t i = 0; i < value.size(); ++i) {
    starts.push_back(writer.position());
    if (value.type() == VariantType::kObject) fields.push_back({value.FieldId(i), starts.back()});
    Rewrite(metadata, value.At(i), writer);
  }
  if (value.type() == VariantType::kObject) return writer.FinishObject(start, fields);
  writer.FinishArray(start, starts);
}

TEST(RandomVariant, IsReadAsItWasMeantAndWrittenAgain) {
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < kCases; ++i) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", case " + std::to_string(i));
    const RandomVariant variant = MakeRandomVariant(random);
    const ByteSpan metadata = AsBytes(variant.metadata);
    ASSERT_EQ(VariantToJson(metadata, AsBytes(variant.value)), variant.json);
    std::string again;
    VariantWriter writer(&again);
    Rewrite(VariantMetadata(metadata), VariantView(AsBytes(variant.value)), writer);
    ASSERT_EQ(VariantToJson(metadata, AsBytes(again)), variant.json);
  }
}

TEST(RandomVariant, DamagedBytesAreReadOrRefused) {
  std::mt19937_64 random(kSeed);
  int refused = 0;
  for (int i = 0; i < kCases; ++i) {
    RandomVariant variant = MakeRandomVariant(random);
    std::string& damaged = random() % 3 == 0 ? variant.metadata : variant.value;
    if (random() % 2 == 0) {
      damaged.resize(random() % damaged.size());
    } else {
      damaged[random() % damaged.size()] ^= static_cast<char>(1 << (random() % 8));
    }
    try {
      VariantToJson(AsBytes(variant.metadata), AsBytes(variant.value));
    } catch (const Error& error) {
      ++refused;
      EXPECT_NE(error.message().find("variant"), std::string::npos) << error.message();
    }
  }
  // Cutting bytes off is always noticed.
  EXPECT_GT(refused, kCases / 3);
}

}  // namespace
}  // namespace nunatak
