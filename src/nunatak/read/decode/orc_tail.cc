#include "nunatak/read/decode/orc_tail.h"

#include <fmt/format.h>

#include <optional>

#include "nunatak/base/error.h"

namespace nunatak {

namespace {

constexpr uint64_t kFooterLengthField = 1;

/// A message in the encoding of protocol buffers.
class Message {
 public:
  explicit Message(ByteSpan bytes) : bytes_(bytes) {}

  /// The number in a field; nullopt when it is not there, or the message is malformed.
  std::optional<uint64_t> FindNumber(uint64_t field) {
    while (!bytes_.empty()) {
      const std::optional<uint64_t> key = Varint();
      if (!key) return std::nullopt;
      const uint64_t kind = *key & 7;
      // Numbers and sized values are all that a postscript has.
      if (kind != 0 && kind != 2) return std::nullopt;
      const std::optional<uint64_t> number = Varint();
      if (!number) return std::nullopt;
      if (kind == 0 && *key >> 3 == field) return number;
      if (kind == 0) continue;
      if (*number > bytes_.size()) return std::nullopt;
      bytes_ = bytes_.subspan(static_cast<size_t>(*number));
    }
    return std::nullopt;
  }

 private:
  std::optional<uint64_t> Varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const uint8_t byte = bytes_.front();
      bytes_ = bytes_.subspan(1);
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return std::nullopt;
  }

  ByteSpan bytes_;
};

}  // namespace

int64_t OrcTailSize(int64_t file_size, ByteSpan tail) {
  const size_t postscript_size = tail.empty() ? 0 : tail.back();
  if (postscript_size == 0 || postscript_size >= tail.size() ||
      !AsText(tail.first(tail.size() - 1)).ends_with("ORC")) {
    ThrowInvalid("not an ORC file: it does not end in a postscript",
                 "it may be cut short or of another format");
  }
  const ByteSpan postscript = tail.last(postscript_size + 1).first(postscript_size);
  const uint64_t footer = Message(postscript).FindNumber(kFooterLengthField).value_or(0);
  const auto after = static_cast<int64_t>(postscript_size) + 1;
  if (footer == 0 || footer > static_cast<uint64_t>(file_size - after)) {
    ThrowInvalid(fmt::format("footer of {} bytes before byte offset {}, in a file of {} bytes",
                             footer, file_size - after, file_size));
  }
  return static_cast<int64_t>(footer) + after;
}

}  // namespace nunatak
