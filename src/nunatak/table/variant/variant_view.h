#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/base/int128.h"

namespace nunatak {

/// What a variant value is. The numbers of the primitive types are those of the encoding (Parquet's
/// "Variant Binary Encoding"); short strings are strings.
enum class VariantType : uint8_t {
  kNull = 0,
  kTrue = 1,
  kFalse = 2,
  kInt8 = 3,
  kInt16 = 4,
  kInt32 = 5,
  kInt64 = 6,
  kDouble = 7,
  kDecimal4 = 8,
  kDecimal8 = 9,
  kDecimal16 = 10,
  kDate = 11,
  kTimestampTz = 12,
  kTimestamp = 13,
  kFloat = 14,
  kBinary = 15,
  kString = 16,
  kTime = 17,
  kTimestampTzNs = 18,
  kTimestampNs = 19,
  kUuid = 20,
  kObject,
  kArray,
};

/// Values nest no deeper than this: as deep as engines parse the JSON that variants are made from.
inline constexpr int kMaxVariantDepth = 1000;

/// The dictionary of field names that the values of one variant refer to. The bytes must outlive
/// it.
class NUNATAK_EXPORT VariantMetadata {
 public:
  /// Checks the version and that the names lie one after the other in the bytes, to their end.
  /// Throws `ErrorCode::kInvalid`, and `kUnsupported` for a version other than 1.
  explicit VariantMetadata(ByteSpan bytes);

  ByteSpan bytes() const { return bytes_; }
  uint32_t size() const { return size_; }
  /// The name of a field id, UTF-8 (unchecked). Throws `ErrorCode::kInvalid` for an id beyond the
  /// dictionary.
  std::string_view NameOf(uint32_t id) const;

 private:
  size_t OffsetAt(size_t index) const;

  ByteSpan bytes_;
  size_t offset_size_ = 1;
  uint32_t size_ = 0;
  /// Where the names begin.
  size_t names_ = 0;
};

/// One encoded value, by reference to its bytes. Every access stays inside them: constructing
/// checks the value itself (that its header is known, and that what it declares is there), and
/// reaching for a nested value constructs that one.
class NUNATAK_EXPORT VariantView {
 public:
  /// The value at the beginning of `bytes`, which may go on after it. Throws `ErrorCode::kInvalid`,
  /// and `kUnsupported` for a primitive type that is none of `VariantType`.
  explicit VariantView(ByteSpan bytes);

  VariantType type() const { return type_; }
  bool is_nested() const { return type_ >= VariantType::kObject; }
  /// The bytes of this value alone.
  ByteSpan bytes() const { return bytes_; }

  /// int8 to int64; date in days, time in µs, timestamps in µs or ns since the epoch.
  int64_t integer() const;
  /// float, double.
  double real() const;
  /// decimals: the unscaled value, and the digits of its fraction (0 to 38).
  Int128 unscaled() const;
  int scale() const;
  /// binary and string (UTF-8, unchecked) without their length; the 16 bytes of a UUID.
  ByteSpan data() const;

  /// The elements of an array, or the fields of an object.
  uint32_t size() const { return size_; }
  /// The i-th element, or the value of the i-th field; `i` is below `size()`. Throws what the
  /// constructor throws.
  VariantView At(uint32_t i) const;
  /// The id in the metadata of an object's i-th field.
  uint32_t FieldId(uint32_t i) const;
  /// The bytes that nested values share.
  size_t values_size() const { return bytes_.size() - payload_; }

 private:
  void ReadPrimitive(uint8_t header);
  void ReadNested(uint8_t header);
  void Cut(size_t size);

  ByteSpan bytes_;
  VariantType type_ = VariantType::kNull;
  uint8_t id_size_ = 0;
  uint8_t offset_size_ = 0;
  uint32_t size_ = 0;
  /// Where in the bytes there are: the field ids, the offsets, and what is after all headers (the
  /// nested values, the text, the number).
  size_t ids_ = 0;
  size_t offsets_ = 0;
  size_t payload_ = 0;
};

/// Checks a value and all that is nested in it against the encoding, in time linear in its bytes
/// (but for objects whose fields are out of order): that nothing is left over, that nested values
/// do not share bytes, that field ids are in the dictionary, that no object has a name twice, and
/// that the depth is at most `kMaxVariantDepth`. Throws as the classes above do.
NUNATAK_EXPORT void ValidateVariant(const VariantMetadata& metadata, ByteSpan value);

}  // namespace nunatak
