#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/table/type.h"
#include "nunatak/table/value.h"

namespace nunatak {

enum class TransformId : uint8_t {
  kIdentity,
  kBucket,
  kTruncate,
  kYear,
  kMonth,
  kDay,
  kHour,
  kVoid,
  kUnknown,
};

/// A partition or sort transform (specification, "Partition Transforms").
class NUNATAK_EXPORT Transform {
 public:
  Transform(TransformId id = TransformId::kIdentity, int32_t parameter = 0)  // NOLINT
      : id_(id), parameter_(parameter) {}
  /// Parses "identity", "bucket[16]", "truncate[4]", "year" …; names are case-insensitive. A name
  /// that nobody here knows becomes kUnknown and keeps its text. Throws `ErrorCode::kInvalid` for a
  /// bucket count or width that is not a positive 32-bit number.
  static Transform Parse(std::string_view text);
  /// A transform that is carried, but not understood: of an unknown name, or of several arguments.
  static Transform Unknown(std::string text);

  TransformId id() const { return id_; }
  /// Buckets of bucket, width of truncate.
  int32_t parameter() const { return parameter_; }
  std::string ToString() const;
  friend bool operator==(const Transform&, const Transform&) = default;

  /// Whether the transform is defined for the source type. Unknown and void accept every type.
  bool CanTransform(const Type& source) const;
  /// The type of the results (day gives date; unknown gives string).
  Type ResultType(const Type& source) const;
  /// Whether a ≤ b implies transform(a) ≤ transform(b).
  bool PreservesOrder() const;
  /// The transformed value; null stays null, and void gives null for everything. Bytes results may
  /// point into the argument. Not for kUnknown, nor for a source that it cannot transform. A result
  /// beyond the range of the result type wraps, as the values that Java writes do.
  ValueView Apply(const Type& source, const ValueView& value) const;
  /// Whether the result of `Apply` wraps: truncate next to the least int or long, hours of years
  /// beyond ±240,000. Such a result can be tested for equality, but has no place in an order.
  bool Wraps(const Type& source, const ValueView& value) const;

 private:
  TransformId id_;
  int32_t parameter_;
  std::string unknown_name_;
};

/// The bucket hash of a value of a primitive type (specification, Appendix B), before the modulo.
NUNATAK_EXPORT int32_t BucketHash(const Type& type, const ValueView& value);

}  // namespace nunatak
