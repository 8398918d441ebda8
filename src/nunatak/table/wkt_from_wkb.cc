#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "nunatak/table/geometry_kind.h"
#include "nunatak/table/wkt.h"

namespace nunatak {

namespace {

void AppendNumber(double value, std::string* text) {
  if (std::isnan(value)) {
    *text += "NaN";
  } else if (std::isinf(value)) {
    *text += value < 0 ? "-Infinity" : "Infinity";
  } else {
    *text += fmt::format("{}", value);
  }
}

/// Reads a geometry from the front of bytes and appends its text. Each method returns false where
/// the bytes are malformed or too short; counts are never trusted, as every part needs bytes.
class WktWriter {
 public:
  explicit WktWriter(ByteSpan wkb) : rest_(wkb) {}

  bool AtEnd() const { return rest_.empty(); }

  /// A geometry with its tag; inside a multi-geometry, of the kind `part_of`, without.
  bool AppendGeometry(int depth, const GeometryKind* part_of, std::string* text) {
    Header header;
    if (depth > kMaxGeometryDepth || !TakeHeader(&header)) return false;
    if (part_of && header.kind != *part_of) return false;
    if (!part_of) {
      *text += kGeometryTags[static_cast<size_t>(header.kind) - 1];
      *text += header.dimensions.tag();
      *text += ' ';
    }
    return AppendBody(header, depth, text);
  }

 private:
  struct Header {
    bool big_endian = false;
    GeometryKind kind = GeometryKind::kPoint;
    GeometryDimensions dimensions;
  };

  template <typename T>
  bool Take(bool big_endian, T* value) {
    if (rest_.size() < sizeof(T)) return false;
    T raw = LoadLittleEndian<T>(rest_.data());
    if constexpr (sizeof(T) == 4) {
      *value = big_endian ? __builtin_bswap32(raw) : raw;
    } else {
      *value = big_endian ? __builtin_bswap64(raw) : raw;
    }
    rest_ = rest_.subspan(sizeof(T));
    return true;
  }

  bool TakeHeader(Header* header) {
    if (rest_.empty() || rest_[0] > 1) return false;
    header->big_endian = rest_[0] == 0;
    rest_ = rest_.subspan(1);
    uint32_t code = 0;
    if (!Take(header->big_endian, &code)) return false;
    const uint32_t kind = code % 1000;
    if (code >= 4000 || kind < 1 || kind > 7) return false;
    header->kind = static_cast<GeometryKind>(kind);
    header->dimensions = {.z = (code / 1000) % 2 == 1, .m = code / 1000 >= 2};
    return true;
  }

  /// "30 10"; `empty` becomes true when every ordinate is NaN, as empty points are written.
  bool AppendCoordinate(const Header& header, std::string* text, bool* empty = nullptr) {
    bool all_nan = true;
    for (int i = 0; i < header.dimensions.count(); ++i) {
      uint64_t bits = 0;
      if (!Take(header.big_endian, &bits)) return false;
      const auto value = std::bit_cast<double>(bits);
      all_nan = all_nan && std::isnan(value);
      if (i > 0) *text += ' ';
      AppendNumber(value, text);
    }
    if (empty) *empty = all_nan;
    return true;
  }

  /// A count and that many items, "(item, item)" or "EMPTY".
  template <typename AppendItem>
  bool AppendItems(const Header& header, std::string* text, AppendItem append_item) {
    uint32_t count = 0;
    if (!Take(header.big_endian, &count)) return false;
    if (count == 0) {
      *text += "EMPTY";
      return true;
    }
    for (uint32_t i = 0; i < count; ++i) {
      *text += i == 0 ? "(" : ", ";
      if (!append_item()) return false;
    }
    *text += ')';
    return true;
  }

  bool AppendPoint(const Header& header, std::string* text) {
    std::string coordinate;
    bool empty = false;
    if (!AppendCoordinate(header, &coordinate, &empty)) return false;
    *text += empty ? "EMPTY" : "(" + coordinate + ")";
    return true;
  }

  bool AppendLine(const Header& header, std::string* text) {
    return AppendItems(header, text, [&] { return AppendCoordinate(header, text); });
  }

  bool AppendBody(const Header& header, int depth, std::string* text) {
    switch (header.kind) {
      case GeometryKind::kPoint:
        return AppendPoint(header, text);
      case GeometryKind::kLineString:
        return AppendLine(header, text);
      case GeometryKind::kPolygon:
        return AppendItems(header, text, [&] { return AppendLine(header, text); });
      case GeometryKind::kCollection:
        return AppendItems(header, text, [&] { return AppendGeometry(depth + 1, nullptr, text); });
      default: {
        const GeometryKind part = PartOf(header.kind);
        return AppendItems(header, text, [&] { return AppendGeometry(depth + 1, &part, text); });
      }
    }
  }

  ByteSpan rest_;
};

}  // namespace

std::optional<std::string> WktFromWkb(ByteSpan wkb) {
  WktWriter writer(wkb);
  std::string text;
  if (!writer.AppendGeometry(0, nullptr, &text) || !writer.AtEnd()) return std::nullopt;
  return text;
}

}  // namespace nunatak
