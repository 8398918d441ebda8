#include "nunatak/plan/task_bytes.h"

#include <fmt/format.h>

#include <limits>

#include "nunatak/avro/varint.h"
#include "nunatak/base/error.h"

namespace nunatak {

void AppendLong(int64_t value, std::string* out) {
  uint64_t bits = (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
  for (; bits >= 0x80; bits >>= 7) out->push_back(static_cast<char>(bits | 0x80));
  out->push_back(static_cast<char>(bits));
}

void AppendText(std::string_view text, std::string* out) {
  AppendLong(static_cast<int64_t>(text.size()), out);
  out->append(text);
}

void TaskBytesReader::FailAt(size_t offset, std::string_view message) {
  ThrowInvalid(fmt::format("byte {}: {}", offset, message));
}

uint8_t TaskBytesReader::Byte() {
  if (at_ == end_) Fail("the data ends here");
  return *at_++;
}

int64_t TaskBytesReader::Long() {
  int64_t value = 0;
  if (!avro::ReadLong(at_, end_, value)) Fail("a number is cut off or has more than 64 bits");
  return value;
}

int64_t TaskBytesReader::LongIn(int64_t least, int64_t most, std::string_view what) {
  const size_t start = offset();
  const int64_t value = Long();
  if (value < least || value > most) {
    FailAt(start, fmt::format("{} is {}, not from {} to {}", what, value, least, most));
  }
  return value;
}

int32_t TaskBytesReader::Int32(std::string_view what) {
  using Limits = std::numeric_limits<int32_t>;
  return static_cast<int32_t>(LongIn(Limits::min(), Limits::max(), what));
}

size_t TaskBytesReader::Count(size_t item_bytes, std::string_view what) {
  const size_t start = offset();
  const int64_t count = Long();
  if (count < 0 || static_cast<uint64_t>(count) > remaining() / item_bytes) {
    FailAt(start,
           fmt::format("{} {} do not fit in the {} bytes that follow", count, what, remaining()));
  }
  return static_cast<size_t>(count);
}

ByteSpan TaskBytesReader::Bytes(size_t size, std::string_view what) {
  if (size > remaining()) {
    Fail(fmt::format("{} of {} bytes, but {} follow", what, size, remaining()));
  }
  const ByteSpan bytes(at_, size);
  at_ += size;
  return bytes;
}

std::string_view TaskBytesReader::Text(std::string_view what) {
  const size_t size = Count(1, fmt::format("bytes of {}", what));
  return AsText(Bytes(size, what));
}

void TaskBytesReader::ExpectEnd(std::string_view what) const {
  if (at_ != end_) Fail(fmt::format("{} bytes too many in {}", remaining(), what));
}

}  // namespace nunatak
