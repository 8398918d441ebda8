#include "nunatak/iceberg/gzip.h"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <vector>

#include "iceberg/errors.h"
#include "iceberg/metadata_texts.h"

namespace nunatak::iceberg {
namespace {

std::string Gzip(std::string_view text) {
  libdeflate_compressor* compressor = libdeflate_alloc_compressor(6);
  std::string out(libdeflate_gzip_compress_bound(compressor, text.size()), '\0');
  out.resize(
      libdeflate_gzip_compress(compressor, text.data(), text.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  return out;
}

TEST(GzipTest, InflatesOneMemberOrSeveral) {
  EXPECT_EQ(InflateGzip(AsBytes(Gzip("metadata"))), "metadata");
  EXPECT_EQ(InflateGzip(AsBytes(Gzip(""))), "");
  // The claimed size at the end is that of the last member alone.
  const std::string text(5000, 'x');
  EXPECT_EQ(InflateGzip(AsBytes(Gzip(text) + Gzip("") + Gzip("y"))), text + "y");
}

TEST(GzipTest, DamageIsAnError) {
  const std::string good = Gzip("the metadata of a table");
  for (size_t size = 1; size < good.size(); ++size) {
    ErrorOf(ErrorCode::kInvalid, [&] { InflateGzip(AsBytes(good.substr(0, size))); });
  }
  std::string bad_checksum = good;
  bad_checksum[good.size() - 8] ^= 1;
  ErrorOf(ErrorCode::kInvalid, [&] { InflateGzip(AsBytes(bad_checksum)); });
  ErrorOf(ErrorCode::kInvalid, [&] { InflateGzip(AsBytes(good + "trailing")); });
}

TEST(GzipTest, InflatesUpToTheStatedMultiple) {
  const std::string bomb = Gzip(std::string(10'000'000, '\0'));
  ASSERT_GT(10'000'000u, bomb.size() * kMaxGzipRatio);
  const std::string message = ErrorOf(ErrorCode::kInvalid, [&] { InflateGzip(AsBytes(bomb)); });
  EXPECT_NE(message.find("more than 256 times"), std::string::npos) << message;
}

TEST(GzipTest, MetadataIsToldApartByItsFirstBytes) {
  const std::string text = TextV2().dump();
  EXPECT_EQ(ParseTableMetadata(AsBytes(Gzip(text)))->location, "file:/lake/t");
  EXPECT_EQ(ParseTableMetadata(AsBytes(text))->location, "file:/lake/t");
}

}  // namespace
}  // namespace nunatak::iceberg
