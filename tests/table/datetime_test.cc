#include "nunatak/table/datetime.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace nunatak {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

bool IsLeap(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int DaysIn(int64_t year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && IsLeap(year) ? 29 : kDays[month - 1];
}

// Walks day by day through two eras of 400 years, forward from 1970 and backward.
TEST(CivilDate, AgreesWithCountingDays) {
  CivilDate date{.year = 1970, .month = 1, .day = 1};
  for (int64_t days = 0; days < 300'000; ++days) {
    const CivilDate got = CivilFromDays(days);
    ASSERT_TRUE(got.year == date.year && got.month == date.month && got.day == date.day) << days;
    ASSERT_EQ(DaysFromCivil(date), days);
    if (++date.day > DaysIn(date.year, date.month)) {
      date.day = 1;
      if (++date.month > 12) {
        date.month = 1;
        ++date.year;
      }
    }
  }
}

TEST(CivilDate, AgreesWithCountingDaysBackward) {
  CivilDate date{.year = 1970, .month = 1, .day = 1};
  for (int64_t days = 0; days > -900'000; --days) {
    const CivilDate got = CivilFromDays(days);
    ASSERT_TRUE(got.year == date.year && got.month == date.month && got.day == date.day) << days;
    ASSERT_EQ(DaysFromCivil(date), days);
    if (--date.day < 1) {
      if (--date.month < 1) {
        date.month = 12;
        --date.year;
      }
      date.day = DaysIn(date.year, date.month);
    }
  }
}

TEST(CivilDate, RoundTripsAtAnyDistance) {
  std::mt19937_64 random(1);
  std::vector<int64_t> samples = {kMin, kMin + 1, kMax, kMax - 1, -719468, -719469};
  for (int i = 0; i < 10'000; ++i) samples.push_back(static_cast<int64_t>(random()) >> (i % 64));
  for (int64_t days : samples) {
    const CivilDate date = CivilFromDays(days);
    ASSERT_GE(date.month, 1);
    ASSERT_LE(date.month, 12);
    ASSERT_GE(date.day, 1);
    ASSERT_LE(date.day, DaysIn(date.year, date.month));
    ASSERT_EQ(DaysFromCivil(date), days);
  }
}

TEST(FloorDivide, RoundsTowardNegativeInfinity) {
  EXPECT_EQ(FloorDivide(7, 2), 3);
  EXPECT_EQ(FloorDivide(-7, 2), -4);
  EXPECT_EQ(FloorDivide(-8, 2), -4);
  EXPECT_EQ(FloorDivide(-1, 1000), -1);
  EXPECT_EQ(FloorDivide(kMin, 1), kMin);
  EXPECT_EQ(FloorDivide(kMin, kMax), -2);
  EXPECT_EQ(FloorDivide(kMax, kMax), 1);
}

TEST(ParseDate, ReadsIsoDates) {
  EXPECT_EQ(ParseDate("1970-01-01"), 0);
  EXPECT_EQ(ParseDate("1969-12-31"), -1);
  EXPECT_EQ(ParseDate("2017-11-16"), 17486);
  EXPECT_EQ(ParseDate("2024-02-29"), 19782);
  EXPECT_EQ(ParseDate("0001-01-01"), -719162);
  EXPECT_EQ(ParseDate("9999-12-31"), 2932896);
  EXPECT_EQ(ParseDate("+10000-01-01"), 2932897);
  EXPECT_EQ(ParseDate("-0001-12-31"), -719529);
  EXPECT_EQ(ParseDate("+5881580-07-11"), std::numeric_limits<int32_t>::max());
  EXPECT_EQ(ParseDate("-5877641-06-23"), std::numeric_limits<int32_t>::min());
}

TEST(ParseDate, RefusesWhatIsNoDate) {
  for (const char* text : {"",
                           "2024",
                           "2024-02",
                           "2024-02-30",
                           "2023-02-29",
                           "1900-02-29",
                           "2024-13-01",
                           "2024-00-01",
                           "2024-01-00",
                           "2024-01-32",
                           "2024-1-1",
                           "24-01-01",
                           "12024-01-01",
                           "2024-01-01 ",
                           " 2024-01-01",
                           "2024/01/01",
                           "2024-01-01T00:00",
                           "+5881580-07-12",
                           "-5877641-06-22",
                           "+99999999999999999999-01-01",
                           "+-2024-01-01",
                           "--2024-01-01"}) {
    EXPECT_EQ(ParseDate(text), std::nullopt) << text;
  }
}

TEST(FormatDate, WritesIsoDates) {
  EXPECT_EQ(FormatDate(-1), "1969-12-31");
  EXPECT_EQ(FormatDate(2932897), "+10000-01-01");
  EXPECT_EQ(FormatDate(-719529), "-0001-12-31");
  EXPECT_EQ(FormatDate(-719528), "0000-01-01");
  EXPECT_EQ(FormatDate(std::numeric_limits<int32_t>::max()), "+5881580-07-11");
  EXPECT_EQ(FormatDate(std::numeric_limits<int32_t>::min()), "-5877641-06-23");
}

TEST(Dates, RoundTripAsText) {
  std::mt19937 random(2);
  for (int i = 0; i < 10'000; ++i) {
    const auto days = static_cast<int32_t>(random()) >> (i % 32);
    ASSERT_EQ(ParseDate(FormatDate(days)), days);
  }
}

TEST(ParseTime, ReadsTimesOfDay) {
  EXPECT_EQ(ParseTime("00:00"), 0);
  EXPECT_EQ(ParseTime("22:31:08"), 81'068'000'000);
  EXPECT_EQ(ParseTime("22:31:08.5"), 81'068'500'000);
  EXPECT_EQ(ParseTime("22:31:08.123456"), 81'068'123'456);
  EXPECT_EQ(ParseTime("22:31:08.123456000"), 81'068'123'456);
  EXPECT_EQ(ParseTime("23:59:59.999999"), 86'399'999'999);
}

TEST(ParseTime, RefusesWhatIsNoTimeOfDay) {
  for (const char* text : {"", "12", "24:00", "12:60", "12:00:60", "12:00:00.", "12:00:00.1234567",
                           "1:00", "12:00:00Z", "12:00:00.5x", "-12:00", "12:00.5"}) {
    EXPECT_EQ(ParseTime(text), std::nullopt) << text;
  }
}

TEST(FormatTime, WritesAsFewGroupsOfDigitsAsKeepTheValue) {
  EXPECT_EQ(FormatTime(0), "00:00:00");
  EXPECT_EQ(FormatTime(43'231'000'000), "12:00:31");
  EXPECT_EQ(FormatTime(43'231'500'000), "12:00:31.500");
  EXPECT_EQ(FormatTime(43'231'000'001), "12:00:31.000001");
  EXPECT_EQ(FormatTime(86'399'999'999), "23:59:59.999999");
  EXPECT_EQ(FormatTime(1, 9), "00:00:00.000000001");
  EXPECT_EQ(FormatTime(1'000'000, 9), "00:00:00.001");
}

TEST(FormatTime, ShowsValuesOutsideADayAsTheyAre) {
  EXPECT_EQ(FormatTime(-1), "-00:00:00.000001");
  EXPECT_EQ(FormatTime(86'400'000'000), "24:00:00");
  EXPECT_EQ(FormatTime(kMin), "-2562047788:00:54.775808");
  EXPECT_EQ(FormatTime(kMax), "2562047788:00:54.775807");
}

struct TimestampText {
  const char* text;
  int64_t micros;
  bool has_zone;
};

TEST(ParseTimestamp, ReadsDatesTimesAndZones) {
  constexpr int64_t kAt = 1'510'871'468'000'000;  // 2017-11-16T22:31:08, of Appendix B
  const TimestampText cases[] = {
      {"2017-11-16T22:31:08", kAt, false},
      {"2017-11-16 22:31:08", kAt, false},
      {"2017-11-16t22:31:08.000001", kAt + 1, false},
      {"2017-11-16T22:31", kAt - 8'000'000, false},
      {"2017-11-16", 1'510'790'400'000'000, false},
      {"2017-11-16T22:31:08Z", kAt, true},
      {"2017-11-16T22:31:08z", kAt, true},
      {"2017-11-16T22:31:08+00:00", kAt, true},
      {"2017-11-16T14:31:08-08:00", kAt, true},
      {"2017-11-16T14:31:08.000001-08:00", kAt + 1, true},
      {"2017-11-17T04:01:08+0530", kAt, true},
      {"2017-11-17T00:31:08+02", kAt, true},
      {"1969-12-31T23:59:59.999999", -1, false},
      {"1970-01-01T00:00:00+00:01", -60'000'000, true},
  };
  for (const TimestampText& c : cases) {
    const std::optional<ParsedTimestamp> parsed = ParseTimestamp(c.text, 6);
    ASSERT_TRUE(parsed.has_value()) << c.text;
    EXPECT_EQ(parsed->value, c.micros) << c.text;
    EXPECT_EQ(parsed->has_zone, c.has_zone) << c.text;
  }
}

TEST(ParseTimestamp, PadsFractionsOnTheRight) {
  EXPECT_EQ(ParseTimestamp("1970-01-01T00:00:44.3756127", 9)->value, 44'375'612'700);
  EXPECT_EQ(ParseTimestamp("2017-11-16T22:31:08.000001001", 9)->value, 1'510'871'468'000'001'001);
  EXPECT_EQ(ParseTimestamp("1970-01-01T00:00:00.5", 6)->value, 500'000);
}

TEST(ParseTimestamp, RefusesWhatItCannotKeep) {
  for (const char* text :
       {"", "2017-11-16T", "2017-11-16T22", "2017-11-16X22:31", "2017-11-31T00:00:00",
        "2017-11-16T22:31:08.0000001", "2017-11-16T22:31:08+", "2017-11-16T22:31:08+8:00",
        "2017-11-16T22:31:08+19:00", "2017-11-16T22:31:08+02:60", "2017-11-16T22:31:08ZZ",
        "2017-11-16T22:31:08 UTC", "+300000-01-01", "-300000-01-01"}) {
    EXPECT_FALSE(ParseTimestamp(text, 6).has_value()) << text;
  }
  EXPECT_FALSE(ParseTimestamp("2262-04-11T23:47:16.854775808", 9).has_value());
  EXPECT_FALSE(ParseTimestamp("1677-09-21T00:12:43.145224191", 9).has_value());
}

TEST(Timestamps, ReachTheEndsOfTheirRange) {
  EXPECT_EQ(FormatTimestamp(kMax, 9, false), "2262-04-11T23:47:16.854775807");
  EXPECT_EQ(FormatTimestamp(kMin, 9, false), "1677-09-21T00:12:43.145224192");
  EXPECT_EQ(FormatTimestamp(kMax, 6, true), "+294247-01-10T04:00:54.775807+00:00");
  EXPECT_EQ(FormatTimestamp(kMin, 6, true), "-290308-12-21T19:59:05.224192+00:00");
}

TEST(Timestamps, RoundTripAsText) {
  std::mt19937_64 random(3);
  std::vector<int64_t> samples = {kMin, kMin + 1, kMax, -1, 0, 1, -1'000'000, -999'999};
  for (int i = 0; i < 10'000; ++i) samples.push_back(static_cast<int64_t>(random()) >> (i % 64));
  for (int64_t value : samples) {
    for (int digits : {6, 9}) {
      for (bool zone : {false, true}) {
        const std::string text = FormatTimestamp(value, digits, zone);
        const std::optional<ParsedTimestamp> parsed = ParseTimestamp(text, digits);
        ASSERT_TRUE(parsed.has_value()) << text;
        ASSERT_EQ(parsed->value, value) << text;
        ASSERT_EQ(parsed->has_zone, zone) << text;
      }
    }
  }
}

}  // namespace
}  // namespace nunatak
