#pragma once

#include <string>
#include <string_view>

namespace nunatak {

/// A LIKE pattern: `%` is any text, `_` any one character, a backslash takes the next character as
/// itself.
struct LikePattern {
  enum class Form { kExact, kPrefix, kGeneral };

  Form form = Form::kExact;
  /// The text before the first wildcard, without the backslashes: for kExact and kPrefix ("abc%")
  /// it says everything.
  std::string prefix;

  /// Throws `ErrorCode::kUsage` when the pattern ends within an escape.
  static LikePattern Parse(std::string_view pattern);
  /// The pattern of exactly this text.
  static std::string Escape(std::string_view text);
};

/// Whether the whole of `text` matches a pattern that `LikePattern::Parse` accepts. A character is
/// a UTF-8 sequence; a byte that belongs to none counts as one.
bool MatchesLike(std::string_view text, std::string_view pattern);

}  // namespace nunatak
