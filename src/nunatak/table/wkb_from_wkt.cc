#include <charconv>
#include <cstring>
#include <limits>

#include "nunatak/base/ascii_case.h"
#include "nunatak/table/geometry_kind.h"
#include "nunatak/table/wkt.h"

namespace nunatak {

namespace {

template <typename T>
void Append(T value, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof(T));
}

/// Reads a geometry from the front of a text and appends its bytes. Each method returns false where
/// the text is malformed.
class WkbWriter {
 public:
  explicit WkbWriter(std::string_view wkt) : rest_(wkt) { SkipBlanks(); }

  bool AtEnd() const { return rest_.empty(); }

  bool AppendGeometry(int depth, std::string* bytes) {
    GeometryKind kind;
    if (depth > kMaxGeometryDepth || !TakeKind(&kind)) return false;
    GeometryDimensions dimensions;
    if (TakeWord("ZM")) {
      dimensions = {.z = true, .m = true};
    } else if (TakeWord("Z")) {
      dimensions = {.z = true, .m = false};
    } else if (TakeWord("M")) {
      dimensions = {.z = false, .m = true};
    }
    AppendHeader(kind, dimensions, bytes);
    return AppendBody(kind, dimensions, depth, bytes);
  }

 private:
  void SkipBlanks() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t' || rest_[0] == '\n')) {
      rest_.remove_prefix(1);
    }
  }

  bool Take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    SkipBlanks();
    return true;
  }

  size_t WordLength() const {
    size_t n = 0;
    while (n < rest_.size() && ToLowerAscii(rest_[n]) >= 'a' && ToLowerAscii(rest_[n]) <= 'z') ++n;
    return n;
  }

  bool TakeWord(std::string_view word) {
    if (!EqualsIgnoreCase(rest_.substr(0, WordLength()), word)) return false;
    rest_.remove_prefix(word.size());
    SkipBlanks();
    return true;
  }

  bool TakeKind(GeometryKind* kind) {
    for (size_t i = 0; i < kGeometryTags.size(); ++i) {
      if (!TakeWord(kGeometryTags[i])) continue;
      *kind = static_cast<GeometryKind>(i + 1);
      return true;
    }
    return false;
  }

  static void AppendHeader(GeometryKind kind, GeometryDimensions dimensions, std::string* bytes) {
    bytes->push_back(1);
    Append(static_cast<uint32_t>(kind) + dimensions.code(), bytes);
  }

  bool AppendNumber(std::string* bytes) {
    double value = 0;
    const char* end = rest_.data() + rest_.size();
    const auto [stop, code] = std::from_chars(rest_.data(), end, value);
    if (code != std::errc()) return false;
    rest_.remove_prefix(static_cast<size_t>(stop - rest_.data()));
    SkipBlanks();
    Append(value, bytes);
    return true;
  }

  bool AppendCoordinate(GeometryDimensions dimensions, std::string* bytes) {
    for (int i = 0; i < dimensions.count(); ++i) {
      if (!AppendNumber(bytes)) return false;
    }
    return true;
  }

  /// "EMPTY" or "(item, item)", as a count and the items.
  template <typename AppendItem>
  bool AppendItems(std::string* bytes, AppendItem append_item) {
    const size_t count_at = bytes->size();
    uint32_t count = 0;
    Append(count, bytes);
    if (TakeWord("EMPTY")) return true;
    if (!Take('(')) return false;
    do {
      if (!append_item()) return false;
      ++count;
    } while (Take(','));
    std::memcpy(bytes->data() + count_at, &count, sizeof(count));
    return Take(')');
  }

  bool AppendPoint(GeometryDimensions dimensions, std::string* bytes) {
    if (TakeWord("EMPTY")) {
      for (int i = 0; i < dimensions.count(); ++i) {
        Append(std::numeric_limits<double>::quiet_NaN(), bytes);
      }
      return true;
    }
    return Take('(') && AppendCoordinate(dimensions, bytes) && Take(')');
  }

  /// A part of a multi-geometry has a header, but no tag. Points may go without parentheses.
  bool AppendPart(GeometryKind kind, GeometryDimensions dimensions, int depth, std::string* bytes) {
    AppendHeader(kind, dimensions, bytes);
    const bool bare =
        kind == GeometryKind::kPoint && !rest_.empty() && rest_[0] != '(' && WordLength() == 0;
    return bare ? AppendCoordinate(dimensions, bytes) : AppendBody(kind, dimensions, depth, bytes);
  }

  bool AppendBody(GeometryKind kind, GeometryDimensions dimensions, int depth, std::string* bytes) {
    const auto append_line = [&] {
      return AppendItems(bytes, [&] { return AppendCoordinate(dimensions, bytes); });
    };
    switch (kind) {
      case GeometryKind::kPoint:
        return AppendPoint(dimensions, bytes);
      case GeometryKind::kLineString:
        return append_line();
      case GeometryKind::kPolygon:
        return AppendItems(bytes, append_line);
      case GeometryKind::kCollection:
        return AppendItems(bytes, [&] { return AppendGeometry(depth + 1, bytes); });
      default:
        return AppendItems(bytes,
                           [&] { return AppendPart(PartOf(kind), dimensions, depth, bytes); });
    }
  }

  std::string_view rest_;
};

}  // namespace

std::optional<std::string> WkbFromWkt(std::string_view wkt) {
  WkbWriter writer(wkt);
  std::string bytes;
  if (!writer.AppendGeometry(0, &bytes) || !writer.AtEnd()) return std::nullopt;
  return bytes;
}

}  // namespace nunatak
