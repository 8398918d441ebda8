#include "nunatak/delta/deletion_vector.h"

#include <fmt/format.h>

#include <array>

#include "nunatak/base/bytes.h"
#include "nunatak/base/error.h"
#include "nunatak/base/hash.h"
#include "nunatak/delta/file_path.h"
#include "nunatak/io/data_uri.h"
#include "nunatak/io/location.h"

namespace nunatak::delta {

namespace {

constexpr std::string_view kZ85Digits =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
/// A UUID's 16 bytes.
constexpr size_t kZ85Uuid = 20;
/// What a file has around a vector: its length before, a checksum behind.
constexpr int64_t kFrameBytes = 8;
/// Sums stay in range.
constexpr int64_t kMostDeleted = int64_t{1} << 40;
constexpr size_t kMaxInlineBytes = size_t{64} << 20;

void AppendBigEndian(uint32_t value, std::string* out) {
  for (int shift = 24; shift >= 0; shift -= 8) out->push_back(static_cast<char>(value >> shift));
}

/// An inline vector as it would lie in a file, so that one parser reads both.
std::string FramedInline(const DeletionVectorDescriptor& vector) {
  std::optional<std::string> bytes;
  if (vector.path_or_inline.size() <= kMaxInlineBytes) bytes = DecodeZ85(vector.path_or_inline);
  // Z85 pads to four bytes.
  if (!bytes || vector.size_in_bytes < 0 ||
      static_cast<size_t>(vector.size_in_bytes) > bytes->size()) {
    ThrowInvalid(fmt::format("pathOrInlineDv: not the Z85 text of {} bytes", vector.size_in_bytes));
  }
  bytes->resize(static_cast<size_t>(vector.size_in_bytes));
  std::string framed;
  AppendBigEndian(static_cast<uint32_t>(bytes->size()), &framed);
  framed += *bytes;
  AppendBigEndian(Crc32(AsBytes(*bytes)), &framed);
  return framed;
}

/// `<random prefix><UUID in Z85>` stands for `<prefix>/deletion_vector_<UUID>.bin`.
std::string RelativePath(std::string_view text) {
  const size_t prefix = text.size() < kZ85Uuid ? 0 : text.size() - kZ85Uuid;
  const std::optional<std::string> uuid = DecodeZ85(text.substr(prefix));
  if (!uuid || uuid->size() != 16) {
    ThrowInvalid(fmt::format("pathOrInlineDv: '{}' does not end in a UUID in Z85", text));
  }
  std::string hex;
  for (const uint8_t byte : AsBytes(*uuid)) hex += fmt::format("{:02x}", byte);
  const std::string_view digits = hex;
  const std::string name =
      fmt::format("deletion_vector_{}-{}-{}-{}-{}.bin", digits.substr(0, 8), digits.substr(8, 4),
                  digits.substr(12, 4), digits.substr(16, 4), digits.substr(20));
  return prefix == 0 ? name : JoinLocation(text.substr(0, prefix), name);
}

std::string LocationOf(const DeletionVectorDescriptor& vector, std::string_view root) {
  switch (vector.storage_type) {
    case 'u':
      return JoinLocation(root, RelativePath(vector.path_or_inline));
    case 'p':
      return ResolvePath(root, DecodePath(vector.path_or_inline));
    default:
      ThrowUnsupported(
          fmt::format("deletion vectors of storageType '{}' are not known", vector.storage_type));
  }
}

}  // namespace

void AppendUniqueId(const DeletionVectorDescriptor& vector, std::string* out) {
  out->push_back(vector.storage_type);
  out->append(vector.path_or_inline);
  if (vector.offset) fmt::format_to(std::back_inserter(*out), "@{}", *vector.offset);
}

std::shared_ptr<DeleteFile> DeleteFileOf(const DeletionVectorDescriptor& vector,
                                         std::string_view root, std::string_view data_path) {
  return WithContext(fmt::format("{}, deletionVector", data_path), [&] {
    if (vector.cardinality < 0 || vector.cardinality > kMostDeleted) {
      ThrowInvalid(fmt::format("cardinality: no file has {} rows", vector.cardinality));
    }
    auto deletes = std::make_shared<DeleteFile>();
    DataFile& file = deletes->file;
    file.content = FileContent::kPositionDeletes;
    // The blob is the one that Puffin files hold.
    file.file_format = FileFormat::kPuffin;
    file.record_count = vector.cardinality;
    file.referenced_data_file = std::string(data_path);
    if (vector.storage_type == 'i') {
      const std::string framed = FramedInline(vector);
      file.file_path = MakeDataUri(AsBytes(framed));
      file.content_offset = 0;
      file.content_size_in_bytes = static_cast<int64_t>(framed.size());
    } else {
      file.file_path = LocationOf(vector, root);
      file.content_offset = vector.offset.value_or(0);
      file.content_size_in_bytes = int64_t{vector.size_in_bytes} + kFrameBytes;
    }
    // How long the file is, nobody records; so much it has at least.
    file.file_size_in_bytes = *file.content_offset + *file.content_size_in_bytes;
    return deletes;
  });
}

std::optional<std::string> DecodeZ85(std::string_view text) {
  if (text.size() % 5 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 5 * 4);
  for (size_t i = 0; i < text.size(); i += 5) {
    const std::string_view group = text.substr(i, 5);
    const size_t padding = i + 5 == text.size() ? group.find_first_not_of('#') : 0;
    if (padding > 3) return std::nullopt;
    uint64_t value = 0;
    for (const char c : group.substr(padding)) {
      const size_t digit = kZ85Digits.find(c);
      if (digit == std::string_view::npos) return std::nullopt;
      value = value * 85 + digit;
    }
    if (value > UINT32_MAX >> 8 * padding) return std::nullopt;
    AppendBigEndian(static_cast<uint32_t>(value), &bytes);
    // As many bytes fewer as it is padded; they are the front ones of the number.
    bytes.erase(bytes.size() - 4, padding);
  }
  return bytes;
}

}  // namespace nunatak::delta
