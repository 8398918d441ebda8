#include "nunatak/io/data_uri.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <vector>

#include "nunatak/base/error.h"

namespace nunatak {

namespace {

constexpr std::string_view kPrefix = "data:;base64,";
constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kNoDigit = 0xff;

std::array<uint8_t, 256> MakeDigitValues() {
  std::array<uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (size_t i = 0; i < kDigits.size(); ++i) {
    values[static_cast<uint8_t>(kDigits[i])] = static_cast<uint8_t>(i);
  }
  return values;
}

std::vector<uint8_t> DecodeBase64(std::string_view text) {
  static const std::array<uint8_t, 256> kValues = MakeDigitValues();
  while (text.ends_with('=')) text.remove_suffix(1);
  std::vector<uint8_t> bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const uint8_t digit = kValues[static_cast<uint8_t>(c)];
    if (digit == kNoDigit) ThrowInvalid("a data: location is not base64");
    bits = bits << 6 | digit;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<uint8_t>(bits >> count));
  }
  return bytes;
}

}  // namespace

bool IsDataUri(std::string_view location) { return location.starts_with(kPrefix); }

std::string MakeDataUri(ByteSpan bytes) {
  std::string text(kPrefix);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t left = bytes.size() - i;
    const uint32_t bits = uint32_t{bytes[i]} << 16 | (left > 1 ? uint32_t{bytes[i + 1]} << 8 : 0) |
                          (left > 2 ? bytes[i + 2] : 0);
    for (size_t digit = 0; digit < 4; ++digit) {
      text.push_back(digit > left ? '=' : kDigits[bits >> (18 - 6 * digit) & 63]);
    }
  }
  return text;
}

Buffer ReadDataUri(std::string_view location, std::optional<ByteRange> range) {
  Buffer all = Buffer::From(DecodeBase64(location.substr(kPrefix.size())));
  if (!range) return all;
  const auto size = static_cast<int64_t>(all.size());
  if (range->offset < 0 || range->length < 0 || range->offset > size ||
      range->length > size - range->offset) {
    ThrowInvalid(fmt::format("{} bytes at offset {} lie outside a data: location of {} bytes",
                             range->length, range->offset, size));
  }
  return Buffer{
      all.bytes.subspan(static_cast<size_t>(range->offset), static_cast<size_t>(range->length)),
      all.owner};
}

}  // namespace nunatak
