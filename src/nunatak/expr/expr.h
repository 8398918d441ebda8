#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/export.h"

namespace nunatak {

/// The operations of a filter. Row semantics are SQL's three-valued logic: a comparison with null
/// is unknown, and a row is kept only when the whole filter is true. NaN equals NaN and is above
/// every number, −0.0 equals 0.0; strings, UUIDs, fixed and binary compare as unsigned bytes.
enum class Op : uint8_t {
  kTrue,
  kFalse,
  kAnd,
  kOr,
  kNot,
  kIsNull,
  kNotNull,
  kIsNan,
  kNotNan,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kIn,
  kNotIn,
  kStartsWith,
  kNotStartsWith,
  kLike,
  kNotLike,
};

/// A literal as it was written; binding converts it to the type of its column.
struct NUNATAK_EXPORT Literal {
  enum class Kind : uint8_t {
    kNull,
    kBoolean,
    kNumber,  ///< Decimal text, such as "-1.5e3"; or "NaN", "Infinity", "-Infinity".
    kText,    ///< Characters, converted to whatever the column's type is.
    kDate,    ///< Typed: DATE '…' and so on; the text between the quotes.
    kTime,
    kTimestamp,
    kUuid,
    kBinary,  ///< `text` holds the bytes themselves.
  };

  Kind kind = Kind::kNull;
  std::string text = {};
  bool boolean = false;
  /// Came from expression JSON, where a number for a date, time or timestamp column counts days or
  /// micro- or nanoseconds.
  bool from_json = false;
  /// Where it stands in the text of the filter, for messages; npos when it came from JSON.
  size_t offset = 0;

  friend bool operator==(const Literal&, const Literal&) = default;
};

/// An unbound filter: a small tree. Leaves name a column; `kAnd`, `kOr` (two or more children) and
/// `kNot` (one) have children.
struct NUNATAK_EXPORT Expr {
  Op op = Op::kTrue;
  std::vector<Expr> children = {};
  /// The dotted path of the column, or its field id, which JSON may give instead.
  std::string column = {};
  std::optional<int32_t> column_id = {};
  std::vector<Literal> literals = {};
  /// Where the column stands in the text of the filter, for messages.
  size_t offset = 0;
};

/// Parses a filter: expression JSON when the first non-blank character is '{' or the text is "true"
/// or "false", else the SQL-like language (docs/filters.md). An empty text is true. Throws
/// `ErrorCode::kUsage` with the text and a caret under the character that does not fit.
NUNATAK_EXPORT Expr ParseFilter(std::string_view text);

/// The REST specification's expression JSON alone.
NUNATAK_EXPORT Expr ParseFilterJson(std::string_view text);

}  // namespace nunatak
