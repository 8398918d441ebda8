#include "nunatak/read/decode/orc_tail.h"

#include <fmt/format.h>

#include <iterator>
#include <limits>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/protobuf_reader.h"

namespace nunatak {

namespace {

/// The fields of a postscript that matter here.
struct Postscript {
  enum Field : uint64_t {
    kFooterLength = 1,
    kCompression = 2,
    kBlockSize = 3,
    kMetadataLength = 5,
  };

  uint64_t footer_length = 0;
  uint64_t compression = 0;
  uint64_t block_size = 0;
};

/// Of a footer: stripes, types, statistics of the columns, and the rows between entries of indexes.
constexpr uint64_t kStripes = 3;
constexpr uint64_t kTypes = 4;
constexpr uint64_t kStatistics = 7;
constexpr uint64_t kRowIndexStride = 8;
/// Of a type.
constexpr uint64_t kTypeKind = 1;
constexpr uint64_t kTypeSubtypes = 2;
constexpr uint64_t kTypePrecision = 5;
constexpr uint64_t kMaxPrecision = 38;

/// The postscript lies before the file's last byte, which is its length.
ByteSpan PostscriptBytes(ByteSpan tail) {
  const size_t size = tail.empty() ? 0 : tail.back();
  if (size == 0 || size >= tail.size() || !AsText(tail.first(tail.size() - 1)).ends_with("ORC")) {
    ThrowInvalid("not an ORC file: it does not end in a postscript",
                 "it may be cut short or of another format");
  }
  return tail.last(size + 1).first(size);
}

Postscript ParsePostscript(ByteSpan bytes) {
  Postscript postscript;
  for (ProtobufReader field(bytes); field.Next();) {
    if (field.field() == Postscript::kFooterLength) postscript.footer_length = field.number();
    if (field.field() == Postscript::kCompression) postscript.compression = field.number();
    if (field.field() == Postscript::kBlockSize) postscript.block_size = field.number();
  }
  return postscript;
}

void Append(ByteSpan bytes, std::vector<uint8_t>* out) {
  out->insert(out->end(), bytes.begin(), bytes.end());
}

std::vector<uint8_t> FooterWithoutIndexes(ByteSpan footer) {
  std::vector<uint8_t> kept;
  for (ProtobufReader field(footer); field.Next();) {
    const bool dropped = field.field() == kStatistics || field.field() == kRowIndexStride;
    if (!dropped) Append(field.raw(), &kept);
  }
  return kept;
}

/// The postscript of a footer of another length, without the statistics of stripes.
std::vector<uint8_t> PostscriptOf(ByteSpan original, uint64_t footer_length) {
  std::vector<uint8_t> postscript = {Postscript::kFooterLength << 3};
  for (; footer_length >= 0x80; footer_length >>= 7) {
    postscript.push_back(static_cast<uint8_t>(footer_length | 0x80));
  }
  postscript.push_back(static_cast<uint8_t>(footer_length));
  for (ProtobufReader field(original); field.Next();) {
    const bool dropped =
        field.field() == Postscript::kFooterLength || field.field() == Postscript::kMetadataLength;
    if (!dropped) Append(field.raw(), &postscript);
  }
  return postscript;
}

OrcCodec CodecOf(const Postscript& postscript) {
  return OrcCodec(postscript.compression, postscript.block_size);
}

OrcStripe ParseStripe(ByteSpan message) {
  OrcStripe stripe;
  uint64_t* const fields[] = {&stripe.offset, &stripe.index_length, &stripe.data_length,
                              &stripe.footer_length, &stripe.rows};
  for (ProtobufReader field(message); field.Next();) {
    const uint64_t number = field.field();
    if (number >= 1 && number <= std::size(fields)) *fields[number - 1] = field.number();
  }
  return stripe;
}

/// All numbers of a field, packed or one by one.
std::vector<uint64_t> NumbersOf(ByteSpan message, uint64_t wanted) {
  std::vector<uint64_t> numbers;
  for (ProtobufReader field(message); field.Next();) {
    if (field.field() != wanted) continue;
    if (field.bytes().empty()) {
      numbers.push_back(field.number());
      continue;
    }
    for (const uint64_t number : PackedNumbers(field.bytes())) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

int64_t OrcTailSize(int64_t file_size, ByteSpan tail) {
  const ByteSpan postscript = PostscriptBytes(tail);
  const uint64_t footer = ParsePostscript(postscript).footer_length;
  const auto after = static_cast<int64_t>(postscript.size()) + 1;
  if (footer == 0 || footer > static_cast<uint64_t>(file_size - after)) {
    ThrowInvalid(fmt::format("footer of {} bytes before byte offset {}, in a file of {} bytes",
                             footer, file_size - after, file_size));
  }
  return static_cast<int64_t>(footer) + after;
}

OrcTail::OrcTail(ByteSpan tail)
    : OrcTail(PostscriptBytes(tail), tail.first(tail.size() - tail.back() - 1)) {}

OrcTail::OrcTail(ByteSpan postscript_bytes, ByteSpan before)
    : codec_(CodecOf(ParsePostscript(postscript_bytes))), postscript_(postscript_bytes) {
  const uint64_t length = ParsePostscript(postscript_bytes).footer_length;
  if (length > before.size()) ThrowInvalid("the footer is not all there");
  footer_ = codec_.Inflate(before.last(static_cast<size_t>(length)));
  for (ProtobufReader field(footer_); field.Next();) {
    if (field.field() == kStripes) stripes_.push_back(ParseStripe(field.bytes()));
    if (field.field() != kTypes) continue;
    if (type_kinds_.empty()) field_columns_ = NumbersOf(field.bytes(), kTypeSubtypes);
    const std::vector<uint64_t> kinds = NumbersOf(field.bytes(), kTypeKind);
    type_kinds_.push_back(kinds.empty() ? 0 : kinds.back());
    for (const uint64_t precision : NumbersOf(field.bytes(), kTypePrecision)) {
      // Arrow's types end the process for what is more.
      if (precision > kMaxPrecision) {
        ThrowInvalid(fmt::format("a decimal of precision {}", precision));
      }
    }
  }
}

std::vector<uint8_t> OrcTail::WithoutIndexes() const {
  std::vector<uint8_t> result = codec_.Frame(FooterWithoutIndexes(footer_));
  const std::vector<uint8_t> end = PostscriptOf(postscript_, result.size());
  if (end.size() > std::numeric_limits<uint8_t>::max()) ThrowInvalid("the postscript is too long");
  Append(end, &result);
  result.push_back(static_cast<uint8_t>(end.size()));
  return result;
}

}  // namespace nunatak
