#include "nunatak/read/decode/avro_input.h"

#include <fmt/format.h>

#include <limits>

#include "nunatak/base/error.h"

namespace nunatak {

int32_t AvroInput::Int() {
  const int64_t value = Long();
  if (value != static_cast<int32_t>(value)) {
    Fail(fmt::format("the value {} before is not a 32-bit integer", value));
  }
  return static_cast<int32_t>(value);
}

bool AvroInput::Boolean() {
  const uint8_t byte = Bytes(1)[0];
  if (byte > 1) Fail(fmt::format("the byte {} before is not a boolean", byte));
  return byte != 0;
}

int64_t AvroInput::ItemCount() {
  const int64_t count = Long();
  if (count >= 0) return count;
  if (count == std::numeric_limits<int64_t>::min()) Fail("an item count out of range");
  // A negative count is followed by the size of the items, for those who skip them.
  if (Long() < 0) Fail("the size of a block of items is negative");
  return -count;
}

int64_t AvroInput::LongOfManyBytes() {
  int64_t value = 0;
  if (avro::ReadLong(at_, end_, value)) return value;
  Fail(end_ - at_ < avro::kMaxVarintBytes ? "a number that ends beyond the data"
                                          : "a number of more than 64 bits");
}

void AvroInput::FailSize(int64_t size) const {
  Fail(size < 0 ? fmt::format("the negative size {}", size)
                : fmt::format("{} bytes, but only {} are left", size, end_ - at_));
}

void AvroInput::Fail(std::string_view problem) const {
  ThrowInvalid(fmt::format("byte {}: {}", position(), problem));
}

}  // namespace nunatak
