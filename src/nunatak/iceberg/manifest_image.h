#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/bytes.h"

namespace nunatak::iceberg {

/// A decoded manifest as a file: the columns that planning sweeps over, ready to be read without
/// the manifest and in part. It stands for what one version of this code made of one manifest, on
/// one machine; nobody is to rely on the form.
///
///     "NNKCOLS\0"         8 bytes
///     version             u32   `kImageVersion`
///     byte order          u32   0x01020304, as the machine stores it
///     size of the file    u64
///     number of entries   u64
///     spec id             i32
///     length of the key   u32
///     number of sections  u32
///     zero                u32
///     the key             what the columns depend on, in full
///     sections            kind u32, field id i32, offset u64, length u64, checksum u64 each
///     checksum            u64   of all that comes before it
///     the sections, one behind the other: base, paths, rest, and metrics by ascending field id
///
/// All numbers are little-endian.
constexpr uint32_t kImageVersion = 2;

/// What a section holds. All but the last are in every image, once and in this order.
enum class SectionKind : uint32_t {
  /// What every plan needs: contents, counts, sizes, sequence numbers, partition tuples.
  kBase,
  kPaths,
  /// What it takes to make `DataFile`s, but for their metrics.
  kRest,
  /// The metrics of one field.
  kMetrics,
};

struct ImageSection {
  SectionKind kind = SectionKind::kBase;
  int32_t field_id = 0;
  uint64_t offset = 0;
  uint64_t length = 0;
  uint64_t checksum = 0;

  friend bool operator==(const ImageSection&, const ImageSection&) = default;
};

/// How many bytes the column size of an entry takes at least, in the metrics of a field: so that
/// metrics, which take memory when files are made of them, never cost an image nothing.
constexpr int kLeastSizeWidth = 1;

/// What says which manifest an image is of.
struct ImageHeader {
  uint64_t entries = 0;
  int32_t spec_id = 0;
  std::string key;
  std::vector<ImageSection> sections;

  /// Null when no section has the metrics of the field.
  const ImageSection* FindMetrics(int32_t field_id) const;

  friend bool operator==(const ImageHeader&, const ImageHeader&) = default;
};

/// The checksum of the format: 64 bits that stay the same for ever, 32 bytes a step. No defence
/// against bytes that were chosen to collide; equal seeds give equal sums.
uint64_t ImageChecksum(ByteSpan bytes, uint64_t seed = 0);

/// Where the bytes of an image lie.
class ImageBytes {
 public:
  virtual ~ImageBytes() = default;
  virtual uint64_t size() const = 0;
  /// Copies bytes that lie within `size()`; throws when they cannot be had.
  virtual void Read(uint64_t offset, std::span<uint8_t> to) const = 0;
};

/// Bytes of a section that `Read` verified.
struct SectionBytes {
  std::unique_ptr<uint8_t[]> owner;
  ByteSpan bytes;
};

/// Reads and verifies: anything odd is `ErrorCode::kInvalid`.
ImageHeader ReadImageHeader(const ImageBytes& image);
SectionBytes ReadSection(const ImageBytes& image, const ImageSection& section);
/// Several sections that lie behind one another, at once; one `SectionBytes` for all of them.
SectionBytes ReadSections(const ImageBytes& image, std::span<const ImageSection> sections);

/// Puts an image together.
class ImageWriter {
 public:
  ImageWriter(std::string_view key, uint64_t entries, int32_t spec_id);

  /// The bytes of the section are the pieces, one behind the other. They must stay until `Finish`.
  void AddSection(SectionKind kind, int32_t field_id, std::span<const std::string> pieces);
  std::string Finish() &&;

 private:
  ImageHeader header_;
  std::vector<std::span<const std::string>> pieces_;
};

/// Computes all checksums of an image, as far as its header makes sense. (Tests damage what lies
/// behind the checksums.)
void ResealImage(std::string* image);

}  // namespace nunatak::iceberg
