#include "nunatak/read/decode/pages/fixed_output.h"

#include <arrow/array/data.h>
#include <arrow/buffer.h>
#include <arrow/type.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "nunatak/base/error.h"
#include "nunatak/read/decode/pages/value_checks.h"

namespace nunatak {

namespace {

/// A value of 16 bytes that is copied as two words.
struct Wide {
  uint64_t low = 0;
  uint64_t high = 0;
};

template <typename T>
struct Same {
  using Out = T;
  explicit Same(size_t) {}
  static constexpr size_t stored_width() { return sizeof(T); }
  static Out Convert(const uint8_t* stored) { return LoadLittleEndian<T>(stored); }
};

template <typename T>
struct SignExtended {
  using Out = Wide;
  explicit SignExtended(size_t) {}
  static constexpr size_t stored_width() { return sizeof(T); }
  static Out Convert(const uint8_t* stored) {
    const int64_t value = LoadLittleEndian<T>(stored);
    return {static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 63)};
  }
};

struct BigEndian {
  using Out = Wide;
  explicit BigEndian(size_t width) : width(width) {}
  size_t stored_width() const { return width; }
  Out Convert(const uint8_t* stored) const {
    std::array<uint8_t, sizeof(Wide)> bytes;
    bytes.fill((stored[0] & 0x80) != 0 ? 0xff : 0);
    std::reverse_copy(stored, stored + width, bytes.begin());
    Wide value;
    std::memcpy(&value, bytes.data(), sizeof(value));
    return value;
  }
  size_t width;
};

/// A timestamp of 12 bytes, in units of so many nanoseconds.
template <int64_t kUnit>
struct FromInt96 {
  using Out = int64_t;
  explicit FromInt96(size_t) {}
  static constexpr size_t stored_width() { return sizeof(int64_t) + sizeof(int32_t); }
  static Out Convert(const uint8_t* stored) {
    constexpr int64_t kJulianDayOf1970 = 2'440'588;
    constexpr int64_t kUnitsOfDay = 86'400'000'000'000 / kUnit;
    const auto of_day = LoadLittleEndian<int64_t>(stored) / kUnit;
    const int64_t day = int64_t{LoadLittleEndian<int32_t>(stored + sizeof(int64_t))};
    int64_t units = 0;
    if (__builtin_mul_overflow(day - kJulianDayOf1970, kUnitsOfDay, &units) ||
        __builtin_add_overflow(units, of_day, &units)) {
      ThrowInvalid(
          fmt::format("a timestamp on the Julian day {}, which 64 bits do not reach", day));
    }
    return units;
  }
};

template <typename Conversion>
class FixedOutput final : public ValueOutput {
 public:
  using Out = typename Conversion::Out;

  FixedOutput(std::shared_ptr<arrow::DataType> type, size_t width, std::shared_ptr<BufferPool> pool)
      : type_(std::move(type)), conversion_(width), pool_(std::move(pool)) {}

  void SetDictionary(ByteSpan plain, int64_t count) override {
    CheckPlainFixed(count, conversion_.stored_width(), plain);
    dictionary_.resize(static_cast<size_t>(count));
    ConvertPlain(plain, dictionary_);
  }

  void Start(int64_t rows) override {
    buffer_ = pool_->Allocate(rows * static_cast<int64_t>(sizeof(Out)));
    rows_ = rows;
    size_ = 0;
  }

  void AppendIndices(std::span<const uint32_t> indices) override {
    CheckIndices(indices, dictionary_.size());
    Out* out = Take(indices.size());
    const Out* const entries = dictionary_.data();
    for (size_t i = 0; i < indices.size(); ++i) out[i] = entries[indices[i]];
  }

  void AppendPlain(int64_t count, ByteSpan* plain) override {
    CheckPlainFixed(count, conversion_.stored_width(), *plain);
    const auto values = static_cast<size_t>(count);
    ConvertPlain(*plain, {Take(values), values});
    *plain = plain->subspan(values * conversion_.stored_width());
  }

  void SkipPlain(int64_t count, ByteSpan* plain) const override {
    CheckPlainFixed(count, conversion_.stored_width(), *plain);
    *plain = plain->subspan(static_cast<size_t>(count) * conversion_.stored_width());
  }

  void Spread(std::span<const uint8_t> valid) override {
    size_t values = CountMarks(valid);
    Out* const out = data() + (size_ - values);
    for (size_t i = valid.size(); i-- > 0;) out[i] = valid[i] != 0 ? out[--values] : Out{};
    size_ = static_cast<size_t>(out - data()) + valid.size();
  }

  std::shared_ptr<arrow::ArrayData> Finish(std::shared_ptr<arrow::Buffer> validity,
                                           int64_t null_count) override {
    return arrow::ArrayData::Make(type_, rows_, {std::move(validity), std::move(buffer_)},
                                  null_count);
  }

 private:
  Out* data() { return reinterpret_cast<Out*>(buffer_->mutable_data()); }

  Out* Take(size_t count) {
    size_ += count;
    return data() + (size_ - count);
  }

  void ConvertPlain(ByteSpan plain, std::span<Out> out) const {
    const uint8_t* stored = plain.data();
    for (size_t i = 0; i < out.size(); ++i, stored += conversion_.stored_width()) {
      out[i] = conversion_.Convert(stored);
    }
  }

  std::shared_ptr<arrow::DataType> type_;
  Conversion conversion_;
  std::shared_ptr<BufferPool> pool_;
  std::vector<Out> dictionary_;
  std::shared_ptr<arrow::Buffer> buffer_;
  int64_t rows_ = 0;
  size_t size_ = 0;
};

/// Values of any other width, such as 12 bytes.
class BytesOutput final : public ValueOutput {
 public:
  BytesOutput(std::shared_ptr<arrow::DataType> type, size_t width, std::shared_ptr<BufferPool> pool)
      : type_(std::move(type)), width_(width), pool_(std::move(pool)) {}

  void SetDictionary(ByteSpan plain, int64_t count) override {
    CheckPlainFixed(count, width_, plain);
    entries_ = static_cast<size_t>(count);
    dictionary_.assign(plain.begin(),
                       plain.begin() + static_cast<std::ptrdiff_t>(entries_ * width_));
  }

  void Start(int64_t rows) override {
    buffer_ = pool_->Allocate(rows * static_cast<int64_t>(width_));
    rows_ = rows;
    size_ = 0;
  }

  void AppendIndices(std::span<const uint32_t> indices) override {
    CheckIndices(indices, entries_);
    uint8_t* out = Take(indices.size());
    for (const uint32_t index : indices) {
      std::memcpy(out, dictionary_.data() + index * width_, width_);
      out += width_;
    }
  }

  void AppendPlain(int64_t count, ByteSpan* plain) override {
    CheckPlainFixed(count, width_, *plain);
    const size_t bytes = static_cast<size_t>(count) * width_;
    if (bytes > 0) std::memcpy(Take(static_cast<size_t>(count)), plain->data(), bytes);
    *plain = plain->subspan(bytes);
  }

  void SkipPlain(int64_t count, ByteSpan* plain) const override {
    CheckPlainFixed(count, width_, *plain);
    *plain = plain->subspan(static_cast<size_t>(count) * width_);
  }

  void Spread(std::span<const uint8_t> valid) override {
    size_t values = CountMarks(valid);
    const size_t first = size_ - values;
    uint8_t* const out = buffer_->mutable_data() + first * width_;
    for (size_t i = valid.size(); i-- > 0;) {
      if (valid[i] != 0) {
        std::memmove(out + i * width_, out + --values * width_, width_);
      } else {
        std::memset(out + i * width_, 0, width_);
      }
    }
    size_ = first + valid.size();
  }

  std::shared_ptr<arrow::ArrayData> Finish(std::shared_ptr<arrow::Buffer> validity,
                                           int64_t null_count) override {
    return arrow::ArrayData::Make(type_, rows_, {std::move(validity), std::move(buffer_)},
                                  null_count);
  }

 private:
  uint8_t* Take(size_t count) {
    size_ += count;
    return buffer_->mutable_data() + (size_ - count) * width_;
  }

  std::shared_ptr<arrow::DataType> type_;
  size_t width_;
  std::shared_ptr<BufferPool> pool_;
  size_t entries_ = 0;
  std::vector<uint8_t> dictionary_;
  std::shared_ptr<arrow::Buffer> buffer_;
  int64_t rows_ = 0;
  size_t size_ = 0;
};

}  // namespace

std::unique_ptr<ValueOutput> MakeFixedOutput(std::shared_ptr<arrow::DataType> type, size_t width,
                                             std::shared_ptr<BufferPool> pool) {
  switch (width) {
    case sizeof(uint32_t):
      return std::make_unique<FixedOutput<Same<uint32_t>>>(std::move(type), width, std::move(pool));
    case sizeof(uint64_t):
      return std::make_unique<FixedOutput<Same<uint64_t>>>(std::move(type), width, std::move(pool));
    case sizeof(Wide):
      return std::make_unique<FixedOutput<Same<Wide>>>(std::move(type), width, std::move(pool));
    default:
      return std::make_unique<BytesOutput>(std::move(type), width, std::move(pool));
  }
}

std::unique_ptr<ValueOutput> MakeIntegerDecimalOutput(std::shared_ptr<arrow::DataType> type,
                                                      size_t width,
                                                      std::shared_ptr<BufferPool> pool) {
  if (width == sizeof(int32_t)) {
    return std::make_unique<FixedOutput<SignExtended<int32_t>>>(std::move(type), width,
                                                                std::move(pool));
  }
  return std::make_unique<FixedOutput<SignExtended<int64_t>>>(std::move(type), width,
                                                              std::move(pool));
}

std::unique_ptr<ValueOutput> MakeBinaryDecimalOutput(std::shared_ptr<arrow::DataType> type,
                                                     size_t width,
                                                     std::shared_ptr<BufferPool> pool) {
  return std::make_unique<FixedOutput<BigEndian>>(std::move(type), width, std::move(pool));
}

std::unique_ptr<ValueOutput> MakeInt96Output(std::shared_ptr<arrow::DataType> type,
                                             std::shared_ptr<BufferPool> pool) {
  const auto unit = static_cast<const arrow::TimestampType&>(*type).unit();
  if (unit == arrow::TimeUnit::NANO) {
    return std::make_unique<FixedOutput<FromInt96<1>>>(std::move(type), 0, std::move(pool));
  }
  return std::make_unique<FixedOutput<FromInt96<1000>>>(std::move(type), 0, std::move(pool));
}

}  // namespace nunatak
