#include "nunatak/iceberg/manifest_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "nunatak/base/error.h"

namespace nunatak::iceberg {
namespace {

constexpr std::string_view kMagic("NNKCOLS\0", 8);
constexpr uint32_t kByteOrder = 0x01020304;
constexpr size_t kFixedBytes = 48;
constexpr size_t kSectionBytes = 32;
constexpr size_t kChecksumBytes = sizeof(uint64_t);
constexpr size_t kFixedSections = 3;

/// Most headers are shorter, and read in one go.
constexpr size_t kFirstRead = 2048;

// Digits of pi: part of the format.
constexpr uint64_t kFirst = 0x243f6a8885a308d3U;
constexpr uint64_t kSecond = 0x13198a2e03707344U;
constexpr uint64_t kThird = 0xa4093822299f31d0U;

uint64_t Fold(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

template <typename T>
void Append(T value, std::string* out) {
  out->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

template <typename T>
T Load(ByteSpan bytes, size_t offset) {
  return LoadLittleEndian<T>(bytes.data() + offset);
}

/// The numbers before the key.
struct FixedPart {
  uint64_t key_bytes = 0;
  uint64_t section_count = 0;

  uint64_t header_bytes() const {
    return kFixedBytes + key_bytes + section_count * kSectionBytes + kChecksumBytes;
  }
};

FixedPart ReadFixedPart(ByteSpan bytes) {
  return {.key_bytes = Load<uint32_t>(bytes, 36), .section_count = Load<uint32_t>(bytes, 40)};
}

void CheckFixedPart(ByteSpan bytes, uint64_t file_size) {
  if (AsText(bytes.subspan(0, kMagic.size())) != kMagic) ThrowInvalid("not a manifest image");
  if (Load<uint32_t>(bytes, 8) != kImageVersion) ThrowInvalid("an image of another version");
  if (Load<uint32_t>(bytes, 12) != kByteOrder) ThrowInvalid("an image of another byte order");
  if (Load<uint64_t>(bytes, 16) != file_size) ThrowInvalid("an image of another size");
  // Every entry has a path, so that a false number cannot make a reader allocate much.
  if (Load<uint64_t>(bytes, 24) > file_size) ThrowInvalid("more entries than bytes");
}

ImageSection LoadSection(ByteSpan bytes) {
  return {.kind = static_cast<SectionKind>(Load<uint32_t>(bytes, 0)),
          .field_id = Load<int32_t>(bytes, 4),
          .offset = Load<uint64_t>(bytes, 8),
          .length = Load<uint64_t>(bytes, 16),
          .checksum = Load<uint64_t>(bytes, 24)};
}

/// The sections are those that the format names, in their order, and fill the rest of the file.
void CheckSections(const ImageHeader& header, uint64_t begin, uint64_t end) {
  const std::vector<ImageSection>& sections = header.sections;
  if (sections.size() < kFixedSections) ThrowInvalid("sections are missing");
  for (size_t i = 0; i < sections.size(); ++i) {
    const ImageSection& section = sections[i];
    const auto kind = static_cast<SectionKind>(std::min(i, kFixedSections));
    const bool ascends = i <= kFixedSections || sections[i - 1].field_id < section.field_id;
    if (section.kind != kind || !ascends) ThrowInvalid("sections out of order");
    if (section.offset != begin || section.length > end - begin) {
      ThrowInvalid(fmt::format("section {} lies elsewhere", i));
    }
    begin += section.length;
  }
  if (begin != end) ThrowInvalid("bytes that belong to no section");
}

/// With checksums to be filled in.
void AppendHeader(const ImageHeader& header, uint64_t file_size, std::string* out) {
  out->append(kMagic);
  Append(kImageVersion, out);
  Append(kByteOrder, out);
  Append(file_size, out);
  Append(header.entries, out);
  Append(header.spec_id, out);
  Append(static_cast<uint32_t>(header.key.size()), out);
  Append(static_cast<uint32_t>(header.sections.size()), out);
  Append(uint32_t{0}, out);
  out->append(header.key);
  for (const ImageSection& section : header.sections) {
    Append(section.kind, out);
    Append(section.field_id, out);
    Append(section.offset, out);
    Append(section.length, out);
    Append(section.checksum, out);
  }
  Append(uint64_t{0}, out);
}

SectionBytes ReadBytes(const ImageBytes& image, uint64_t offset, uint64_t length) {
  SectionBytes read;
  // One byte more, so that an empty section has an address too.
  read.owner = std::make_unique_for_overwrite<uint8_t[]>(length + 1);
  image.Read(offset, {read.owner.get(), length});
  read.bytes = {read.owner.get(), length};
  return read;
}

}  // namespace

uint64_t ImageChecksum(ByteSpan bytes, uint64_t seed) {
  const uint8_t* at = bytes.data();
  size_t left = bytes.size();
  uint64_t a = seed ^ kFirst;
  uint64_t b = seed ^ kSecond;
  for (; left >= 32; at += 32, left -= 32) {
    a = Fold(a ^ LoadLittleEndian<uint64_t>(at), kThird ^ LoadLittleEndian<uint64_t>(at + 8));
    b = Fold(b ^ LoadLittleEndian<uint64_t>(at + 16), kThird ^ LoadLittleEndian<uint64_t>(at + 24));
  }
  uint64_t last[4] = {0, 0, 0, 0};
  if (left > 0) std::memcpy(last, at, left);
  a = Fold(a ^ last[0], kThird ^ last[1]);
  b = Fold(b ^ last[2], kThird ^ last[3]);
  return Fold(a ^ kSecond, b ^ kFirst ^ bytes.size());
}

const ImageSection* ImageHeader::FindMetrics(int32_t field_id) const {
  const auto begin = sections.begin() + kFixedSections;
  const auto at = std::lower_bound(
      begin, sections.end(), field_id,
      [](const ImageSection& section, int32_t id) { return section.field_id < id; });
  return at != sections.end() && at->field_id == field_id ? &*at : nullptr;
}

ImageHeader ReadImageHeader(const ImageBytes& image) {
  const uint64_t file_size = image.size();
  if (file_size < kFixedBytes + kChecksumBytes) ThrowInvalid("shorter than a header");
  SectionBytes read = ReadBytes(image, 0, std::min<uint64_t>(file_size, kFirstRead));
  CheckFixedPart(read.bytes, file_size);
  const FixedPart fixed = ReadFixedPart(read.bytes);
  const uint64_t size = fixed.header_bytes();
  if (size > file_size) ThrowInvalid("the header is cut off");
  if (size > read.bytes.size()) read = ReadBytes(image, 0, size);
  const ByteSpan bytes = read.bytes.subspan(0, size);
  if (ImageChecksum(bytes.subspan(0, size - kChecksumBytes)) !=
      Load<uint64_t>(bytes, size - kChecksumBytes)) {
    ThrowInvalid("the header's checksum is wrong");
  }
  ImageHeader header;
  header.entries = Load<uint64_t>(bytes, 24);
  header.spec_id = Load<int32_t>(bytes, 32);
  header.key = AsText(bytes.subspan(kFixedBytes, fixed.key_bytes));
  for (uint64_t i = 0; i < fixed.section_count; ++i) {
    header.sections.push_back(
        LoadSection(bytes.subspan(kFixedBytes + fixed.key_bytes + i * kSectionBytes)));
  }
  CheckSections(header, size, file_size);
  return header;
}

SectionBytes ReadSections(const ImageBytes& image, std::span<const ImageSection> sections) {
  uint64_t length = 0;
  for (const ImageSection& section : sections) length += section.length;
  SectionBytes read = ReadBytes(image, sections.front().offset, length);
  for (const ImageSection& section : sections) {
    const ByteSpan bytes =
        read.bytes.subspan(section.offset - sections.front().offset, section.length);
    if (ImageChecksum(bytes) != section.checksum) ThrowInvalid("a section's checksum is wrong");
  }
  return read;
}

SectionBytes ReadSection(const ImageBytes& image, const ImageSection& section) {
  return ReadSections(image, {&section, 1});
}

ImageWriter::ImageWriter(std::string_view key, uint64_t entries, int32_t spec_id) {
  header_.entries = entries;
  header_.spec_id = spec_id;
  header_.key = key;
}

void ImageWriter::AddSection(SectionKind kind, int32_t field_id,
                             std::span<const std::string> pieces) {
  uint64_t length = 0;
  for (const std::string& piece : pieces) length += piece.size();
  header_.sections.push_back({.kind = kind, .field_id = field_id, .length = length});
  pieces_.push_back(pieces);
}

std::string ImageWriter::Finish() && {
  const FixedPart fixed{.key_bytes = header_.key.size(), .section_count = header_.sections.size()};
  uint64_t size = fixed.header_bytes();
  for (ImageSection& section : header_.sections) {
    section.offset = size;
    size += section.length;
  }
  std::string image;
  image.reserve(size);
  AppendHeader(header_, size, &image);
  for (const std::span<const std::string> pieces : pieces_) {
    for (const std::string& piece : pieces) image += piece;
  }
  ResealImage(&image);
  return image;
}

void ResealImage(std::string* image) {
  if (image->size() < kFixedBytes + kChecksumBytes) return;
  const ByteSpan bytes = AsBytes(*image);
  const FixedPart fixed = ReadFixedPart(bytes);
  const uint64_t size = fixed.header_bytes();
  if (size > bytes.size()) return;
  const auto store = [image](uint64_t offset, uint64_t value) {
    std::memcpy(image->data() + offset, &value, sizeof(value));
  };
  for (uint64_t i = 0; i < fixed.section_count; ++i) {
    const uint64_t at = kFixedBytes + fixed.key_bytes + i * kSectionBytes;
    const ImageSection section = LoadSection(bytes.subspan(at));
    if (section.offset > bytes.size() || section.length > bytes.size() - section.offset) continue;
    store(at + 24, ImageChecksum(bytes.subspan(section.offset, section.length)));
  }
  store(size - kChecksumBytes, ImageChecksum(bytes.subspan(0, size - kChecksumBytes)));
}

}  // namespace nunatak::iceberg
