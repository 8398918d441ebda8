#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace nunatak {

/// The kinds of geometry; the values are the codes of well-known binary.
enum class GeometryKind : uint8_t {
  kPoint = 1,
  kLineString = 2,
  kPolygon = 3,
  kMultiPoint = 4,
  kMultiLineString = 5,
  kMultiPolygon = 6,
  kCollection = 7,
};

/// The words of well-known text, in the order of `GeometryKind`.
constexpr std::array<std::string_view, 7> kGeometryTags = {
    "POINT",           "LINESTRING",   "POLYGON",           "MULTIPOINT",
    "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION"};

/// Which ordinates follow X and Y. Well-known binary adds 1000 for Z and 2000 for M to the code.
struct GeometryDimensions {
  bool z = false;
  bool m = false;

  int count() const { return 2 + (z ? 1 : 0) + (m ? 1 : 0); }
  uint32_t code() const { return (z ? 1000U : 0U) + (m ? 2000U : 0U); }
  std::string_view tag() const { return z ? (m ? " ZM" : " Z") : (m ? " M" : ""); }
};

/// Collections inside collections; what nests deeper is refused.
constexpr int kMaxGeometryDepth = 32;

/// The kind of the parts of a multi-geometry: kMultiPoint has kPoint.
constexpr GeometryKind PartOf(GeometryKind multi) {
  return static_cast<GeometryKind>(static_cast<uint8_t>(multi) - 3);
}

}  // namespace nunatak
