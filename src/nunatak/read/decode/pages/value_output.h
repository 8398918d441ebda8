#pragma once

#include <arrow/type_fwd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "nunatak/base/bytes.h"

namespace nunatak {

/// What the values of a leaf become: an Arrow array in the making. Values are appended as a page
/// has them, by number in the dictionary or in the plain encoding.
class ValueOutput {
 public:
  virtual ~ValueOutput() = default;

  /// Takes the dictionary of a chunk, `count` plain values. Throws `ErrorCode::kInvalid` when it is
  /// too short.
  virtual void SetDictionary(ByteSpan plain, int64_t count) = 0;
  /// Begins an array of so many rows, nulls among them; the last was finished.
  virtual void Start(int64_t rows) = 0;
  /// Throws `ErrorCode::kInvalid` for a number beyond the dictionary.
  virtual void AppendIndices(std::span<const uint32_t> indices) = 0;
  /// Appends the next `count` values of `plain`, and takes their bytes off its front. Throws
  /// `ErrorCode::kInvalid` when it is too short.
  virtual void AppendPlain(int64_t count, ByteSpan* plain) = 0;
  /// Takes values off the front without appending them.
  virtual void SkipPlain(int64_t count, ByteSpan* plain) const = 0;
  /// Makes the values that were appended last the rows whose mark in `valid` is not 0: each has one
  /// value; the others become null.
  virtual void Spread(std::span<const uint8_t> valid) = 0;
  /// The array, whose nulls `validity` says (null when there is none).
  virtual std::shared_ptr<arrow::ArrayData> Finish(std::shared_ptr<arrow::Buffer> validity,
                                                   int64_t null_count) = 0;
};

/// How the plain encoding of a leaf's values is laid out.
struct PlainLayout {
  enum class Kind : uint8_t { kFixed, kText, kBoolean };
  Kind kind = Kind::kFixed;
  /// Bytes of a value, of `kFixed`.
  size_t width = 0;
};

}  // namespace nunatak
