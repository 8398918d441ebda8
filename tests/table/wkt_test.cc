#include "nunatak/table/wkt.h"

#include <gtest/gtest.h>

#include <random>

namespace nunatak {
namespace {

std::string Hex(std::string_view wkt) {
  const std::optional<std::string> wkb = WkbFromWkt(wkt);
  return wkb ? ToHex(AsBytes(*wkb)) : "none";
}

std::string Bytes(std::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

// The points of a table that Java wrote.
TEST(Wkt, ReadsAndWritesPoints) {
  EXPECT_EQ(Hex("POINT (1 2)"), "0101000000000000000000F03F0000000000000040");
  EXPECT_EQ(Hex("POINT (-10 45)"), "010100000000000000000024C00000000000804640");
  EXPECT_EQ(WktFromWkb(AsBytes(Bytes("010100000000000000000024C00000000000804640"))),
            "POINT (-10 45)");
}

TEST(Wkt, ReadsBigEndianBytes) {
  EXPECT_EQ(WktFromWkb(AsBytes(Bytes("00000000013FF00000000000004000000000000000"))),
            "POINT (1 2)");
}

TEST(Wkt, RoundTripsEveryKind) {
  for (const char* wkt :
       {"POINT (30 10)", "POINT Z (30 10 5)", "POINT M (30 10 5)", "POINT ZM (30 10 5 6)",
        "POINT EMPTY", "LINESTRING (30 10, 10.5 30, 40 -40)", "LINESTRING EMPTY",
        "POLYGON ((35 10, 45 45, 15 40, 35 10), (20 30, 35 35, 30 20, 20 30))",
        "MULTIPOINT ((10 40), (40 30))", "MULTIPOINT Z ((10 40 1), (40 30 2))",
        "MULTILINESTRING ((10 10, 20 20), (40 40, 30 30))",
        "MULTIPOLYGON (((30 20, 45 40, 10 40, 30 20)), ((15 5, 40 10, 10 20, 15 5)))",
        "GEOMETRYCOLLECTION (POINT (40 10), GEOMETRYCOLLECTION (LINESTRING (10 10, 20 20)))",
        "GEOMETRYCOLLECTION EMPTY", "POINT (1e+300 NaN)", "POINT (-Infinity 0.1)"}) {
    const std::optional<std::string> wkb = WkbFromWkt(wkt);
    ASSERT_TRUE(wkb.has_value()) << wkt;
    EXPECT_EQ(WktFromWkb(AsBytes(*wkb)), wkt);
  }
}

TEST(Wkt, ReadsFreeBlanksAnyCaseAndBarePoints) {
  EXPECT_EQ(Hex(" point(1   2 ) "), Hex("POINT (1 2)"));
  EXPECT_EQ(Hex("MULTIPOINT (10 40, 40 30)"), Hex("MULTIPOINT ((10 40), (40 30))"));
}

TEST(Wkt, RefusesWhatIsNoGeometry) {
  for (const char* wkt :
       {"", "POINT", "POINT ()", "POINT (1)", "POINT (1 2 3)", "POINT (1 2", "POINT (1 2) x",
        "CIRCLE (1 2)", "POINTS (1 2)", "LINESTRING (1 2, )", "POLYGON (1 2, 3 4)",
        "MULTIPOINT (POINT (1 2))", "POINT Z (1 2)", "POINT (a b)"}) {
    EXPECT_EQ(WkbFromWkt(wkt), std::nullopt) << wkt;
  }
}

TEST(Wkt, LimitsNesting) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "GEOMETRYCOLLECTION (";
  EXPECT_EQ(WkbFromWkt(text + "POINT (1 2)" + std::string(100'000, ')')), std::nullopt);
  std::string bytes;
  for (int i = 0; i < 100'000; ++i) bytes += Bytes("010700000001000000");
  EXPECT_EQ(WktFromWkb(AsBytes(bytes)), std::nullopt);
}

// Every prefix is too short, and every other byte gives a geometry or nothing.
TEST(Wkt, SurvivesDamagedBytes) {
  const std::string whole =
      *WkbFromWkt("GEOMETRYCOLLECTION (MULTIPOLYGON (((3 2, 4 4, 1 4, 3 2))), POINT Z (1 2 3))");
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_EQ(WktFromWkb(AsBytes(whole.substr(0, length))), std::nullopt) << length;
  }
  std::mt19937 random(9);
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string damaged = whole;
    damaged[random() % damaged.size()] = static_cast<char>(random());
    const std::optional<std::string> text = WktFromWkb(AsBytes(damaged));
    refused += text ? 0 : 1;
    if (text) {
      EXPECT_TRUE(WkbFromWkt(*text).has_value()) << *text;
    }
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace nunatak
