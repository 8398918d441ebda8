#include "nunatak/read/decode/pages/delta_texts.h"

#include <fmt/format.h>

#include <algorithm>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/pages/delta_integers.h"

namespace nunatak {

namespace {

constexpr size_t kMaxPlainBytes = size_t{1} << 30;

/// The texts behind their lengths.
class DeltaLengths {
 public:
  DeltaLengths(ByteSpan bytes, int64_t max_count) {
    DeltaIntegers lengths = ReadDeltaIntegers(bytes, max_count);
    lengths_ = std::move(lengths.values);
    rest_ = bytes.subspan(lengths.bytes_read);
  }

  size_t size() const { return lengths_.size(); }

  ByteSpan Next() {
    const int64_t length = lengths_[next_++];
    if (length < 0 || static_cast<uint64_t>(length) > rest_.size()) {
      ThrowInvalid(fmt::format("a text of {} bytes, where {} are left", length, rest_.size()));
    }
    const ByteSpan text = rest_.first(static_cast<size_t>(length));
    rest_ = rest_.subspan(text.size());
    return text;
  }

 private:
  std::vector<int64_t> lengths_;
  ByteSpan rest_;
  size_t next_ = 0;
};

void AppendLength(size_t length, std::vector<uint8_t>* plain) {
  for (int shift = 0; shift < 32; shift += 8) {
    plain->push_back(static_cast<uint8_t>(length >> shift));
  }
}

}  // namespace

std::vector<uint8_t> PlainFromDeltaLengths(ByteSpan bytes, int64_t max_count) {
  DeltaLengths texts(bytes, max_count);
  std::vector<uint8_t> plain;
  plain.reserve(bytes.size() + texts.size() * sizeof(uint32_t));
  for (size_t i = 0; i < texts.size(); ++i) {
    const ByteSpan text = texts.Next();
    AppendLength(text.size(), &plain);
    plain.insert(plain.end(), text.begin(), text.end());
  }
  return plain;
}

std::vector<uint8_t> PlainFromDeltaTexts(ByteSpan bytes, int64_t max_count) {
  const DeltaIntegers prefixes = ReadDeltaIntegers(bytes, max_count);
  DeltaLengths suffixes(bytes.subspan(prefixes.bytes_read), max_count);
  if (suffixes.size() != prefixes.values.size()) {
    ThrowInvalid(fmt::format("{} beginnings of texts, and {} ends", prefixes.values.size(),
                             suffixes.size()));
  }
  std::vector<uint8_t> plain;
  size_t last = 0;
  size_t last_size = 0;
  for (const int64_t prefix : prefixes.values) {
    const ByteSpan suffix = suffixes.Next();
    if (prefix < 0 || static_cast<uint64_t>(prefix) > last_size) {
      ThrowInvalid(fmt::format("a text that shares {} bytes with one of {}", prefix, last_size));
    }
    const size_t size = static_cast<size_t>(prefix) + suffix.size();
    if (plain.size() + size > kMaxPlainBytes) {
      ThrowUnsupported("a page whose texts take more than a gigabyte");
    }
    AppendLength(size, &plain);
    const size_t start = plain.size();
    plain.resize(start + size);
    std::copy_n(plain.begin() + static_cast<std::ptrdiff_t>(last), prefix,
                plain.begin() + static_cast<std::ptrdiff_t>(start));
    std::copy(suffix.begin(), suffix.end(),
              plain.begin() + static_cast<std::ptrdiff_t>(start) + prefix);
    last = start;
    last_size = size;
  }
  return plain;
}

}  // namespace nunatak
