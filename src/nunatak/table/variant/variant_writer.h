#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "nunatak/base/bytes.h"
#include "nunatak/base/export.h"
#include "nunatak/base/int128.h"
#include "nunatak/table/variant/variant_view.h"

namespace nunatak {

/// Appends encoded values to a text. A nested value is written from the inside out: its parts
/// first, one after the other, then `FinishArray` or `FinishObject` puts the header before them:
///
///     const size_t start = writer.position();
///     starts.push_back(writer.position()), writer.Integer(VariantType::kInt8, 1) …
///     writer.FinishArray(start, starts);
class NUNATAK_EXPORT VariantWriter {
 public:
  explicit VariantWriter(std::string* out) : out_(*out) {}

  /// The bytes in the text.
  size_t position() const { return out_.size(); }

  void Null();
  void Boolean(bool value);
  /// int8 to int64, date, time, timestamps; the value fits the type.
  void Integer(VariantType type, int64_t value);
  /// float, double.
  void Real(VariantType type, double value);
  /// decimal4 to decimal16; the unscaled value fits the type, and `scale` is 0 to 38.
  void Decimal(VariantType type, Int128 unscaled, int scale);
  /// binary, string, and the 16 bytes of a UUID.
  void Bytes(VariantType type, ByteSpan bytes);
  /// A value that is encoded already.
  void Encoded(ByteSpan value);

  /// The parts that begin at `starts`, the first of them at `start`, become one array.
  void FinishArray(size_t start, std::span<const size_t> starts);

  struct Field {
    uint32_t id = 0;
    /// Where its value begins.
    size_t start = 0;
  };
  /// The values from `start` on become one object, whose fields are given in the order of their
  /// names' bytes.
  void FinishObject(size_t start, std::span<const Field> fields);

 private:
  void Header(VariantType type);
  void Append(uint64_t value, size_t size);

  std::string& out_;
};

}  // namespace nunatak
