#include "nunatak/read/decode/pages/page_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/pages/bit_unpack.h"
#include "nunatak/read/decode/pages/byte_stream_split.h"
#include "nunatak/read/decode/pages/delta_integers.h"
#include "nunatak/read/decode/pages/delta_texts.h"
#include "nunatak/read/decode/pages/rle_decoder.h"

namespace nunatak {

namespace {

/// Numbers are decoded in pieces that stay in the nearest cache.
constexpr int64_t kPiece = 1024;

/// Indices into a dictionary; booleans in runs.
class NumberedValues final : public PageValues {
 public:
  explicit NumberedValues(RleDecoder numbers) : numbers_(numbers) {}

  void Skip(int64_t count) override { numbers_.Skip(count); }

  void Append(int64_t count, ValueOutput* output) override {
    std::array<uint32_t, kPiece> piece;
    for (; count > 0; count -= std::min(count, kPiece)) {
      const std::span<uint32_t> numbers =
          std::span(piece).first(static_cast<size_t>(std::min(count, kPiece)));
      numbers_.Read(numbers);
      output->AppendIndices(numbers);
    }
  }

 private:
  RleDecoder numbers_;
};

/// Booleans that are a bit each.
class PlainBooleans final : public PageValues {
 public:
  explicit PlainBooleans(ByteSpan bits) : bits_(bits) {}

  void Skip(int64_t count) override {
    const auto left = static_cast<int64_t>(bits_.size()) * 8 - next_;
    if (count > left) ThrowInvalid("a page has fewer booleans than values");
    next_ += count;
  }

  void Append(int64_t count, ValueOutput* output) override {
    std::vector<uint32_t> values(static_cast<size_t>(count));
    const auto first = static_cast<size_t>(next_);
    Skip(count);
    UnpackBits(bits_, 1, first, values);
    output->AppendIndices(values);
  }

 private:
  ByteSpan bits_;
  int64_t next_ = 0;
};

class PlainValues final : public PageValues {
 public:
  PlainValues(ByteSpan bytes, const ValueOutput& output) : rest_(bytes), output_(output) {}
  /// Values that were decoded to the plain encoding.
  PlainValues(std::vector<uint8_t> bytes, const ValueOutput& output)
      : decoded_(std::move(bytes)), rest_(decoded_), output_(output) {}

  void Skip(int64_t count) override { output_.SkipPlain(count, &rest_); }
  void Append(int64_t count, ValueOutput* output) override { output->AppendPlain(count, &rest_); }

 private:
  std::vector<uint8_t> decoded_;
  ByteSpan rest_;
  const ValueOutput& output_;
};

RleDecoder Indices(ByteSpan bytes) {
  if (bytes.empty()) return {};
  return {bytes.subspan(1), bytes[0]};
}

/// Runs of booleans begin with their length.
RleDecoder BooleanRuns(ByteSpan bytes) {
  if (bytes.size() < sizeof(uint32_t)) ThrowInvalid("a page of booleans without their length");
  const size_t size = LoadLittleEndian<uint32_t>(bytes.data());
  bytes = bytes.subspan(sizeof(uint32_t));
  if (size > bytes.size()) {
    ThrowInvalid(
        fmt::format("{} bytes of booleans in a page that has {} left", size, bytes.size()));
  }
  return {bytes.first(size), 1};
}

}  // namespace

bool CanReadPage(PlainLayout layout, PageEncoding encoding) {
  using Kind = PlainLayout::Kind;
  switch (encoding) {
    case PageEncoding::kPlain:
      return true;
    case PageEncoding::kPlainDictionary:
    case PageEncoding::kRleDictionary:
      return layout.kind != Kind::kBoolean;
    case PageEncoding::kRle:
      return layout.kind == Kind::kBoolean;
    case PageEncoding::kDeltaBinaryPacked:
      return layout.kind == Kind::kFixed && (layout.width == 4 || layout.width == 8);
    case PageEncoding::kDeltaLengthByteArray:
      return layout.kind == Kind::kText;
    case PageEncoding::kDeltaByteArray:
      return layout.kind == Kind::kText;
    case PageEncoding::kByteStreamSplit:
      return layout.kind == Kind::kFixed;
    default:
      return false;
  }
}

std::unique_ptr<PageValues> MakePageValues(PlainLayout layout, PageEncoding encoding,
                                           ByteSpan bytes, int64_t count,
                                           const ValueOutput& output) {
  switch (encoding) {
    case PageEncoding::kPlainDictionary:
    case PageEncoding::kRleDictionary:
      return std::make_unique<NumberedValues>(Indices(bytes));
    case PageEncoding::kRle:
      return std::make_unique<NumberedValues>(BooleanRuns(bytes));
    case PageEncoding::kDeltaBinaryPacked:
      return std::make_unique<PlainValues>(PlainFromDeltas(bytes, layout.width, count), output);
    case PageEncoding::kDeltaLengthByteArray:
      return std::make_unique<PlainValues>(PlainFromDeltaLengths(bytes, count), output);
    case PageEncoding::kDeltaByteArray:
      return std::make_unique<PlainValues>(PlainFromDeltaTexts(bytes, count), output);
    case PageEncoding::kByteStreamSplit:
      return std::make_unique<PlainValues>(PlainFromStreams(bytes, layout.width), output);
    default:
      if (layout.kind == PlainLayout::Kind::kBoolean) return std::make_unique<PlainBooleans>(bytes);
      return std::make_unique<PlainValues>(bytes, output);
  }
}

}  // namespace nunatak
