#include "nunatak/expr/caret.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nunatak/base/display_width.h"
#include "nunatak/base/error.h"

namespace nunatak {

namespace {

/// Bytes of a long line that are shown before and after the place.
constexpr size_t kBefore = 40;
constexpr size_t kAfter = 36;
constexpr std::string_view kCut = "...";

bool ContinuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

std::string PointAt(std::string_view text, size_t offset) {
  if (text.empty() || offset > text.size()) return "";
  const size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const size_t line_begin = before == std::string_view::npos ? 0 : before + 1;
  const size_t line_end = std::min(text.find('\n', offset), text.size());

  size_t begin = offset - line_begin > kBefore + kCut.size() ? offset - kBefore : line_begin;
  size_t end = line_end - offset > kAfter + kCut.size() ? offset + kAfter : line_end;
  while (begin > line_begin && ContinuesCharacter(text[begin])) --begin;
  while (end < line_end && ContinuesCharacter(text[end])) ++end;

  const std::string_view left_cut = begin > line_begin ? kCut : "";
  std::string line =
      fmt::format("{}{}{}", left_cut, text.substr(begin, end - begin), end < line_end ? kCut : "");
  // A tab or another control character would put the caret under the wrong place.
  std::replace_if(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  const int column =
      static_cast<int>(left_cut.size()) + DisplayWidth(text.substr(begin, offset - begin));
  return fmt::format("\n  {}\n  {:>{}}", line, '^', column + 1);
}

void ThrowAt(std::string_view text, size_t offset, std::string message, std::string hint) {
  throw Error(ErrorCode::kUsage, message + PointAt(text, offset), std::move(hint));
}

}  // namespace nunatak
