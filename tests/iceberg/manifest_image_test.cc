#include "nunatak/iceberg/manifest_image.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <vector>

#include "iceberg/errors.h"
#include "iceberg/memory_image.h"

namespace nunatak::iceberg {
namespace {

const std::array<std::string, 5> kPieces = {"base", "paths", "rest, ", "in two", "metrics"};

std::string Image(const std::string& key = "key") {
  const std::span<const std::string> pieces(kPieces);
  ImageWriter image(key, 3, 7);
  image.AddSection(SectionKind::kBase, 0, pieces.subspan(0, 1));
  image.AddSection(SectionKind::kPaths, 0, pieces.subspan(1, 1));
  image.AddSection(SectionKind::kRest, 0, pieces.subspan(2, 2));
  image.AddSection(SectionKind::kMetrics, 4, pieces.subspan(4, 1));
  image.AddSection(SectionKind::kMetrics, 9, {});
  return std::move(image).Finish();
}

void ExpectRefused(std::string image) {
  ErrorOf(ErrorCode::kInvalid, [&] { ReadImageHeader(MemoryImage(std::move(image))); });
}

/// Files outlive the process that wrote them: the sums may never change without a new version.
TEST(ManifestImage, ChecksumsStayTheSame) {
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes.push_back(static_cast<char>(i * 7));
  EXPECT_EQ(ImageChecksum({}), 0x35ed4e9f3e41a75cU);
  EXPECT_EQ(ImageChecksum(AsBytes("nunatak")), 0x5f4ed929b5c40629U);
  EXPECT_EQ(ImageChecksum(AsBytes("nunatak"), 1), 0x888abd7645009f4fU);
  EXPECT_EQ(ImageChecksum(AsBytes(bytes)), 0x0a8b01b5a8fd935aU);
}

TEST(ManifestImage, ChecksumsTellLengthsApart) {
  const std::string zeros(100, '\0');
  std::set<uint64_t> sums;
  for (size_t length = 0; length <= zeros.size(); ++length) {
    sums.insert(ImageChecksum(AsBytes(zeros).subspan(0, length)));
  }
  EXPECT_EQ(sums.size(), zeros.size() + 1);
}

TEST(ManifestImage, IsReadInPart) {
  for (const std::string& key : {std::string("key"), std::string(), std::string(10000, 'k')}) {
    const MemoryImage image(Image(key));
    const ImageHeader header = ReadImageHeader(image);
    EXPECT_EQ(header.key, key);
    EXPECT_EQ(header.entries, 3u);
    EXPECT_EQ(header.spec_id, 7);
    const auto text = [&](const ImageSection& section) {
      return std::string(AsText(ReadSection(image, section).bytes));
    };
    EXPECT_EQ(text(header.sections.at(1)), "paths");
    EXPECT_EQ(text(*header.FindMetrics(4)), "metrics");
    EXPECT_EQ(text(*header.FindMetrics(9)), "");
    EXPECT_EQ(header.FindMetrics(5), nullptr);
    EXPECT_EQ(header.FindMetrics(10), nullptr);
    const SectionBytes fixed = ReadSections(image, std::span(header.sections).first(3));
    EXPECT_EQ(AsText(fixed.bytes), "basepathsrest, in two");
  }
}

TEST(ManifestImage, ADamagedSectionSpoilsNoOther) {
  std::string bytes = Image();
  bytes[bytes.find("metrics")] = 'M';
  const MemoryImage image(bytes);
  const ImageHeader header = ReadImageHeader(image);
  EXPECT_EQ(AsText(ReadSection(image, header.sections.at(0)).bytes), "base");
  ErrorOf(ErrorCode::kInvalid, [&] { ReadSection(image, *header.FindMetrics(4)); });
}

TEST(ManifestImage, RefusesOtherFiles) {
  ExpectRefused("");
  ExpectRefused("PAR1");
  ExpectRefused(std::string(1000, '\0'));
  ExpectRefused(std::string(1000, '\xff'));
}

TEST(ManifestImage, RefusesHeadersThatCannotBe) {
  const auto change = [](size_t at, uint8_t value) {
    std::string image = Image();
    image[at] = static_cast<char>(value);
    ResealImage(&image);
    return image;
  };
  EXPECT_EQ(change(0, 'N'), Image());
  constexpr size_t kFirstSection = 48 + 3;
  constexpr size_t kSecondSection = kFirstSection + 32;
  constexpr size_t kFourthSection = kFirstSection + 3 * 32;
  ExpectRefused(change(0, 'n'));
  ExpectRefused(change(8, kImageVersion + 1));
  ExpectRefused(change(12, 1));  // the byte order
  ExpectRefused(change(16, 0));  // the size
  ExpectRefused(change(30, 1));  // more entries than bytes
  ExpectRefused(change(36, 4));  // the key's length
  ExpectRefused(change(39, 0xff));
  ExpectRefused(change(40, 2));  // sections missing
  ExpectRefused(change(40, 4));
  ExpectRefused(change(42, 0xff));
  ExpectRefused(change(kFirstSection, 1));       // its kind
  ExpectRefused(change(kFirstSection + 8, 0));   // its offset
  ExpectRefused(change(kFirstSection + 16, 5));  // its length
  ExpectRefused(change(kSecondSection, 2));
  ExpectRefused(change(kFourthSection + 4, 9));   // the same field twice
  ExpectRefused(change(kFourthSection + 4, 10));  // fields that descend
}

}  // namespace
}  // namespace nunatak::iceberg
