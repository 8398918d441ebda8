#include "nunatak/iceberg/puffin.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <array>

#include "nunatak/base/error.h"
#include "nunatak/base/json.h"
#include "nunatak/iceberg/snapshot_json.h"

namespace nunatak::iceberg {

namespace {

// A footer: magic, payload, then this tail of payload size, flags (4 bytes each) and magic.
constexpr std::string_view kMagic = "PFA1";
constexpr int64_t kMagicSize = 4;
constexpr int64_t kTailSize = 12;
constexpr int64_t kMinFooterSize = kMagicSize + kTailSize;
constexpr int64_t kMinFileSize = kMagicSize + kMinFooterSize;
constexpr uint32_t kFlagCompressed = 1;
/// Enough for the footers of most files, so that one request gets them.
constexpr int64_t kFirstRead = 16 * 1024;
constexpr uint64_t kMaxZstdRatio = 1024;

PuffinBlob BlobFromJson(Json json) {
  const JsonObject object = json.Object();
  return PuffinBlob{.type = object.String("type"),
                    .fields = FindInt32List(object, "fields"),
                    .snapshot_id = object.Int64("snapshot-id"),
                    .sequence_number = object.Int64("sequence-number"),
                    .offset = object.Int64("offset"),
                    .length = object.Int64("length"),
                    .compression_codec = object.FindString("compression-codec"),
                    .properties = FindStringMap(object, "properties")};
}

/// Blobs lie between the leading magic and the footer.
void CheckBlobRange(const PuffinBlob& blob, int64_t footer_begin) {
  if (blob.offset < kMagicSize || blob.length < 0 || blob.length > footer_begin ||
      blob.offset > footer_begin - blob.length) {
    ThrowInvalid(
        fmt::format("offset {} and length {} do not lie between byte {} and the footer at "
                    "byte {}",
                    blob.offset, blob.length, kMagicSize, footer_begin));
  }
}

PuffinFooter ParsePayload(std::string_view payload, int64_t footer_begin) {
  const JsonDocument document = JsonDocument::Parse(payload);
  const JsonObject json = document.root().Object();
  PuffinFooter footer;
  footer.properties = FindStringMap(json, "properties");
  json.At("blobs");
  json.ForEachIn("blobs", [&](Json item) {
    footer.blobs.push_back(BlobFromJson(item));
    CheckBlobRange(footer.blobs.back(), footer_begin);
  });
  return footer;
}

void CheckMagic(ByteSpan bytes, int64_t file_offset) {
  if (AsText(bytes) == kMagic) return;
  ThrowInvalid(
      fmt::format("byte {}: not a Puffin file: the magic bytes are {}", file_offset, ToHex(bytes)));
}

/// Bytes of the footer, by the tail at the end of `bytes`, which is the end of a file.
int64_t FooterSize(ByteSpan bytes, int64_t file_size) {
  if (file_size < kMinFileSize) {
    ThrowInvalid(fmt::format("a Puffin file cannot have {} bytes", file_size));
  }
  const ByteSpan tail = bytes.last(kTailSize);
  CheckMagic(tail.last(kMagicSize), file_size - kMagicSize);
  const auto payload = LoadLittleEndian<int32_t>(tail.data());
  if (payload < 0 || payload > file_size - kMinFileSize) {
    ThrowInvalid(fmt::format("byte {}: a footer payload of {} bytes does not fit into {} bytes",
                             file_size - kTailSize, payload, file_size));
  }
  const auto flags = LoadLittleEndian<uint32_t>(tail.data() + 4);
  if (flags & kFlagCompressed) ThrowUnsupported("the Puffin footer is compressed with lz4");
  if (flags != 0) ThrowUnsupported(fmt::format("unknown Puffin footer flags {:#x}", flags));
  return payload + kMinFooterSize;
}

/// Parses the footer at the end of `bytes`, which holds all of it.
PuffinFooter ParseFooter(ByteSpan bytes, int64_t footer_size, int64_t file_size) {
  if (static_cast<int64_t>(bytes.size()) < footer_size) {
    ThrowInvalid("the file became shorter while it was read");
  }
  const ByteSpan footer = bytes.last(static_cast<size_t>(footer_size));
  const int64_t footer_begin = file_size - footer_size;
  CheckMagic(footer.first(kMagicSize), footer_begin);
  const ByteSpan payload =
      footer.subspan(kMagicSize, static_cast<size_t>(footer_size - kMinFooterSize));
  PuffinFooter parsed = WithContext(fmt::format("footer at byte {}", footer_begin),
                                    [&] { return ParsePayload(AsText(payload), footer_begin); });
  parsed.footer_size = footer_size;
  return parsed;
}

Buffer ReadRange(FileIO& io, const std::string& location, ByteRange range) {
  const std::array<FetchRequest, 1> requests = {FetchRequest{location, range}};
  Buffer bytes;
  io.Fetch(Context(), requests, [&](size_t, Buffer got) { bytes = std::move(got); });
  return bytes;
}

Buffer InflateZstd(ByteSpan bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_ERROR) ThrowInvalid("not a zstd frame");
  if (size == ZSTD_CONTENTSIZE_UNKNOWN) ThrowInvalid("the zstd frame does not state its size");
  if (size > bytes.size() * kMaxZstdRatio) {
    ThrowInvalid(fmt::format("{} zstd bytes say they inflate to {}, more than {} times as many",
                             bytes.size(), size, kMaxZstdRatio));
  }
  std::vector<uint8_t> out(size);
  const size_t got = ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(got) || got != size) ThrowInvalid("the zstd data is damaged");
  return Buffer::From(std::move(out));
}

}  // namespace

PuffinFooter ParsePuffinFooter(ByteSpan file) {
  const auto size = static_cast<int64_t>(file.size());
  const int64_t footer_size = FooterSize(file, size);
  CheckMagic(file.first(kMagicSize), 0);
  return ParseFooter(file, footer_size, size);
}

PuffinFooter ReadPuffinFooter(FileIO& io, const std::string& location) {
  int64_t size = 0;
  Buffer tail = io.ReadTail(location, kFirstRead, &size);
  const int64_t footer_size = WithContext(location, [&] { return FooterSize(tail.bytes, size); });
  if (footer_size > kFirstRead) tail = io.ReadTail(location, footer_size, &size);
  const bool whole = static_cast<int64_t>(tail.size()) == size;
  const Buffer head = whole ? tail : ReadRange(io, location, {0, kMagicSize});
  return WithContext(location, [&] {
    CheckMagic(head.bytes.first(kMagicSize), 0);
    return ParseFooter(tail.bytes, footer_size, size);
  });
}

Buffer ReadBlob(FileIO& io, const std::string& location, const PuffinBlob& blob) {
  Buffer stored = ReadRange(io, location, {blob.offset, blob.length});
  if (!blob.compression_codec) return stored;
  return WithContext(fmt::format("{}: blob at byte {}", location, blob.offset), [&] {
    if (*blob.compression_codec == "zstd") return InflateZstd(stored.bytes);
    ThrowUnsupported(
        fmt::format("compression codec '{}' is not supported", *blob.compression_codec));
  });
}

}  // namespace nunatak::iceberg
