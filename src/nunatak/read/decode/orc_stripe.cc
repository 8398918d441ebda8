#include "nunatak/read/decode/orc_stripe.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/orc_integers.h"
#include "nunatak/read/decode/protobuf_reader.h"

namespace nunatak {

namespace {

/// What stored bytes may claim to come to: so many times as many, and so much besides.
constexpr int64_t kMaxInflation = 32768;
constexpr int64_t kMaxSlack = int64_t{64} << 20;
/// What no writer's decimals have, and no reader should count to.
constexpr int64_t kMaxScale = 100;

/// Kinds of types, streams and encodings, as the specification numbers them.
enum TypeKind : uint64_t {
  kString = 7,
  kBinary = 8,
  kList = 10,
  kMap = 11,
  kDecimal = 14,
  kVarchar = 16,
  kChar = 17,
};
enum StreamKind : uint64_t { kData = 1, kLength = 2, kDictionaryData = 3, kSecondary = 5 };
enum EncodingKind : uint64_t { kDictionary = 1, kDirectV2 = 2, kDictionaryV2 = 3 };

struct Column {
  uint64_t encoding = 0;
  uint64_t dictionary_size = 0;
  /// By the kind of stream; where it lies in the stripe.
  std::map<uint64_t, ByteSpan> streams = {};

  bool is_dictionary() const { return encoding == kDictionary || encoding == kDictionaryV2; }
  int version() const { return encoding >= kDirectV2 ? 2 : 1; }
  ByteSpan StreamOf(uint64_t kind) const {
    const auto stream = streams.find(kind);
    return stream == streams.end() ? ByteSpan() : stream->second;
  }
};

struct Numbers {
  int64_t count = 0;
  int64_t sum = 0;
};

class StripeChecker {
 public:
  StripeChecker(const OrcTail& tail, const OrcStripe& stripe, ByteSpan bytes)
      : tail_(tail), stripe_(stripe), bytes_(bytes), columns_(tail.type_kinds().size()) {
    const uint64_t footer = stripe.index_length + stripe.data_length;
    const std::vector<uint8_t> message = tail.codec().Inflate(
        bytes.subspan(static_cast<size_t>(footer), static_cast<size_t>(stripe.footer_length)));
    uint64_t offset = 0;
    size_t encodings = 0;
    for (ProtobufReader field(message); field.Next();) {
      if (field.field() == 1) AddStream(field.bytes(), &offset);
      if (field.field() == 2 && encodings < columns_.size()) {
        AddEncoding(field.bytes(), &columns_[encodings++]);
      }
    }
  }

  void Check(uint64_t number) const {
    const Column& column = columns_[static_cast<size_t>(number)];
    switch (tail_.type_kinds()[static_cast<size_t>(number)]) {
      case kString:
      case kBinary:
      case kVarchar:
      case kChar:
        return CheckTexts(column);
      case kList:
      case kMap:
        return CheckBound("items of lists", LengthsOf(column).sum, bytes_);
      case kDecimal:
        return CheckScales(column);
      default:
        return;
    }
  }

 private:
  void AddStream(ByteSpan message, uint64_t* offset) {
    uint64_t kind = 0;
    uint64_t column = 0;
    uint64_t length = 0;
    for (ProtobufReader field(message); field.Next();) {
      if (field.field() == 1) kind = field.number();
      if (field.field() == 2) column = field.number();
      if (field.field() == 3) length = field.number();
    }
    const uint64_t end = stripe_.index_length + stripe_.data_length;
    if (length > end - *offset) {
      ThrowInvalid(fmt::format("a stream of {} bytes at byte offset {} goes beyond its stripe",
                               length, stripe_.offset + *offset));
    }
    if (column < columns_.size()) {
      columns_[static_cast<size_t>(column)].streams[kind] =
          bytes_.subspan(static_cast<size_t>(*offset), static_cast<size_t>(length));
    }
    *offset += length;
  }

  static void AddEncoding(ByteSpan message, Column* column) {
    for (ProtobufReader field(message); field.Next();) {
      if (field.field() == 1) column->encoding = field.number();
      if (field.field() == 2) column->dictionary_size = field.number();
    }
  }

  void CheckTexts(const Column& column) const {
    const Numbers lengths = LengthsOf(column);
    const bool is_dictionary = column.is_dictionary();
    if (is_dictionary && column.dictionary_size > static_cast<uint64_t>(lengths.count)) {
      ThrowInvalid(fmt::format("dictionary of {} entries, of which {} have a length",
                               column.dictionary_size, lengths.count));
    }
    CheckBound("bytes of text", lengths.sum,
               column.StreamOf(is_dictionary ? kDictionaryData : kData));
  }

  static void CheckBound(const char* what, int64_t claimed, ByteSpan stored) {
    const auto size = static_cast<int64_t>(stored.size());
    if (claimed > kMaxSlack && (claimed - kMaxSlack) / kMaxInflation > size) {
      ThrowInvalid(fmt::format("{} {} in {} bytes", claimed, what, size));
    }
  }

  Numbers LengthsOf(const Column& column) const {
    Numbers lengths;
    Read(column, kLength, /*is_signed=*/false, [&](int64_t length) {
      if (length < 0 || length > std::numeric_limits<int32_t>::max()) {
        ThrowInvalid(fmt::format("a length of {}", length));
      }
      ++lengths.count;
      lengths.sum += length;
    });
    return lengths;
  }

  void CheckScales(const Column& column) const {
    Read(column, kSecondary, /*is_signed=*/true, [](int64_t scale) {
      if (scale < -kMaxScale || scale > kMaxScale) {
        ThrowInvalid(fmt::format("a decimal of scale {}", scale));
      }
    });
  }

  template <typename Body>
  void Read(const Column& column, uint64_t kind, bool is_signed, Body&& body) const {
    const ByteSpan stream = column.StreamOf(kind);
    const auto place = [&] {
      return stripe_.offset + static_cast<uint64_t>(stream.data() - bytes_.data());
    };
    if (stream.empty()) return;
    WithContext(fmt::format("stream at byte offset {}", place()), [&] {
      ReadOrcIntegers(tail_.codec().Inflate(stream),
                      {.version = column.version(), .is_signed = is_signed},
                      [&](std::span<const int64_t> run) {
                        for (const int64_t number : run) body(number);
                      });
    });
  }

  const OrcTail& tail_;
  const OrcStripe& stripe_;
  ByteSpan bytes_;
  /// By column id.
  std::vector<Column> columns_;
};

}  // namespace

void CheckStripe(const OrcTail& tail, const OrcStripe& stripe, ByteSpan bytes,
                 std::span<const int> fields) {
  const StripeChecker checker(tail, stripe, bytes);
  const std::vector<uint64_t>& starts = tail.field_columns();
  for (const int field : fields) {
    const auto i = static_cast<size_t>(field);
    if (i >= starts.size()) ThrowInvalid(fmt::format("the root type has no field {}", field));
    // Columns are numbered from the root on, what is nested after what it is nested in.
    const uint64_t end = i + 1 < starts.size() ? starts[i + 1] : tail.type_kinds().size();
    const uint64_t last = std::min<uint64_t>(end, tail.type_kinds().size());
    for (uint64_t column = starts[i]; column < last; ++column) checker.Check(column);
  }
}

}  // namespace nunatak
