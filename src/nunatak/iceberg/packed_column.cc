#include "nunatak/iceberg/packed_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "nunatak/base/error.h"

namespace nunatak::iceberg {
namespace {

constexpr int64_t kMaxInt64 = std::numeric_limits<int64_t>::max();

/// The greatest distance that a width holds.
uint64_t MaxDistance(int width) {
  return width == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * width) - 1;
}

/// Whether every distance of the width leads to a 64-bit integer.
bool CannotOverflow(int64_t least, int width) {
  return width < 8 && (least < 0 || MaxDistance(width) <= static_cast<uint64_t>(kMaxInt64 - least));
}

int WidthFor(int64_t least, int64_t most, int least_width) {
  const uint64_t distance = static_cast<uint64_t>(most) - static_cast<uint64_t>(least);
  for (const int width : {0, 1, 2, 4}) {
    if (width >= least_width && distance <= MaxDistance(width) && CannotOverflow(least, width))
      return width;
  }
  return 8;
}

template <typename Stored>
void AppendDistances(std::span<const int64_t> values, int64_t least, std::string* out) {
  const size_t start = out->size();
  out->resize(start + values.size() * sizeof(Stored));
  char* to = out->data() + start;
  for (const int64_t value : values) {
    const auto distance =
        static_cast<Stored>(static_cast<uint64_t>(value) - static_cast<uint64_t>(least));
    std::memcpy(to, &distance, sizeof(Stored));
    to += sizeof(Stored);
  }
}

}  // namespace

void PackedIntegers::Append(std::span<const int64_t> values, std::string* out, int least_width) {
  int64_t least = values.empty() ? 0 : values[0];
  int64_t most = least;
  for (const int64_t value : values) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  const int width = WidthFor(least, most, least_width);
  out->push_back(static_cast<char>(width));
  out->append(reinterpret_cast<const char*>(&least), sizeof(least));
  switch (width) {
    case 0:
      return;
    case 1:
      return AppendDistances<uint8_t>(values, least, out);
    case 2:
      return AppendDistances<uint16_t>(values, least, out);
    case 4:
      return AppendDistances<uint32_t>(values, least, out);
    default:
      return AppendDistances<uint64_t>(values, least, out);
  }
}

PackedIntegers PackedIntegers::Read(size_t count, TaskBytesReader* in, int least_width) {
  PackedIntegers read;
  const uint8_t width = in->Byte();
  if (width > 8 || (width & (width - 1)) != 0 || width < least_width)
    in->Fail(fmt::format("integers of {} bytes", width));
  read.width_ = width;
  const auto least = LoadLittleEndian<int64_t>(in->Bytes(sizeof(int64_t), "the least").data());
  if (width < 8 && !CannotOverflow(least, width)) in->Fail("integers beyond 64 bits");
  if (width > 0 && count > in->remaining() / width) in->Fail("fewer integers than rows");
  read.least_ = static_cast<uint64_t>(least);
  read.count_ = count;
  read.data_ = in->Bytes(count * width, "integers").data();
  return read;
}

void PackedIntegers::Require(int64_t least, int64_t most, std::string_view what) const {
  if (count_ == 0) return;
  const auto first = static_cast<int64_t>(least_);
  if (width_ < 8 && first >= least && first <= most &&
      MaxDistance(width_) <= static_cast<uint64_t>(most) - least_) {
    return;
  }
  for (size_t i = 0; i < count_; ++i) {
    const int64_t value = (*this)[i];
    if (value < least || value > most) ThrowInvalid(fmt::format("{} {}", what, value));
  }
}

void OptionalIntegers::Append(std::span<const std::optional<int64_t>> values, std::string* out) {
  std::vector<int64_t> present;
  std::vector<int64_t> numbers;
  for (const std::optional<int64_t>& value : values) {
    present.push_back(value ? 1 : 0);
    numbers.push_back(value.value_or(0));
  }
  PackedIntegers::Append(present, out);
  PackedIntegers::Append(numbers, out);
}

OptionalIntegers OptionalIntegers::Read(size_t count, TaskBytesReader* in) {
  OptionalIntegers read;
  read.present_ = PackedIntegers::Read(count, in);
  read.values_ = PackedIntegers::Read(count, in);
  return read;
}

void ItemRanges::Builder::Reserve(size_t rows) {
  present_.reserve(rows);
  ends_.reserve(rows + 1);
}

void ItemRanges::Builder::Add(bool present, size_t items) {
  present_.push_back(present ? 1 : 0);
  ends_.push_back(ends_.back() + static_cast<int64_t>(items));
}

void ItemRanges::Builder::AppendTo(std::string* out) const {
  PackedIntegers::Append(present_, out);
  PackedIntegers::Append(ends_, out);
}

ItemRanges ItemRanges::Read(size_t count, TaskBytesReader* in) {
  ItemRanges read;
  read.present_ = PackedIntegers::Read(count, in);
  read.bounds_ = PackedIntegers::Read(count + 1, in);
  int64_t previous = 0;
  bool ordered = read.bounds_[0] == 0;
  for (size_t i = 0; i <= count; ++i) {
    ordered &= read.bounds_[i] >= previous;
    previous = read.bounds_[i];
  }
  if (!ordered) in->Fail("ranges of items out of order");
  return read;
}

void PackedTexts::Builder::Add(std::string_view text) {
  ranges_.Add(true, text.size());
  bytes_ += text;
}

void PackedTexts::Builder::AppendTo(std::string* out) const {
  ranges_.AppendTo(out);
  out->append(bytes_);
}

void PackedTexts::Append(std::span<const ByteSpan> texts, std::string* out) {
  ItemRanges::Builder ranges;
  ranges.Reserve(texts.size());
  size_t size = 0;
  for (const ByteSpan text : texts) {
    ranges.Add(text.data() != nullptr, text.size());
    size += text.size();
  }
  ranges.AppendTo(out);
  const size_t start = out->size();
  out->resize(start + size);
  char* to = out->data() + start;
  for (const ByteSpan text : texts) {
    if (text.size() == sizeof(int64_t)) {
      std::memcpy(to, text.data(), sizeof(int64_t));  // Most are, and this calls nothing.
    } else if (!text.empty()) {
      std::memcpy(to, text.data(), text.size());
    }
    to += text.size();
  }
}

PackedTexts PackedTexts::Read(size_t count, TaskBytesReader* in) {
  PackedTexts read;
  read.ranges_ = ItemRanges::Read(count, in);
  read.bytes_ = in->Bytes(read.ranges_.items(), "texts").data();
  return read;
}

void PackedLists::Builder::AppendTo(std::string* out) const {
  ranges_.AppendTo(out);
  PackedIntegers::Append(values_, out, /*least_width=*/1);
}

PackedLists PackedLists::Read(size_t count, TaskBytesReader* in) {
  PackedLists read;
  read.ranges_ = ItemRanges::Read(count, in);
  // Whoever makes a list of the values allocates, which must not cost an image nothing.
  read.values_ = PackedIntegers::Read(read.ranges_.items(), in, /*least_width=*/1);
  return read;
}

}  // namespace nunatak::iceberg
